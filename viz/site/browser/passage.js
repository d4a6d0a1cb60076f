// What the picture of the whole architecture shows of one translation: the counterpart of viz/pages/start/study.

import { columnsOf } from "../../components/browser/scripts.js";
import {
  asBytes,
  asShares,
  asSharesOfLargest,
  at,
  largest,
  layerNorm,
  linear,
  logSoftmax,
  minus,
  norm,
  rowsOf,
  stacked,
} from "./arrays.js";
import { isAlphabetic } from "./labels.js";

/** @import { Seen, Stack, Tensor, Translation } from "../engine/types" */
/** @import { Labels } from "./labels.js" */
/** @import { Model } from "./types" */

/** @typedef {{ header: Record<string, unknown>, blocks: Record<string, { values: Float32Array | Uint8Array, shape: number[] }> }} Packed */
/** @typedef {{ translation: Translation, seen: Seen, model: Model, labels: Labels }} Passage */

const CONTENT_COLUMNS = 4;
const N_UNITS = 10;
const N_RAISED = 3;
const N_CANDIDATES = 10;
const TEMPERATURES = Array.from({ length: 20 }, (_, index) => (index + 1) / 10);
/** @type {Stack[]} */
const STACKS = ["encoder", "decoder"];
const BLOCKS = {
  encoder: ["self_attention", "feed_forward"],
  decoder: ["self_attention", "cross_attention", "feed_forward"],
};
/** @type {Record<string, { stack: Stack, block: string }>} */
const KINDS = {
  encoder: { stack: "encoder", block: "self_attention" },
  decoder: { stack: "decoder", block: "self_attention" },
  cross: { stack: "decoder", block: "cross_attention" },
};

// The weights of every head, [L, H, Q, K], by kind.
/** @type {(seen: Seen) => Record<string, Tensor>} */
export function kindsOf(seen) {
  return Object.fromEntries(
    Object.entries(KINDS).map(([name, { stack, block }]) => {
      /** @type {Tensor[]} */
      const layers = [];
      for (let layer = 0; `${stack}.${layer}.${block}.pattern` in seen; layer += 1)
        layers.push(seen[`${stack}.${layer}.${block}.pattern`]);
      return [name, stacked(layers)];
    }),
  );
}

// The header and the blocks of a translation's way, as architecture_view in Python packs them.
export const passageOf = oncePerPassage((passage) => {
  const { translation, seen, model, labels } = passage;
  const kinds = kindsOf(seen);
  const [source, read, target] = [translation.source, translation.read, translation.target].map(
    (tokens) => labels.row(tokens).labels,
  );
  const sizes = ["d_model", "d_ff", "n_heads", "n_encoder_layers", "n_decoder_layers", "vocabulary_size"];
  const header = {
    source,
    read,
    written: translation.tokens.map(({ probability, alternatives }, index) => ({
      label: target[index],
      probability,
      alternatives: alternatives.map((other) => [labels.alone(other.piece), other.probability]),
    })),
    tokens: translation.hypotheses[0].tokens,
    resting: restingStep(kinds.cross, source, target),
    clearness: mapped(kinds, clearness),
    sizes: Object.fromEntries(sizes.map((name) => [name, model.config[name]])),
  };
  const added = Object.fromEntries(STACKS.map((stack) => [`${stack} feed forward`, feedForward(stack, passage)]));
  return {
    header,
    blocks: {
      ...mapped({ ...inputsOf(passage), ...added }, asShares),
      ...mapped(kinds, ({ values, shape }) => ({ values: asBytes(values), shape })),
    },
  };
});

// What the opened parts are drawn from, with those of one layer of attention, such as cross.2.
/** @type {(passage: Passage, layer: string) => Packed} */
export function insideOf(passage, layer) {
  const { header, blocks } = insideOfAll(passage);
  return {
    header: { inside: { layer, ...header } },
    blocks: { ...blocks, ...renamed(attentionLayer(layer, passage), (name) => `attention ${name}`) },
  };
}

// The same but for the layer of attention.
const insideOfAll = oncePerPassage((passage) => {
  const { seen, model, labels } = passage;
  const hidden = { encoder: hiddenUnits("encoder", passage), decoder: hiddenUnits("decoder", passage) };
  const spell = (/** @type {number[]} */ tokens) => tokens.map((token) => labels.alone(model.pieces[token]));
  const logs = rowsOf(seen.logits).map(logSoftmax);
  const best = logs.map((row) => largest(row, N_CANDIDATES));
  const header = {
    weights: weightCounts(model),
    hidden: mapped(hidden, ({ values }) => values.reduce((left, right) => Math.max(left, right), 0)),
    raised: {
      encoder: [],
      decoder: raisedTokens(hidden.decoder, model).map((units) =>
        Object.fromEntries(units.map(([unit, tokens]) => [unit, spell(tokens)])),
      ),
    },
    residual: {
      encoder: residualOf("encoder", passage, []),
      decoder: residualOf("decoder", passage, lens(passage, spell)),
    },
    candidates: {
      labels: best.map(spell),
      tokens: best,
      logs: best.map((places, row) => places.map((place) => logs[row][place])),
      totals: logs.map((row) => TEMPERATURES.map((temperature) => total(row, temperature))),
      temperatures: TEMPERATURES,
    },
  };
  return {
    header,
    blocks: {
      ...renamed(inputsOf(passage), (name) => `${name} values`),
      "hidden encoder": asSharesOfLargest(hidden.encoder),
      "hidden decoder": asSharesOfLargest(hidden.decoder),
    },
  };
});

// The step of the content word that reads one source word most clearly; the last step where there is none.
/** @type {(cross: Tensor, source: string[], target: string[]) => number} */
function restingStep(cross, source, target) {
  const words = source.flatMap((label, index) => (isAlphabetic(label) ? [index] : []));
  const steps = target.flatMap((label, index) =>
    isAlphabetic(label) && columnsOf(label) >= CONTENT_COLUMNS ? [index] : [],
  );
  if (!words.length || !steps.length) return target.length - 1;
  const last = at(cross, cross.shape[0] - 1);
  const [nHeads, nQueries, nKeys] = last.shape;
  const clear = (/** @type {number} */ step) =>
    Math.max(
      ...words.map((word) => {
        let sum = 0;
        for (let head = 0; head < nHeads; head += 1) sum += last.values[(head * nQueries + step) * nKeys + word];
        return sum;
      }),
    );
  return steps.reduce((best, step) => (clear(step) > clear(best) ? step : best));
}

// How clearly each head tells the tokens apart: the mean over all keys of the largest weight on each.
/** @type {(kind: Tensor) => number[][]} */
function clearness(kind) {
  const [nLayers, nHeads, nQueries, nKeys] = kind.shape;
  return Array.from({ length: nLayers }, (_, layer) =>
    Array.from({ length: nHeads }, (_unused, head) => {
      const { values } = at(at(kind, layer), head);
      let sum = 0;
      for (let key = 0; key < nKeys; key += 1) {
        let most = 0;
        for (let query = 0; query < nQueries; query += 1) most = Math.max(most, values[query * nKeys + key]);
        sum += most;
      }
      return Math.round((sum / nKeys) * 1e4) / 1e4;
    }),
  );
}

// What both stacks read, and what the encoder returns.
/** @type {(passage: Passage) => Record<string, Tensor>} */
function inputsOf({ translation, seen, model }) {
  const source = embedded(translation.source.pieces, model);
  const read = embedded(translation.read.pieces, model);
  return {
    "source embedding": source,
    "source positions": minus(seen["encoder.input"], source),
    "read embedding": read,
    "read positions": minus(seen["decoder.input"], read),
    memory: seen["encoder.output"],
  };
}

/** @type {(pieces: string[], model: Model) => Tensor} */
function embedded(pieces, { config, weights, ids }) {
  const scale = Math.sqrt(config.d_model);
  return stacked(
    pieces.map((piece) => {
      const { values, shape } = at(weight(weights, "embedding.weight"), ids.get(piece) ?? 0);
      return { values: values.map((value) => value * scale), shape };
    }),
  );
}

// The residual stream after each block of a stack, after its input.
/** @type {(stack: Stack, passage: Pick<Passage, "seen" | "model">) => Tensor[]} */
export function stream(stack, { seen, model }) {
  const after = placesOf(stack, model).map(([layer, block]) => seen[`${stack}.${layer}.${block}.residual_after`]);
  return [seen[`${stack}.input`], ...after];
}

/** @type {(stack: Stack, model: Model) => [number, string][]} */
function placesOf(stack, { config }) {
  const layers = Array.from({ length: config[`n_${stack}_layers`] }, (_, layer) => layer);
  return layers.flatMap((layer) => BLOCKS[stack].map((block) => /** @type {[number, string]} */ ([layer, block])));
}

// The stream that the block at a place reads, and what the block adds to it.
/** @type {(stack: Stack, layer: number, block: string, passage: Passage) => { before: Tensor, added: Tensor }} */
function around(stack, layer, block, passage) {
  const place = placesOf(stack, passage.model).findIndex((one) => one[0] === layer && one[1] === block);
  const points = stream(stack, passage);
  return { before: points[place], added: minus(points[place + 1], points[place]) };
}

// What the feed-forward blocks add, layer after layer.
/** @type {(stack: Stack, passage: Passage) => Tensor} */
function feedForward(stack, passage) {
  const layers = placesOf(stack, passage.model).filter(([, block]) => block === "feed_forward");
  return stacked(layers.map(([layer, block]) => around(stack, layer, block, passage).added));
}

// The hidden units of the feed-forward blocks after the ReLU, [L, P, d_ff].
/** @type {(stack: Stack, passage: Passage) => Tensor} */
function hiddenUnits(stack, passage) {
  const { config, weights } = passage.model;
  return stacked(
    Array.from({ length: config[`n_${stack}_layers`] }, (_, layer) => {
      const name = `${stack}.layers.${layer}.feed_forward`;
      const { before } = around(stack, layer, "feed_forward", passage);
      const read = normed(before, weights, `${name}_residual.norm`);
      const { values, shape } = linear(read, weight(weights, `${name}.W_1.weight`));
      const bias = weight(weights, `${name}.W_1.bias`).values;
      return { values: values.map((value, index) => Math.max(0, value + bias[index % bias.length])), shape };
    }),
  );
}

// Of each decoder layer, the strongest units with the tokens whose logits each raises most.
/** @type {(hidden: Tensor, model: Model) => [number, number[]][][]} */
function raisedTokens(hidden, { weights }) {
  const scale = weight(weights, "decoder.final_norm.weight").values;
  return Array.from({ length: hidden.shape[0] }, (_, layer) => {
    const strongest = rowsOf(at(hidden, layer)).flatMap((row) => largest(row, N_UNITS));
    const units = [...new Set(strongest)].sort((left, right) => left - right);
    const { values, shape } = weight(weights, `decoder.layers.${layer}.feed_forward.W_2.weight`);
    const columns = new Float32Array(units.length * shape[0]);
    units.forEach((unit, row) => {
      const column = Float32Array.from({ length: shape[0] }, (_, index) => values[index * shape[1] + unit]);
      const mean = column.reduce((sum, value) => sum + value, 0) / shape[0];
      // The final norm centres what is written first, and scales every dimension by a weight of its own.
      columns.set(
        column.map((value, index) => (value - mean) * scale[index]),
        row * shape[0],
      );
    });
    const logits = linear({ values: columns, shape: [units.length, shape[0]] }, weight(weights, "embedding.weight"));
    return rowsOf(logits).map(
      (row, index) => /** @type {[number, number[]]} */ ([units[index], largest(row, N_RAISED)]),
    );
  });
}

/** @type {(stack: Stack, passage: Passage, words: [string, number][][]) => Record<string, unknown>} */
function residualOf(stack, passage, words) {
  const points = stream(stack, passage);
  const lengths = points.map((point, index) =>
    rowsOf(index ? minus(point, points[index - 1]) : point).map((row) => Math.round(norm(row) * 1e4) / 1e4),
  );
  return { blocks: placesOf(stack, passage.model), lengths, words };
}

// The logits of a residual of the decoder, read as the last one is: the logit lens, [P, V].
/** @type {(point: Tensor, model: Model) => Tensor} */
export function lensLogits(point, { weights }) {
  return linear(normed(point, weights, "decoder.final_norm"), weight(weights, "embedding.weight"));
}

// The token that each residual of the decoder would write.
/** @type {(passage: Passage, spell: (tokens: number[]) => string[]) => [string, number][][]} */
function lens(passage, spell) {
  return stream("decoder", passage).map((point) =>
    rowsOf(lensLogits(point, passage.model)).map((row) => {
      const [token] = largest(row, 1);
      return /** @type {[string, number]} */ ([spell([token])[0], Math.exp(logSoftmax(row)[token])]);
    }),
  );
}

/** @type {(name: string, passage: Passage) => Record<string, Tensor>} */
function attentionLayer(name, passage) {
  const { seen, model } = passage;
  const [kind, number] = name.split(".");
  const layer = Number(number) - 1;
  const { stack, block } = KINDS[kind];
  const [q, k, v, z] = ["q", "k", "v", "z"].map((part) => seen[`${stack}.${layer}.${block}.${part}`]);
  const output = around(stack, layer, block, passage).added;
  const added = addedLengths(z, weight(model.weights, `${stack}.layers.${layer}.${block}.W_O.weight`));
  return { q, k, v, output, added };
}

// The length of what each head adds through its part of W_O, [H, Q].
/** @type {(z: Tensor, W_O: Tensor) => Tensor} */
function addedLengths(z, W_O) {
  const [nHeads, nQueries, size] = z.shape;
  const [nRows, nColumns] = W_O.shape;
  const lengths = new Float32Array(nHeads * nQueries);
  for (let head = 0; head < nHeads; head += 1) {
    const part = new Float32Array(nRows * size);
    for (let row = 0; row < nRows; row += 1) {
      const first = row * nColumns + head * size;
      part.set(W_O.values.subarray(first, first + size), row * size);
    }
    const outputs = rowsOf(linear(at(z, head), { values: part, shape: [nRows, size] }));
    outputs.forEach((output, query) => {
      lengths[head * nQueries + query] = norm(output);
    });
  }
  return { values: lengths, shape: [nHeads, nQueries] };
}

/** @type {(model: Model) => Record<string, unknown>} */
function weightCounts(model) {
  const size = (/** @type {string} */ prefix) =>
    [...model.weights].reduce((sum, [name, { values }]) => sum + (name.startsWith(prefix) ? values.length : 0), 0);
  const layers = STACKS.flatMap((stack) =>
    Array.from({ length: model.config[`n_${stack}_layers`] }, (_, layer) => ({
      stack,
      layer,
      blocks: BLOCKS[stack].map((block) => [block, size(`${stack}.layers.${layer}.${block}.`)]),
    })),
  );
  return { total: size(""), embedding: size("embedding."), layers };
}

/** @type {(weights: Map<string, Tensor>, name: string) => Tensor} */
function weight(weights, name) {
  const tensor = weights.get(name);
  if (!tensor) throw new Error(`the model has no weight ${name}`);
  return tensor;
}

/** @type {(rows: Tensor, weights: Map<string, Tensor>, name: string) => Tensor} */
function normed(rows, weights, name) {
  return layerNorm(rows, weight(weights, `${name}.weight`).values, weight(weights, `${name}.bias`).values);
}

// The logarithm of the sum over the vocabulary of p^(1/temperature), given the logarithms of p.
/** @type {(logs: Float32Array, temperature: number) => number} */
function total(logs, temperature) {
  const most = logs.reduce((left, right) => Math.max(left, right), -Infinity) / temperature;
  let sum = 0;
  for (const log of logs) sum += Math.exp(log / temperature - most);
  return most + Math.log(sum);
}

/** @type {(blocks: Record<string, Tensor>, name: (key: string) => string) => Record<string, Tensor>} */
function renamed(blocks, name) {
  return Object.fromEntries(Object.entries(blocks).map(([key, block]) => [name(key), block]));
}

// Computes what a passage has alone, whatever is opened of it: once.
/** @type {(compute: (passage: Passage) => Packed) => (passage: Passage) => Packed} */
function oncePerPassage(compute) {
  /** @type {WeakMap<Passage, Packed>} */
  const known = new WeakMap();
  return (passage) => {
    const packed = known.get(passage) ?? compute(passage);
    known.set(passage, packed);
    return packed;
  };
}

/** @type {<T, U>(values: Record<string, T>, change: (value: T) => U) => Record<string, U>} */
function mapped(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
