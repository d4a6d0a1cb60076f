// What the explorer's scripts hand to each other.

import type { Words } from "../browser/types";
import type { ExplorerHeader, ExplorerPalette, ExplorerView, KindShape, MapSide } from "./header";

export type Head = [layer: number, head: number];
/** The key is null where a whole row is pinned. */
export type Pin = [query: number, key: number | null];
export type Span = [start: number, end: number];
export type Combine = ExplorerView["combine"];
export type Exact = Map<string, Float32Array>;
export type Values = Uint8Array | Float32Array;

/** Numbers, and the factor that makes weights of them. */
export interface Scaled {
  values: Values;
  factor: number;
}

/** One kind of attention. Of a large recording `weights` are missing, and the last five are there instead. */
export interface Block {
  name: KindShape["name"];
  layers: number;
  heads: number;
  alignment?: number[] | null;
  layer_numbers?: number[] | null;
  queries: MapSide;
  keys: MapSide;
  scales: Float32Array;
  weights: Uint8Array;
  numbers?: Float32Array;
  overview: Uint8Array;
  measured: Map<string, Float32Array>;
  whole: Map<string, Scaled>;
  wholeNumbers: Map<string, Scaled>;
}

/** Reads a row of heads, or null where one of them is not there. */
export type Reader = (block: Block, heads: Head[], combine: Combine, query: number) => Scaled[] | null;

export interface Payload {
  header: ExplorerHeader;
  recordings: Block[][];
  exact: Exact;
}

/** The tokens along one side of a field. */
export interface Side {
  labels: string[];
  special: boolean[];
  spans: Span[];
  wordLabels: string[];
  segments: number[];
  bins: Int32Array;
  nBins: number;
}

export interface Field {
  kind: string;
  rows: Side;
  columns: Side;
  parts: { block: Block; row: number; column: number }[];
  layers: number;
  /** The number of each layer in the model, from 0. */
  layerNumbers: number[];
  heads: number;
  top: number;
}

/** The fields of a recording, by kind. */
export interface Fields {
  kinds: string[];
  of(kind: string): Field;
}

/** What a matrix depends on. */
export type Shaping = Pick<ExplorerView, "heads" | "combine" | "grain" | "hide_special" | "normalise">;

export interface Tokens {
  labels: string[];
  spans: Span[];
  segments: number[];
}

/** A matrix as it is shown. */
export interface Shown {
  field: Field;
  options: Shaping;
  rows: Tokens;
  columns: Tokens;
  values: Float32Array;
  width: number;
  height: number;
  top: number;
  isReduced: boolean;
  isDifference?: boolean;
}

/** What is pointed at: a row, a column, or a cell. */
export interface At {
  query: number | null;
  key: number | null;
  isByKey?: boolean;
  /** Of several matrices side by side, the number of the one that is pointed at. */
  matrix?: number;
}

export interface State extends ExplorerView {
  hover: At | null;
  preview: Head | null;
}

export interface Settings {
  threshold: number;
  lastRow: number;
}

export interface MatrixSettings extends Settings {
  table: Uint32Array;
  isSigned?: boolean;
}

export interface Colouring {
  table: Uint32Array;
  top: number;
  threshold: number;
}

export interface Tables {
  sequential: Uint32Array;
  diverging: Uint32Array;
}

export interface NamedColour {
  colour: string;
  name: string;
}

export interface Panel {
  shown: Shown;
  caption: string;
  isSigned?: boolean;
}

export interface Lines {
  shown: Shown;
  chosen: Shown[];
  colours: NamedColour[];
}

export interface Drawn {
  panels: Panel[];
  lines: Lines | null;
}

export interface Style extends Settings {
  text: Words;
  tables: Tables;
  measure: string;
  palette: ExplorerPalette;
}

/** What a page of its own is made of. */
export interface PageParts {
  bytes: Uint8Array<ArrayBuffer>;
  css: string;
  title: string;
  surface: string;
  template: string;
}

/** What the views are made of, and tell. */
export interface Parts {
  text: Words;
  header: ExplorerHeader;
  kinds: string[];
  hasSpecial: boolean;
  isMeasure: boolean;
  hasWords: boolean;
  tables: Tables;
  comparisons: string[];
  choose(patch: Partial<State>): void;
  preview(head: Head | null): void;
  tallest(): number;
  hover(at: At | null): void;
  pin(at: At): void;
  unpin(row: number): void;
  state(): State;
}
