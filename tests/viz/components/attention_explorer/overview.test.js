import assert from "node:assert/strict";
import { test } from "node:test";

import { newPage } from "../../dom.js";

import { createOverview } from "../../../../viz/components/attention_explorer/overview.js";
import { fieldsOf } from "../../../../viz/components/attention_explorer/sides.js";
import { encoder } from "./recording.js";

const WORDS = new Proxy({}, { get: (_, key) => String(key) });
// Safari on iOS draws no more pixels, Firefox no longer side.
const [MOST_PIXELS, LONGEST_SIDE] = [2 ** 24, 2 ** 15 - 1];

for (const [width, height, ratio] of [
  [390, 28_500, 3],
  [1000, 30_000, 2],
  [390, 90_000, 3],
  [600, 400, 2],
])
  test(`no browser refuses the canvas of ${width} × ${height} pixels of layout at a ratio of ${ratio}`, () => {
    newPage();
    globalThis.devicePixelRatio = ratio;
    const field = fieldsOf([encoder()]).of("encoder");
    const tables = { sequential: new Uint32Array(256) };
    const overview = createOverview({ text: WORDS, tables, choose: () => {}, preview: () => {} });
    overview.build(field, "layer");
    const [mosaic, canvas] = [".mosaic", "canvas"].map((name) => overview.node.querySelector(name));
    Object.assign(mosaic, { scrollWidth: width, scrollHeight: height });
    overview.draw(field, false);
    assert.ok(canvas.width * canvas.height <= MOST_PIXELS);
    assert.ok(Math.max(canvas.width, canvas.height) <= LONGEST_SIDE);
    assert.deepEqual([canvas.style.width, canvas.style.height], [`${width}px`, `${height}px`]);
    if (width * height * ratio * ratio < MOST_PIXELS) assert.equal(canvas.width, width * ratio);
  });
