import assert from "node:assert/strict";
import { test } from "node:test";

import { meanOf, rowOf, shareOf } from "../../../../../viz/pages/transformer_xl/components/memory_text/weights.js";

// Exact in binary: one layer of two heads over four keys.
const WEIGHTS = { weights: Float32Array.of(0.5, 0.25, 0.25, 0, 0, 0.25, 0.25, 0.5), layers: 1, heads: 2, keys: 4 };

test("a head's row, the mean of all, and its share on the first keys", () => {
  assert.deepEqual(Array.from(rowOf(WEIGHTS, [0, 1])), [0, 0.25, 0.25, 0.5]);
  assert.deepEqual(Array.from(meanOf(WEIGHTS)), [0.25, 0.25, 0.25, 0.25]);
  assert.equal(shareOf(rowOf(WEIGHTS, [0, 0]), 2), 0.75);
});
