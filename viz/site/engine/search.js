// The search for one source's target, with alternatives and attention patterns: model/decoding/search.py.

import { beamSearch } from "./beam_search.js";
import { textConstraints } from "./constraints.js";
import { greedySearch } from "./greedy_search.js";
import { byHookPoint, joined, patternPoints } from "./hooks.js";
import { highest, logSoftmax, rowsOf } from "./scores.js";

/** @import { Search } from "./beam_search" */
/** @import { Decoder, Model } from "./graph" */
/** @import { Changes, DecodingOptions, Hypothesis, IsLast, SearchResult, Seen, TokenConstraint } from "./types" */
/** @typedef {{ id: number; probability: number }[][]} Alternatives the most probable tokens at each step */

const N_ALTERNATIVES = 6;
const PATTERNS = ["self_pattern", "cross_pattern"];

/**
 * @typedef {object} Asked
 * @property {number[]} source tokens that end in EOS
 * @property {DecodingOptions} options
 * @property {number[]} prefix tokens that every target begins with, without BOS
 * @property {TokenConstraint[]} constraints rule out tokens after the prefix, besides those of the options
 * @property {Changes} [changes]
 * @property {IsLast} [isLast]
 */

/** @type {(model: Model, asked: Asked) => Promise<SearchResult>} */
export async function searchOne(model, { source, options, prefix, constraints, ...asked }) {
  const { config } = model;
  const { newDecoder, seen } = await model.encode(source, ["pattern"], asked);
  const search = {
    config,
    nSource: source.length,
    options,
    prefix,
    constraints: [...textConstraints(config, options), ...constraints],
  };
  const { outputs, ...result } = await (options.beamSize === 1 ? greedy : byBeam)(search, newDecoder);
  const steps = outputs.map((each) => byHookPoint(config, "decoder", each));
  const points = patternPoints(config, "decoder");
  return {
    ...result,
    patterns: {
      ...byHookPoint(config, "encoder", seen),
      ...Object.fromEntries(points.map((point) => [point, joined(steps.map((step) => step[point]))])),
    },
  };
}

/** @typedef {Omit<SearchResult, "patterns"> & { outputs: Seen[] }} Searched with what each run shows of the best one */

/** @type {(search: Omit<Search, "decoder">, newDecoder: () => Decoder) => Promise<Searched>} */
async function greedy(search, newDecoder) {
  const { hypothesis, logP, seen } = await greedySearch({ ...search, decoder: newDecoder() }, PATTERNS);
  return { hypotheses: [hypothesis], alternatives: alternativesOf(logP), outputs: seen };
}

// One more pass over the best hypothesis shows its alternatives and patterns.
/** @type {(search: Omit<Search, "decoder">, newDecoder: () => Decoder) => Promise<Searched>} */
async function byBeam(search, newDecoder) {
  const hypotheses = await beamSearch({ ...search, decoder: newDecoder() });
  const read = [search.config.bos_id, ...hypotheses[0].tokens.slice(0, -1)];
  const { logits, ...seen } = await newDecoder().step([read], PATTERNS);
  const alternatives = alternativesOf(rowsOf(logits.values, logits.shape[2]).map(logSoftmax));
  return { hypotheses, alternatives, outputs: [seen] };
}

/** @type {(logP: Float32Array[]) => Alternatives} */
const alternativesOf = (logP) =>
  logP.map((row) =>
    highest(row, Math.min(N_ALTERNATIVES, row.length)).map((id) => ({ id, probability: Math.exp(row[id]) })),
  );
