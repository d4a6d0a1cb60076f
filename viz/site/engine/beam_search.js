// Beam search for one source (Wu et al. 2016, §7; Vaswani et al. 2017, §6.1): model/decoding/beam_search.py.

import { maxLength, penalty, score } from "./options.js";
import { highest, logSoftmax, rowsOf } from "./scores.js";

/** @import { Decoder } from "./graph" */
/** @import { Config, DecodingOptions, Hypothesis, TokenConstraint } from "./types" */
/** @typedef {{ tokens: number[]; logProbabilities: number[]; total: number }} Beam the beginning of a target */
/** @typedef {{ beam: number; token: number; logProbability: number; total: number }} Candidate a token for a beam */

/**
 * @typedef {object} Search
 * @property {Pick<Decoder, "step" | "select">} decoder fresh, of one target
 * @property {Pick<Config, "bos_id" | "eos_id">} config
 * @property {number} nSource the number of tokens of the source, EOS included
 * @property {DecodingOptions} options
 * @property {number[]} prefix tokens that every target begins with, without BOS
 * @property {TokenConstraint[]} constraints rule out tokens after the prefix
 */

// The hypotheses, the best first.
/** @type {(search: Search) => Promise<Hypothesis[]>} */
export async function beamSearch({ decoder, config, nSource, options, prefix, constraints }) {
  const limit = maxLength(options, nSource, prefix.length);
  /** @type {Hypothesis[]} */
  let finished = [];
  let logP = await logProbabilities(decoder, [[config.bos_id, ...prefix]]);
  let beams = [begun(prefix, logP)];
  logP = logP.slice(-1);
  for (;;) {
    for (const constraint of constraints) {
      constraint(
        beams.map(({ tokens }) => tokens),
        logP,
      );
    }
    const candidates = candidatesOf(beams, logP, 2 * options.beamSize);
    const choice = choose({ beams, candidates, finished, limit, options, eos: config.eos_id });
    finished = choice.finished;
    if (choice.isOver) {
      return finished;
    }
    decoder.select(choice.kept.map(({ beam }) => beam));
    beams = choice.kept.map((candidate) => continued(beams[candidate.beam], candidate));
    logP = await logProbabilities(
      decoder,
      beams.map(({ tokens }) => tokens.slice(-1)),
    );
  }
}

// Of every next token, a row for each target and each of its new tokens.
/** @type {(decoder: Search["decoder"], tokens: number[][]) => Promise<Float32Array[]>} */
async function logProbabilities(decoder, tokens) {
  const { logits } = await decoder.step(tokens);
  return rowsOf(logits.values, logits.shape[2]).map(logSoftmax);
}

/** @type {(prefix: number[], logP: Float32Array[]) => Beam} */
function begun(prefix, logP) {
  const forced = prefix.map((token, place) => logP[place][token]);
  return { tokens: prefix, logProbabilities: forced, total: forced.reduce((sum, each) => sum + each, 0) };
}

// The best candidates, best first: enough to keep all beams even if the others end.
/** @type {(beams: Beam[], logP: Float32Array[], count: number) => Candidate[]} */
function candidatesOf(beams, logP, count) {
  const width = logP[0].length;
  const totals = new Float32Array(beams.length * width);
  beams.forEach(({ total }, beam) => {
    // In single precision, as the model's scores are.
    const soFar = Math.fround(total);
    for (let token = 0; token < width; token++) {
      totals[beam * width + token] = soFar + logP[beam][token];
    }
  });
  return highest(totals, Math.min(count, totals.length)).map((place) => {
    const [beam, token] = [Math.floor(place / width), place % width];
    return { beam, token, logProbability: logP[beam][token], total: totals[place] };
  });
}

/**
 * @typedef {object} Choice
 * @property {Beam[]} beams
 * @property {Candidate[]} candidates best first
 * @property {Hypothesis[]} finished so far, best first
 * @property {number} limit the largest length of a target
 * @property {DecodingOptions} options
 * @property {number} eos
 */

// Finishes the candidates that end, and keeps the best others.
/** @type {(choice: Choice) => { kept: Candidate[]; finished: Hypothesis[]; isOver: boolean }} */
function choose({ beams, candidates, finished, limit, options, eos }) {
  const size = options.beamSize;
  const ends = candidates.map(({ token, total }) => token === eos && Number.isFinite(total));
  const all = [...candidates.keys()];
  // Ends last: they only fill the rows.
  const ranks = [...all.filter((rank) => !ends[rank]), ...all.filter((rank) => ends[rank])].slice(0, size);
  const kept = ranks.map((rank) =>
    ends[rank] ? { ...candidates[rank], total: Number.NEGATIVE_INFINITY } : candidates[rank],
  );
  /** @type {(ranks: number[]) => Hypothesis[]} */
  const withFinished = (more) =>
    [...finished, ...more.map((rank) => hypothesisOf(beams, candidates[rank], options))]
      .sort((one, other) => other.score - one.score)
      .slice(0, options.nBest);
  let hypotheses = withFinished(all.slice(0, size).filter((rank) => ends[rank]));
  let isOver = true;
  if (beams[0].tokens.length + 1 < limit) {
    const isGreedyAndDone = size === 1 && hypotheses.length > 0;
    const best = kept[0].total / penalty(options, limit);
    const isClosed = hypotheses.length === options.nBest && hypotheses[hypotheses.length - 1].score >= best;
    isOver = isGreedyAndDone || isClosed;
  } else if (!hypotheses.length) {
    hypotheses = withFinished(ranks.filter((_, place) => Number.isFinite(kept[place].total)));
  }
  return { kept, finished: hypotheses, isOver };
}

/** @type {(beams: Beam[], last: Candidate, options: DecodingOptions) => Hypothesis} */
function hypothesisOf(beams, last, options) {
  const { tokens, logProbabilities } = continued(beams[last.beam], last);
  return { tokens, logProbabilities, score: score(options, logProbabilities) };
}

/** @type {(beam: Beam, candidate: Candidate) => Beam} */
const continued = (beam, { token, logProbability, total }) => ({
  tokens: [...beam.tokens, token],
  logProbabilities: [...beam.logProbabilities, logProbability],
  total,
});
