import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ASCENDING,
  MEASURES,
  hasHead,
  measureHeads,
  ordersOf,
  shrink,
} from "../../../../viz/components/attention_explorer/measures.js";
import { fieldsOf } from "../../../../viz/components/attention_explorer/sides.js";
import { cross, encoder } from "./recording.js";

const ENTROPY = -(0.2 * Math.log2(0.2) + 0.8 * Math.log2(0.8));

function measured(block, name) {
  return measureHeads(fieldsOf([block]).of(block.name), name)[0].value;
}

function assertNear(value, expected) {
  assert.ok(Math.abs(value - expected) < 1e-9, `${value} is not ${expected}`);
}

test("each measure is its formula's mean over the rows", () => {
  assertNear(measured(encoder(), "pointed"), (1 + 0.8 + 1 / 3) / 3);
  assertNear(measured(encoder(), "entropy"), (0 + ENTROPY + Math.log2(3)) / 3);
  assertNear(measured(encoder(), "diagonal"), (1 + 1 + 2 / 3) / 3);
  assertNear(measured(encoder(), "distance"), (0 + 0.8 + 1) / 3);
});

test("in a map that is not square the diagonal goes from corner to corner", () => {
  assertNear(measured(cross(), "distance"), 0);
  assertNear(measured(cross(), "diagonal"), 1);
});

test("the scale of a map changes no measure", () => {
  for (const name of MEASURES) assertNear(measured(encoder([0.1, 1, 1, 1]), name), measured(encoder(), name));
});

test("a row without weight is not measured, nor a map of such rows", () => {
  const block = encoder();
  block.weights.fill(0, 0, 3);
  assertNear(measured(block, "pointed"), (0.8 + 1 / 3) / 2);
  block.weights.fill(0);
  for (const name of MEASURES) assertNear(measured(block, name), 0);
});

test("every head is measured once, and those that look for little come least first", () => {
  const field = fieldsOf([encoder()]).of("encoder");
  const heads = measureHeads(field, "entropy").map(({ layer, head }) => [layer, head]);
  assert.deepEqual(heads, [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  assert.equal(measureHeads(field, "entropy"), measureHeads(field, "entropy"));
  assert.ok(Array.from(ASCENDING).every((name) => [...MEASURES, "alignment"].includes(name)));
  assert.deepEqual([hasHead(field, 1, 1), hasHead(field, 2, 0), hasHead(field, 0, 2)], [true, false, false]);
});

test("a rate that came with the maps is that of its head, and no map has to be read for it", () => {
  const field = fieldsOf([{ ...cross(), alignment: [0.4, 0.3, 0.2, 0.1] }]).of("cross");
  assert.deepEqual(
    measureHeads(field, "alignment").map(({ value }) => value),
    [0.4, 0.3, 0.2, 0.1],
  );
  assert.deepEqual(ordersOf(field), ["layer", ...MEASURES, "alignment"]);
  assert.deepEqual(ordersOf(fieldsOf([encoder()]).of("encoder")), ["layer", ...MEASURES]);
});

test("a tile shows the largest weight of each of its squares", () => {
  const field = fieldsOf([encoder()]).of("encoder");
  const all = [0, 1, 2];
  const full = shrink(field, 0, 0, all, all, { width: 9, height: 9 });
  assert.deepEqual([full.width, full.height], [3, 3]);
  assert.deepEqual(Array.from(full.pixels), [255, 0, 0, 0, 51, 204, 85, 85, 85]);
  assert.deepEqual(Array.from(shrink(field, 0, 0, all, all, { width: 1, height: 2 }).pixels), [255, 85]);
  assert.deepEqual(Array.from(shrink(field, 0, 0, [1, 2], [0, 1], { width: 9, height: 9 }).pixels), [0, 51, 85, 85]);
});
