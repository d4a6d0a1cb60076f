import assert from "node:assert/strict";
import { test } from "node:test";

import { byHookPoint, joined } from "../../../../viz/site/engine/hooks.js";

const config = { n_heads: 1, n_encoder_layers: 1, n_decoder_layers: 1 };

test("a model of one layer has the points of that layer", () => {
  const outputs = {
    pattern: { values: Float32Array.of(1, 2, 3, 4), shape: [1, 1, 1, 2, 2] },
    memory: { values: Float32Array.of(5, 6), shape: [1, 2, 1] },
  };
  assert.deepEqual(byHookPoint(config, "encoder", outputs), {
    "encoder.0.self_attention.pattern": { values: Float32Array.of(1, 2, 3, 4), shape: [1, 2, 2] },
    "encoder.output": { values: Float32Array.of(5, 6), shape: [2, 1] },
  });
});

test("keys that come later have no weight in the patterns of earlier steps", () => {
  const steps = [
    { values: Float32Array.of(1), shape: [1, 1, 1] },
    { values: Float32Array.of(0.25, 0.75), shape: [1, 1, 2] },
  ];
  assert.deepEqual(joined(steps), { values: Float32Array.of(1, 0, 0.25, 0.75), shape: [1, 2, 2] });
});
