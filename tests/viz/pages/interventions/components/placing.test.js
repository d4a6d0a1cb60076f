import assert from "node:assert/strict";
import { test } from "node:test";

import {
  begun,
  keyAt,
  led,
  rowAt,
  within,
} from "../../../../../viz/pages/interventions/components/pattern_editor/placing.js";

const LAYOUT = { left: 50, top: 40, cell: { width: 20, height: 10 } };
const FREE = { nRows: 3, nKeys: 4, isCausal: false };
const CAUSAL = { ...FREE, isCausal: true };

test("a causal row looks no further than its own place, any row at what there is", () => {
  assert.deepEqual(
    [-1, 2, 9].map((key) => within(1, key, FREE)),
    [0, 2, 3],
  );
  assert.deepEqual(
    [-1, 2, 9].map((key) => within(1, key, CAUSAL)),
    [0, 1, 1],
  );
});

test("a point is over a row that can be dragged, and over its nearest token", () => {
  assert.deepEqual(
    [39, 40, 59, 69, 70].map((y) => rowAt(y, LAYOUT, FREE)),
    [null, 0, 1, 2, null],
  );
  assert.deepEqual(
    [0, 50, 89, 999].map((x) => keyAt(2, x, LAYOUT, FREE)),
    [0, 0, 1, 3],
  );
  assert.equal(keyAt(0, 999, LAYOUT, CAUSAL), 0);
});

test("arrow keys move the weight along its row, and lead to another row", () => {
  const at = { row: 1, key: 1 };
  assert.deepEqual(led("ArrowLeft", at, FREE), { row: 1, key: 0 });
  assert.deepEqual(led("ArrowRight", at, FREE), { row: 1, key: 2 });
  assert.deepEqual(led("ArrowRight", at, CAUSAL), { row: 1, key: 1 });
  assert.deepEqual(led("End", at, FREE), { row: 1, key: 3 });
  assert.deepEqual(led("Home", at, FREE), { row: 1, key: 0 });
  assert.deepEqual(led("ArrowUp", at, FREE), { row: 0, key: undefined });
  assert.deepEqual(led("ArrowDown", { row: 2, key: 0 }, FREE), { row: 2, key: undefined });
  assert.equal(led("a", at, FREE), null);
});

test("keys go on with the row that has the focus: where it is held, or else at its largest weight", () => {
  const weights = [0.1, 0.2, 0.6, 0.1];
  const held = { row: 1, key: 3, by: "keys" };
  assert.deepEqual(begun(1, held, weights), held);
  for (const other of [null, { ...held, row: 0 }, { ...held, row: 0, by: "page" }])
    assert.deepEqual(begun(1, other, weights), { row: 1, key: 2 });
});
