// How long each frame is shown while the runs are played.

import { clamp } from "../../../../components/browser/numbers.js";

/** @import { Scene } from "./types" */

const [SHORTEST, LONGEST] = [90, 900]; // milliseconds of a frame
const [EVEN, SLOWED] = [7000, 9000]; // of all frames: at least what they share alike, and what goes where curves jump

// Longest where the curves of shares, as accuracies are, jump to the next frame; all alike with isEven. The change is
// squared, so that a jump counts and noise does not.
/** @type {(scene: Pick<Scene, "steps" | "plots" | "curves">, isEven: boolean) => number[]} */
export function durations({ steps, plots, curves }, isEven) {
  const alike = clamp(EVEN / steps.length, SHORTEST, LONGEST);
  const shares = isEven ? [] : plots.flatMap((name) => curves[name].filter(isShare));
  const changes = steps.map((_, frame) => Math.max(0, ...shares.map((curve) => changeAt(curve, frame))));
  const all = changes.reduce((sum, change) => sum + change, 0) || 1;
  return changes.map((change) => Math.min(alike + (SLOWED * change) / all, LONGEST));
}

/** @type {(curve: Float32Array) => boolean} */
function isShare(curve) {
  return curve.every((value) => value >= 0 && value <= 1);
}

/** @type {(curve: Float32Array, frame: number) => number} */
function changeAt(curve, frame) {
  return frame + 1 < curve.length ? Math.abs(curve[frame + 1] - curve[frame]) : 0;
}
