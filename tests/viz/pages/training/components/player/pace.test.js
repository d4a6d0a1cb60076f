import assert from "node:assert";
import test from "node:test";

import { durations } from "../../../../../../viz/pages/training/components/player/pace.js";

const steps = Array.from({ length: 100 }, (_, frame) => 4 * frame);
const loss = new Float32Array(steps.map((step) => 3 - step / 200));
const accuracy = new Float32Array(steps.map((_, frame) => (frame < 50 ? 0.1 + (frame % 2) / 100 : 0.9)));

test("frames last longest where an accuracy jumps, and noise and losses slow nothing", () => {
  const shown = durations(
    { steps, plots: ["loss", "held out"], curves: { loss: [loss], "held out": [accuracy] } },
    false,
  );
  assert.strictEqual(shown.length, steps.length);
  assert.strictEqual(shown.indexOf(Math.max(...shown)), 49);
  assert.ok(shown[49] > 5 * shown[10]);
  assert.ok(shown.every((milliseconds) => milliseconds >= 90 && milliseconds <= 900));
});

test("frames last alike where nothing changes, and for those who ask for it", () => {
  const jump = { steps, plots: ["held out"], curves: { "held out": [accuracy] } };
  const level = { ...jump, curves: { "held out": [new Float32Array(steps.length)] } };
  for (const shown of [durations(jump, true), durations(level, false)]) assert.strictEqual(new Set(shown).size, 1);
});
