// Greedy search for one source, which records each step: model/decoding/generate.py and search.py.

import { maxLength, score } from "./options.js";
import { highestPlace, logSoftmax, rowsOf } from "./scores.js";

/** @import { Search } from "./beam_search" */
/** @import { Decoder } from "./graph" */
/** @import { Hypothesis, SearchStep, Seen, Token } from "./types" */

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

// The steps of a hypothesis after its prefix, with the alternatives as candidates.
/** @type {(hypothesis: Hypothesis, alternatives: Pick<Token, "id" | "probability">[][], nPrefix: number) => SearchStep[]} */
export function greedySteps({ tokens, logProbabilities }, alternatives, nPrefix) {
  return tokens.slice(nPrefix).map((token, number) => {
    const place = nPrefix + number;
    const before = logProbabilities.slice(0, place).reduce((sum, each) => sum + each, 0);
    // A token that was taken because a more probable one was ruled out need not be among the alternatives.
    const candidates = new Map([
      ...alternatives[place].map(({ id, probability }) => /** @type {const} */ ([id, Math.log(probability)])),
      ...(alternatives[place].some(({ id }) => id === token)
        ? []
        : [/** @type {const} */ ([token, logProbabilities[place]])]),
    ]);
    const ids = [...candidates.keys()];
    const [chosen, added, isLast] = [ids.indexOf(token), [...candidates.values()], place === tokens.length - 1];
    return {
      beams: ids.map(() => 0),
      tokens: ids,
      logProbabilities: added,
      totals: added.map((each) => before + each),
      kept: isLast ? [] : [chosen],
      finished: isLast ? [chosen] : [],
    };
  });
}
