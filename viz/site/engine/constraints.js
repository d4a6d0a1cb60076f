// Constraints on the next token: no special tokens, no repeated n-grams, whole characters of UTF-8 (RFC 3629, §4).

import { byteOf, UNKNOWN_ID } from "./tokenizer.js";

/** @import { Config, DecodingOptions, TokenConstraint } from "./types" */
/** @typedef {readonly [low: number, high: number]} Bytes both among them */

const MAX_BYTES = 4;
/** @type {Bytes} */
const CONTINUATION = [0x80, 0xbf];
/** @type {Bytes[]} */
const FIRST = [
  [0, 0x7f],
  [0xc2, 0xf4],
];
/** @type {Record<number, Bytes>} */
const SECOND = { 224: [0xa0, 0xbf], 237: [0x80, 0x9f], 240: [0x90, 0xbf], 244: [0x80, 0x8f] };

/** @type {(byte: number, bytes: Bytes) => boolean} */
const isIn = (byte, [low, high]) => byte >= low && byte <= high;

/** @type {(scores: Float32Array, tokens: number[]) => void} */
function forbid(scores, tokens) {
  for (const token of tokens) {
    scores[token] = Number.NEGATIVE_INFINITY;
  }
}

// Rules out tokens everywhere.
/** @type {(tokens: number[]) => TokenConstraint} */
export function noTokens(tokens) {
  return (_, rows) => {
    for (const scores of rows) {
      forbid(scores, tokens);
    }
  };
}

// Rules out a token that would complete an n-gram once more than it may occur; a size of 0 allows all.
/** @type {(size: number, maxRepeats: number) => TokenConstraint} */
export function noRepeatedNgrams(size, maxRepeats) {
  return (targets, rows) => {
    targets.forEach((tokens, row) => {
      forbid(rows[row], completing(tokens, size, maxRepeats));
    });
  };
}

/** @type {(tokens: number[], size: number, maxRepeats: number) => number[]} */
function completing(tokens, size, maxRepeats) {
  if (size <= 0 || size > tokens.length) {
    return [];
  }
  const tail = tokens.slice(tokens.length - size + 1);
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let end = size - 1; end < tokens.length; end++) {
    if (tail.every((token, place) => tokens[end - size + 1 + place] === token)) {
      counts.set(tokens[end], (counts.get(tokens[end]) ?? 0) + 1);
    }
  }
  return [...counts.keys()].filter((token) => (counts.get(token) ?? 0) >= maxRepeats);
}

// Rules out tokens that would leave bytes which are no character; takes the pieces in the order of their ids.
/** @type {(pieces: string[]) => TokenConstraint} */
export function wholeCharacters(pieces) {
  const bytes = pieces.map(byteOf);
  /** @type {(isForbidden: (byte: number | null) => boolean) => number[]} */
  const tokensWhere = (isForbidden) => [...bytes.keys()].filter((token) => isForbidden(bytes[token]));
  const between = tokensWhere((byte) => byte !== null && !FIRST.some((begin) => isIn(byte, begin)));
  const within = new Map(
    [CONTINUATION, ...Object.values(SECOND)].map((next) => [
      next,
      tokensWhere((byte) => byte === null || !isIn(byte, next)),
    ]),
  );
  return (targets, rows) => {
    targets.forEach((tokens, row) => {
      const next = expected(tokens.slice(1 - MAX_BYTES).map((token) => bytes[token]));
      forbid(rows[row], (next && within.get(next)) || between);
    });
  };
}

// The bytes that go on with the last character of `tail`; null where it is complete.
/** @type {(tail: (number | null)[]) => Bytes | null} */
function expected(tail) {
  for (const [written, byte] of tail.reverse().entries()) {
    if (byte === null) {
      return null;
    }
    if (isIn(byte, CONTINUATION)) {
      continue;
    }
    if (written >= Number(byte >= 0xc2) + Number(byte >= 0xe0) + Number(byte >= 0xf0)) {
      return null;
    }
    return written ? CONTINUATION : (SECOND[byte] ?? CONTINUATION);
  }
  return null;
}

// The constraints of `options` on a text.
/** @type {(config: Config, options: DecodingOptions) => TokenConstraint[]} */
export function textConstraints(config, options) {
  return [
    noTokens([config.pad_id, config.bos_id, UNKNOWN_ID]),
    noRepeatedNgrams(options.ngramSize, options.maxNgramRepeats),
  ];
}
