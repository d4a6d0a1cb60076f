// The exported graphs of a translator, run by onnxruntime-web with weights that are passed in: model/decoding/graph.py.

import { inTurn } from "./in_turn.js";
import { transposed } from "./weights.js";

/** @import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-web" */
/** @import { Asked, Changes, Config, Graphs, IsLast, Ort, Run, Scales, Seen, Stack, Tensor } from "./types" */

const ENCODER_BLOCKS = ["self_attention", "feed_forward"];
const DECODER_BLOCKS = ["self_attention", "cross_attention", "feed_forward"];

// The layers, and the blocks of each layer in order.
/** @type {(config: Config, stack: Stack) => { nLayers: number; blocks: string[] }} */
export const stackOf = (config, stack) =>
  stack === "encoder"
    ? { nLayers: config.n_encoder_layers, blocks: ENCODER_BLOCKS }
    : { nLayers: config.n_decoder_layers, blocks: DECODER_BLOCKS };

// The factors by which nothing is changed: all are 1.
/** @type {(config: Config, stack: Stack) => Scales} */
export function unchanged(config, stack) {
  const { nLayers, blocks } = stackOf(config, stack);
  const nAttention = blocks.length - 1;
  return {
    heads: new Float32Array(nLayers * nAttention * config.n_heads).fill(1),
    blocks: new Float32Array(nLayers * blocks.length).fill(1),
  };
}

// Sessions of both graphs, in one thread.
/** @type {(ort: Ort, graphs: Graphs<Uint8Array>, weights: Map<string, Tensor>, config: Config, isLast?: IsLast) => Promise<Model>} */
export async function loadModel(ort, graphs, weights, config, isLast) {
  // One after the other: the weights of the first are not held while those of the second are copied.
  const encoder = await inTurn(() => session(ort, graphs.encoder, weights), isLast);
  try {
    const step = await inTurn(() => session(ort, graphs.step, weights), isLast);
    return new Model(ort, { encoder, step }, config);
  } catch (error) {
    await inTurn(() => encoder.release());
    throw error;
  }
}

/** @type {(ort: Ort, graph: Uint8Array, weights: Map<string, Tensor>) => Promise<InferenceSession>} */
function session(ort, graph, weights) {
  // A graph names each weight where its bytes would be; a matrix can be there with its rows as columns.
  const text = new TextDecoder("latin1").decode(graph);
  const views = [...weights].flatMap(([name, tensor]) => [
    { path: name, tensor: () => tensor },
    { path: `${name.replace(/weight$/, "")}transposed`, tensor: () => transposed(tensor) },
  ]);
  const externalData = views
    .filter(({ path }) => text.includes(path))
    .map(({ path, tensor }) => ({ path, data: bytesOf(tensor().values) }));
  return ort.InferenceSession.create(graph, { externalData, executionProviders: ["wasm"] });
}

/** @type {(values: Float32Array) => Uint8Array} */
const bytesOf = (values) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** @typedef {{ newDecoder: (changes?: Changes) => Decoder; seen: Seen }} Encoded ``changes`` of the decoder alone; else those of the source */

export class Model {
  /** @param {Ort} ort @param {Graphs<InferenceSession>} sessions @param {Config} config */
  constructor(ort, sessions, config) {
    this.ort = ort;
    this.sessions = sessions;
    this.config = config;
  }

  // Encodes one source; what starts decoders of it, and the outputs of the graph that are asked for in `also`.
  /** @type {(source: number[], also?: string[], asked?: Pick<Asked, "changes" | "isLast">) => Promise<Encoded>} */
  async encode(source, also = [], { changes = {}, isLast } = {}) {
    const { n_encoder_layers: nLayers, n_heads: nHeads } = this.config;
    const added = zeros([nLayers, 1, nHeads, source.length, source.length]);
    const inputs = {
      source: tokensOf(this.ort, [source]),
      added: new this.ort.Tensor("float32", added.values, added.shape),
      ...this.#scales("encoder", changes),
    };
    const outputs = await inTurn(() => this.sessions.encoder.run(inputs, ["cross_k", "cross_v", ...also]), isLast);
    /** @type {Encoded["newDecoder"]} */
    const newDecoder = (decoderChanges = changes) => {
      const fixed = {
        cross_k: outputs.cross_k,
        cross_v: outputs.cross_v,
        ...this.#scales("decoder", decoderChanges),
      };
      /** @type {Run} */
      const run = (more, names) => inTurn(() => this.sessions.step.run({ ...fixed, ...more }, names), isLast);
      return new Decoder(this.ort, run, source.length, this.config);
    };
    return { newDecoder, seen: seenIn(outputs, also) };
  }

  async release() {
    await inTurn(() => this.sessions.encoder.release());
    await inTurn(() => this.sessions.step.release());
  }

  /** @type {(stack: Stack, changes: Changes) => Record<string, OrtTensor>} */
  #scales(stack, changes) {
    const { heads, blocks } = changes[stack] ?? unchanged(this.config, stack);
    return {
      heads: new this.ort.Tensor("float32", heads, [heads.length / this.config.n_heads, this.config.n_heads]),
      blocks: new this.ort.Tensor("float32", blocks, [blocks.length]),
    };
  }
}

// Targets of one source that are generated side by side, one a row.
export class Decoder {
  /** @param {Ort} ort @param {Run} run the graph of a step, with the source @param {number} nSource @param {Config} config */
  constructor(ort, run, nSource, { n_decoder_layers: nLayers, n_heads: nHeads, d_key: dKey }) {
    this.ort = ort;
    this.run = run;
    this.nSource = nSource;
    /** @type {(rows: number) => Tensor} */
    this.nothing = (rows) => ({ values: new Float32Array(0), shape: [nLayers, rows, nHeads, 0, dKey] });
    /** @type {{ k: Tensor; v: Tensor } | null} */
    this.past = null;
  }

  // Appends tokens to each target; the logits after each, [row, new, vocabulary], and the outputs in `also`.
  /** @type {(tokens: number[][], also?: string[]) => Promise<Seen & { logits: Tensor }>} */
  async step(tokens, also = []) {
    const { k, v } = this.past ?? { k: this.nothing(tokens.length), v: this.nothing(tokens.length) };
    const [nLayers, nRows, nHeads, nPast] = k.shape;
    const nNew = tokens[0].length;
    /** @type {(nKeys: number) => OrtTensor} */
    const unchanged = (nKeys) => this.#input(zeros([nLayers, nRows, nHeads, nNew, nKeys]));
    const inputs = {
      tokens: tokensOf(this.ort, tokens),
      k: this.#input(k),
      v: this.#input(v),
      self_added: unchanged(nPast + nNew),
      cross_added: unchanged(this.nSource),
    };
    const outputs = await this.run(inputs, ["logits", "new_k", "new_v", ...also]);
    const { new_k, new_v, ...seen } = seenIn(outputs, ["logits", "new_k", "new_v", ...also]);
    this.past = { k: new_k, v: new_v };
    return { ...seen, logits: seen.logits };
  }

  // Keeps, repeats or reorders the targets.
  /** @type {(rows: number[]) => void} */
  select(rows) {
    if (this.past) {
      this.past = { k: selected(this.past.k, rows), v: selected(this.past.v, rows) };
    }
  }

  /** @type {(tensor: Tensor) => OrtTensor} */
  #input = ({ values, shape }) => new this.ort.Tensor("float32", values, shape);
}

/** @type {(ort: Ort, rows: number[][]) => OrtTensor} */
const tokensOf = (ort, rows) =>
  new ort.Tensor("int64", BigInt64Array.from(rows.flat(), BigInt), [rows.length, rows[0].length]);

/** @type {(outputs: InferenceSession.ReturnType, names: string[]) => Seen} */
const seenIn = (outputs, names) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { values: /** @type {Float32Array} */ (outputs[name].data), shape: [...outputs[name].dims] },
    ]),
  );

/** @type {(shape: number[]) => number} */
export const sizeOf = (shape) => shape.reduce((size, axis) => size * axis, 1);

/** @type {(shape: number[]) => Tensor} */
const zeros = (shape) => ({ values: new Float32Array(sizeOf(shape)), shape });

// Rows of [layer, row, …].
/** @type {(tensor: Tensor, rows: number[]) => Tensor} */
function selected({ values, shape }, rows) {
  const [nLayers, nRows, ...rest] = shape;
  const size = sizeOf(rest);
  const chosen = new Float32Array(nLayers * rows.length * size);
  for (let layer = 0; layer < nLayers; layer++) {
    rows.forEach((row, place) => {
      const start = (layer * nRows + row) * size;
      chosen.set(values.subarray(start, start + size), (layer * rows.length + place) * size);
    });
  }
  return { values: chosen, shape: [nLayers, rows.length, ...rest] };
}
