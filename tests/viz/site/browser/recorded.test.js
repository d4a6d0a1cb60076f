import assert from "node:assert/strict";
import { test } from "node:test";

import { siteAt } from "./page.js";

import { slidersOf } from "../../../../viz/site/browser/recorded.js";

const HEADER = {
  view: { length: 96, position: 40, base: 4 },
  sliders: {
    length: { low: 8, high: 256, step: 8 },
    position: { low: 0, high: 255, step: 1, index_of: "length", per_item: 1 },
    base: { low: 0, high: 9 },
  },
};

// What the sliders are set to at the link ``query``, what is refused, and what is allowed instead.
function setAt(query) {
  const site = siteAt(query);
  const allowed = {};
  const { linked } = site;
  site.linked = (key, isAllowed, range) => {
    allowed[key] = range;
    return linked(key, isAllowed, range);
  };
  return { set: slidersOf(HEADER, site), refused: site.refused, allowed };
}

test("a place beyond what is shown is refused, and the one that the page opens with stays within it", () => {
  const { set, refused, allowed } = setAt("length=64&position=100");
  assert.deepEqual([set.position, refused, allowed.position], [40, ["position"], "0 – 63"]);
  assert.deepEqual(setAt("length=64&position=63").set.position, 63);
  assert.deepEqual([setAt("length=16").set.position, setAt("length=16").refused], [15, []]);
});

test("what is no number is refused", () => {
  for (const text of ["", " ", "1e1", "0x8"]) assert.deepEqual(setAt(`position=${text}`).refused, ["position"], text);
  assert.deepEqual([setAt("base=2.5").set.base, setAt("base=-0").refused], [2.5, []]);
});
