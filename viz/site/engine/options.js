// Options of decoding, with the defaults of model/decoding/options.py.

/** @import { DecodingOptions } from "./types" */

/** @type {DecodingOptions} */
export const DEFAULTS = {
  beamSize: 4,
  lengthPenalty: 0.6,
  nBest: 1,
  maxExtraLength: 50,
  ngramSize: 4,
  maxNgramRepeats: 2,
};

// The length limit of a target, EOS included.
/** @type {(options: DecodingOptions, nSource: number, nPrefix: number) => number} */
export const maxLength = (options, nSource, nPrefix) => Math.max(nSource + options.maxExtraLength, nPrefix + 1);

// The divisor of the log-probability of a target of `length` tokens.
/** @type {(options: DecodingOptions, length: number) => number} */
export const penalty = (options, length) => ((5 + length) / 6) ** options.lengthPenalty;

// The score that a target with these log-probabilities of its tokens is ranked by.
/** @type {(options: DecodingOptions, logProbabilities: number[]) => number} */
export const score = (options, logProbabilities) =>
  logProbabilities.reduce((sum, each) => sum + each, 0) / penalty(options, logProbabilities.length);
