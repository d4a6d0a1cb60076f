// Outputs of the graphs under the names of the hook points, each without its axis of rows.

import { sizeOf, stackOf } from "./graph.js";

/** @import { Config, Seen, Stack, Tensor } from "./types" */

export const ENCODER_OUTPUTS = ["pattern", "q", "k", "v", "z", "residual", "memory", "cross_k", "cross_v"];
export const STEP_OUTPUTS = ["self_pattern", "cross_pattern", "q", "z", "new_k", "new_v", "residual", "logits"];

// Outputs of one point; the others hold those of all layers.
const WHOLE = new Map([
  ["memory", "encoder.output"],
  ["logits", "logits"],
]);

// What the outputs of one run for one row show, by hook point.
/** @type {(config: Config, stack: Stack, outputs: Seen) => Seen} */
export function byHookPoint(config, stack, outputs) {
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([name, tensor]) => {
      const whole = WHOLE.get(name);
      return whole
        ? [[whole, rowOf(tensor)]]
        : pointsOf(config, stack, name).map((point, place) => [point, partOf(tensor, place)]);
    }),
  );
}

// The attention patterns of a stack, in the order in which a model passes them.
/** @type {(config: Config, stack: Stack) => string[]} */
export const patternPoints = (config, stack) => pointsOf(config, stack, "pattern");

/** @type {(config: Config, stack: Stack, output: string) => string[]} */
function pointsOf(config, stack, output) {
  const { nLayers, blocks } = stackOf(config, stack);
  /** @type {(of: string[], what: string, where?: string) => string[]} */
  const each = (of, what, where = stack) =>
    Array.from({ length: nLayers }, (_, layer) => of.map((block) => `${where}.${layer}.${block}.${what}`)).flat();
  const attention = blocks.filter((block) => block.endsWith("attention"));
  switch (output) {
    case "residual":
      return [`${stack}.input`, ...each(blocks, "residual_after")];
    case "self_pattern":
      return each(["self_attention"], "pattern");
    case "cross_pattern":
      return each(["cross_attention"], "pattern");
    case "new_k":
    case "new_v":
      return each(["self_attention"], output.slice(-1));
    case "cross_k":
    case "cross_v":
      return each(["cross_attention"], output.slice(-1), "decoder");
    default:
      return each(attention, output);
  }
}

// The only row of [row, …].
/** @type {(tensor: Tensor) => Tensor} */
const rowOf = ({ values, shape }) => ({ values, shape: shape.slice(1) });

// One part of [part, row, …].
/** @type {(tensor: Tensor, place: number) => Tensor} */
function partOf({ values, shape }, place) {
  const size = sizeOf(shape.slice(1));
  return { values: values.subarray(place * size, (place + 1) * size), shape: shape.slice(2) };
}

// The patterns of successive steps as one [H, Q, K]; a key that comes later has no weight.
/** @type {(parts: Tensor[]) => Tensor} */
export function joined(parts) {
  const [nHeads, , nKeys] = parts[parts.length - 1].shape;
  const nQueries = parts.reduce((sum, { shape }) => sum + shape[1], 0);
  const values = new Float32Array(nHeads * nQueries * nKeys);
  let start = 0;
  for (const part of parts) {
    const [, nNew, width] = part.shape;
    for (let head = 0; head < nHeads; head++) {
      for (let query = 0; query < nNew; query++) {
        const from = (head * nNew + query) * width;
        values.set(part.values.subarray(from, from + width), (head * nQueries + start + query) * nKeys);
      }
    }
    start += nNew;
  }
  return { values, shape: [nHeads, nQueries, nKeys] };
}
