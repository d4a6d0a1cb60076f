// What the scripts of the translator hand to each other.

import type { InferenceSession } from "onnxruntime-web";

export type Ort = typeof import("onnxruntime-web");

/** Numbers in rows, the last axis first. */
export interface Tensor {
  values: Float32Array;
  shape: number[];
}

/** What is seen in a model, by the names of outputs of a graph, or of hook points. */
export type Seen = Record<string, Tensor>;

/** The fields of a model's config.json that are needed. */
export interface Config {
  vocabulary_size: number;
  n_heads: number;
  d_key: number;
  n_encoder_layers: number;
  n_decoder_layers: number;
  pad_id: number;
  bos_id: number;
  eos_id: number;
}

/** Factors of one stack: of each head, [layer · attention block, head], and of the output of each block. */
export interface Scales {
  heads: Float32Array;
  blocks: Float32Array;
}

export type Stack = "encoder" | "decoder";

/** What is changed in a model: a stack that is left out stays as it is. */
export type Changes = Partial<Record<Stack, Scales>>;

/** Both graphs. */
export interface Graphs<Graph> {
  encoder: Graph;
  step: Graph;
}

export type Run = (inputs: InferenceSession.FeedsType, outputs: string[]) => Promise<InferenceSession.ReturnType>;

/** A word and its pieces: `pieces.slice(start, end)`. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

export interface TokenSequence {
  pieces: string[];
  words: Word[];
}

export interface DecodingOptions {
  /** 1 is greedy search. */
  beamSize: number;
  /** α of ((5 + length) / 6)^α (Wu et al. 2016, equation 14). */
  lengthPenalty: number;
  nBest: number;
  maxExtraLength: number;
  ngramSize: number;
  maxNgramRepeats: number;
}

/** Sets the scores of tokens that must not follow a target to −∞; a row of scores for each target. */
export type TokenConstraint = (targets: number[][], scores: Float32Array[]) => void;

/** A target without BOS, the log-probabilities of its tokens, and the score that it is ranked by. */
export interface Hypothesis {
  tokens: number[];
  logProbabilities: number[];
  score: number;
}

export interface SearchResult {
  hypotheses: Hypothesis[];
  /** At each step of the best one, the most probable tokens first. */
  alternatives: { id: number; probability: number }[][];
  /** [H, Q, K] by hook name. */
  patterns: Seen;
}

export interface Token {
  id: number;
  piece: string;
  probability: number;
}

export interface TargetToken extends Token {
  alternatives: Token[];
}

/** As Python's `Translation`, without its tree and what was given. */
export interface Translation {
  source: TokenSequence;
  /** The target after BOS, without its last token: what the decoder reads. */
  read: TokenSequence;
  target: TokenSequence;
  tokens: TargetToken[];
  text: string;
  hypotheses: Hypothesis[];
  patterns: Seen;
}

export type SourceTextKey = "no text" | "text too long" | "beginning too long" | "beginning is no text";

/** Whether nothing newer is asked for; else what runs stops with an `OvertakenError`. */
export type IsLast = () => boolean;

/** How one text is translated: what is left out is the translator's own. */
export interface Asked extends Partial<DecodingOptions> {
  /** A text, or tokens, that the translation begins with. */
  prefix?: string | number[];
  changes?: Changes;
  isLast?: IsLast;
}

/** What a translator is made of. */
export interface Parts {
  graphs: Graphs<Uint8Array>;
  weights: Uint8Array;
  pieces: string[];
  config: Config;
  options: Partial<DecodingOptions>;
  /** Whether the language that it reads writes nouns with a capital. */
  hasCapitalNouns?: boolean;
  isLast?: IsLast;
}
