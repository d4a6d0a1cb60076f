import assert from "node:assert/strict";
import { test } from "node:test";

import { standing } from "../../../../../viz/pages/translate/components/beam_tree/standing.js";

const node = (parent, step, fate, score) => ({ parent, step, fate, score });
const NODES = [
  node(null, 0, "kept", -0.1),
  node(null, 0, "kept", -0.5),
  node(0, 1, "kept", -0.9),
  node(0, 1, "finished", -0.3),
  node(1, 1, "dropped", -2),
  node(2, 2, "finished", -0.8),
];

test("after each step only what leads to a beam or to a closed hypothesis stands", () => {
  assert.deepEqual([...standing(NODES, 1).alive].sort(), [0, 1]);
  assert.deepEqual([...standing(NODES, 2).alive].sort(), [0, 2, 3]);
  assert.deepEqual([...standing(NODES, 3).alive].sort(), [0, 2, 3, 5]);
});

test("the best beam leads as long as beams go on, then the best hypothesis", () => {
  assert.deepEqual(standing(NODES, 2).leading, [2, 0]);
  assert.deepEqual(standing(NODES, 3).leading, [3, 0]);
});
