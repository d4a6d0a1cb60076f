// What is known of the runs at one frame.

import { colourTable } from "../../../../components/browser/colours.js";

/** @import { PlayerPalette } from "./header" */
/** @import { Scene } from "./types" */

// Where a step stands along the axis, from 0 to 1; with isLog, twice as many steps are always as far.
/** @type {(scene: Pick<Scene, "steps" | "last" | "isLog">, step: number) => number} */
export function shareOf({ steps, last, isLog }, step) {
  return isLog ? Math.log(step / steps[0]) / Math.log(last / steps[0]) : step / last;
}

/** @type {(scene: Pick<Scene, "steps" | "last" | "isLog">) => number[]} */
export function marked({ steps, last, isLog }) {
  return isLog ? [steps[0], steps[Math.floor((steps.length - 1) / 2)], last] : [0, last / 2, last];
}

// Of runs that are still trained, the frames from mapsFrom on alone have patterns and scores here.
/** @type {(scene: Scene, place: number, layer: number, head: number, frame: number) => Uint8Array} */
export function patternOf({ patterns, runs, queries, keys, mapsFrom }, place, layer, head, frame) {
  const [layers, heads] = runs[place].heads;
  const size = queries.length * keys.length;
  const start = (((frame - mapsFrom) * layers + layer) * heads + head) * size;
  return patterns[place].subarray(start, start + size);
}

/** @type {(scene: Scene, place: number, layer: number, head: number, frame: number) => Float32Array} */
export function biasOf({ biases, runs, mapsFrom }, place, layer, head, frame) {
  const { heads, n_distances: length } = runs[place];
  const start = (((frame - mapsFrom) * heads[0] + layer) * heads[1] + head) * length;
  return biases[place].subarray(start, start + length);
}

/** @type {(scene: Scene, place: number, frame: number) => Uint8Array} */
export function similarityOf({ similarity, queries, mapsFrom }, place, frame) {
  const size = queries.length ** 2;
  return similarity[place].subarray((frame - mapsFrom) * size, (frame - mapsFrom + 1) * size);
}

// From the lowest to the highest of all frames, so that the curves of a run can be compared; 0 is among them.
/** @type {(values?: Float32Array) => [low: number, high: number]} */
export function rangeOf(values = new Float32Array(0)) {
  let [low, high] = [-1e-3, 1e-3];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}

/** @type {(scene: Scene, place: number, layer: number, head: number, frame: number, kind: number) => number} */
export function scoreOf({ scores, runs, steps, mapsFrom }, place, layer, head, frame, kind) {
  const [layers, heads] = runs[place].heads;
  const frames = steps.length - mapsFrom;
  return scores[place][((kind * frames + frame - mapsFrom) * layers + layer) * heads + head];
}

/** @type {(palette: PlayerPalette) => Uint32Array} */
export function tableOf({ sequential, surface }) {
  return colourTable(sequential, surface, 256);
}
