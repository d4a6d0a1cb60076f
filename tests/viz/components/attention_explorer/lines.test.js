import assert from "node:assert/strict";
import { test } from "node:test";

import { linesOf } from "../../../../viz/components/attention_explorer/lines.js";

// Of 60 rows, each looks at every one of 60 keys, and at key 7 the least.
const SIZE = 60;
const weights = Float32Array.from({ length: SIZE * SIZE }, (_, index) => (index % SIZE === 7 ? 0.5 : 0.9));
const rows = Array.from({ length: SIZE }, (_, row) => row);

test("of too many lines the strongest are drawn", () => {
  const lines = linesOf({ values: weights, top: 1 }, SIZE, rows, 0);
  assert.ok(lines.length < SIZE * SIZE);
  assert.ok(lines.every(([, key]) => key !== 7));
});

test("of one key all lines are drawn that can be seen", () => {
  const lines = linesOf({ values: weights, top: 1 }, SIZE, rows, 0, 7);
  assert.deepEqual(
    lines.map(([query, key]) => [query, key]),
    rows.map((row) => [row, 7]),
  );
  assert.deepEqual(linesOf({ values: weights, top: 1 }, SIZE, rows, 0.6, 7), []);
});
