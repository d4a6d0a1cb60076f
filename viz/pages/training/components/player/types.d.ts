// What the player's scripts hand to each other.

import type { PlayedRun, PlayerPalette } from "./header";

/** The runs as they are drawn; arrays are one for each run. */
export interface Scene {
  runs: PlayedRun[];
  steps: number[];
  queries: string[];
  keys: string[];
  notes: string[];
  /** The names of the curves. */
  plots: string[];
  curves: Record<string, Float32Array[]>;
  words: Record<string, string>;
  isLive: boolean;
  look: PlayerPalette & { table: Uint32Array };
  name: string;
  last: number;
  /** The first frame that has patterns and scores. */
  mapsFrom: number;
  playsFrom: number;
  tells: boolean;
  isCross: boolean;
  isLog: boolean;
  scoreNames: string[];
  scores: Float32Array[];
  patterns: Uint8Array[];
  similarity: Uint8Array[];
  biases: Float32Array[];
  biasRanges: [low: number, high: number][];
}

export interface Plot {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A square picture of a run. */
export interface Square {
  place: number;
  x: number;
  y: number;
  side: number;
}

export interface HeadMap extends Square {
  layer: number;
  head: number;
  /** Where what is written under it begins. */
  under: number;
  isFirst: boolean;
  isLowest: boolean;
  letters: number;
}
