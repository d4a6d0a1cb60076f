// Greedy search for one source, which records each step: model/decoding/generate.py and search.py.

import { maxLength, score } from "./options.js";
import { highestPlace, logSoftmax, rowsOf } from "./scores.js";

/** @import { Search } from "./beam_search" */
/** @import { Decoder } from "./graph" */
/** @import { Hypothesis, Seen } from "./types" */

// The hypothesis, the log-probabilities at each of its steps, and the outputs in `also` of each run of the decoder.
/** @type {(search: Search, also: string[]) => Promise<{ hypothesis: Hypothesis; logP: Float32Array[]; seen: Seen[] }>} */
export async function greedySearch({ decoder, config, nSource, options, prefix, constraints }, also) {
  const limit = maxLength(options, nSource, prefix.length);
  const tokens = [...prefix];
  /** @type {Float32Array[]} */
  const logits = [];
  /** @type {Seen[]} */
  const seen = [];
  let read = [config.bos_id, ...prefix];
  do {
    const { logits: more, ...outputs } = await decoder.step([read], also);
    logits.push(...rowsOf(more.values, more.shape[2]));
    seen.push(outputs);
    const scores = logits[logits.length - 1].slice();
    for (const constraint of constraints) {
      constraint([tokens], [scores]);
    }
    read = [highestPlace(scores)];
    tokens.push(read[0]);
  } while (read[0] !== config.eos_id && tokens.length < limit);
  const logP = logits.map(logSoftmax);
  const logProbabilities = tokens.map((token, place) => logP[place][token]);
  return { hypothesis: { tokens, logProbabilities, score: score(options, logProbabilities) }, logP, seen };
}
