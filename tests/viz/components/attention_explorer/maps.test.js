import assert from "node:assert/strict";
import { test } from "node:test";

import { absorb, mapName, readNumbers } from "../../../../viz/components/attention_explorer/maps.js";
import { isMeasured, measureHeads, shrink } from "../../../../viz/components/attention_explorer/measures.js";
import { isThere, prepare } from "../../../../viz/components/attention_explorer/prepare.js";
import { fieldsOf } from "../../../../viz/components/attention_explorer/sides.js";
import { OPTIONS, encoder, near } from "./recording.js";

// The recording by hand, reduced to squares of two tokens; the last token is special and has one of its own.
function reduced() {
  const whole = encoder();
  const row = { ...whole.queries, starts: [0, 2] };
  const block = {
    ...whole,
    ...{ queries: row, keys: row, weights: undefined, whole: new Map(), wholeNumbers: new Map() },
    overview: Uint8Array.from([1, 2, 3, 4].flatMap(() => [255, 204, 85, 85])),
    measured: new Map([["pointed", Float32Array.from([0.1, 0.2, 0.3, 0.4])]]),
  };
  return { block, field: fieldsOf([block]).of("encoder") };
}

function sentLater(heads, combine, bytes) {
  return {
    whole: new Map([[mapName(heads, combine), { values: Uint8Array.from(bytes), factor: 1 / 255 }]]),
    wholeNumbers: new Map(),
    measured: new Map(),
  };
}

const HEAD = [255, 0, 0, 0, 51, 204, 85, 85, 85];

test("until a head has come, each of its weights is the largest of its square", () => {
  const shown = prepare(reduced().field, OPTIONS);
  assert.ok(shown.isReduced);
  assert.ok(near(shown.values, [1, 1, 0.8, 1, 1, 0.8, 1 / 3, 1 / 3, 1 / 3]));
});

test("a head that has come is shown as it is, and others stay reduced", () => {
  const { block, field } = reduced();
  assert.equal(absorb(block, sentLater([[0, 0]], "mean", HEAD)), true);
  assert.equal(absorb(block, sentLater([[0, 0]], "mean", HEAD)), false);
  const shown = prepare(field, OPTIONS);
  assert.equal(shown.isReduced, false);
  assert.ok(near(shown.values, [1, 0, 0, 0, 0.2, 0.8, 1 / 3, 1 / 3, 1 / 3]));
  assert.ok(prepare(field, { ...OPTIONS, heads: [[0, 1]] }).isReduced);
});

test("many heads come as one map", () => {
  const { block, field } = reduced();
  const heads = [
    [0, 0],
    [0, 1],
    [1, 0],
  ];
  absorb(block, sentLater(heads, "max", HEAD));
  assert.ok(
    near(prepare(field, { ...OPTIONS, heads, combine: "max" }).values, [1, 0, 0, 0, 0.2, 0.8, 1 / 3, 1 / 3, 1 / 3]),
  );
  assert.ok(prepare(field, { ...OPTIONS, heads, combine: "mean" }).isReduced);
  assert.equal(isThere(field, { heads, combine: "max" }, readNumbers), false);
});

test("the overview is drawn of squares, without those of special tokens where these are hidden", () => {
  const { field } = reduced();
  const all = shrink(field, 0, 0, [0, 1], [0, 1], { width: 9, height: 9 });
  assert.deepEqual([...all.pixels, all.width, all.height], [255, 204, 85, 85, 2, 2]);
  assert.deepEqual([...shrink(field, 0, 0, [0], [0], { width: 9, height: 9 }).pixels], [255]);
});

test("heads are measured by what was sent, and what was not yet sent orders nothing", () => {
  const { block, field } = reduced();
  assert.ok(
    near(
      measureHeads(field, "pointed").map(({ value }) => value),
      [0.1, 0.2, 0.3, 0.4],
    ),
  );
  assert.equal(isMeasured(field, "entropy"), false);
  absorb(block, {
    ...sentLater([[0, 0]], "mean", HEAD),
    measured: new Map([["entropy", Float32Array.from([4, 3, 2, 1])]]),
  });
  assert.ok(isMeasured(field, "entropy"));
});
