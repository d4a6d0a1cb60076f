import type { Tensor } from "../engine/types";
import type { Limits, Matrices, Options } from "./by_hand.js";

export interface TokenRow {
  labels: string[];
  words: [number, number][];
  special: boolean[];
  word_labels: string[];
}

/** What is read of a model beside its graphs. */
export interface Model {
  config: Record<string, any>;
  weights: Map<string, Tensor>;
  pieces: string[];
  ids: Map<string, number>;
}

export interface TranslatorInfo {
  name: string;
  label: string;
  source: string;
  target: string;
  sentence: string;
  examples: string[];
  eightBits: string;
  roles: Record<string, string>;
  alignment: number[][] | null;
}

export type Theme = "light" | "dark";

/** What is drawn in the light, and what is otherwise in the dark; see changes.js. */
export interface Themed<T> {
  light: T;
  dark: any;
}

/** A positional encoding on one task: what each seed reaches at each length, null where it was not measured. */
export interface MeasuredEncoding {
  title: string;
  swatch: string;
  lengths: number[];
  seeds: (number | null)[][];
  /** What Plotly draws of it alone, in colour. */
  traces: Themed<Record<string, any>[]>;
}

export interface MeasuredTask {
  title: string;
  explanation: string;
  x: string;
  claim: string;
  failed: string;
  lengths: number[];
  opens_at: number;
  /** With a place for the encodings. */
  alt: string;
  /** Of all encodings, where none is chosen. */
  figures: Themed<Figure>;
  encodings: Record<string, MeasuredEncoding>;
}

export interface RecordedView {
  name: string;
  /** What the link calls a chosen step; empty where none can be. */
  steps: string;
  header: any;
  above: string;
  below: string[];
}

/** A chart of the app: what Plotly draws in either theme, its table as a file, and what it shows in words. */
export interface DrawnChart {
  name: string;
  heading: string;
  alt: string;
  figures: Themed<Figure>;
  /** Nothing where the numbers change with what is typed. */
  table: { label: string; name: string; content: string } | null;
}

/** The stops of a path as they open; words and tables are HTML. */
export interface ReadingPath {
  chapters: Record<string, string>;
  stops: Stop[];
}

export interface Stop {
  chapter: string;
  title: string;
  /** Those that have few values, and whether others take any text. */
  controls: StopControl[];
  takes_text: boolean;
  html: Record<string, string>;
  charts: DrawnChart[];
  table: string;
  answer: Answer | null;
}

export interface Answer {
  right: number | string;
  options: string[];
  within: number;
  /** Wrong answers that are to be expected; the words of the first are called ``mistake 0``. */
  mistakes: (number | string)[];
}

export interface StopControl {
  /** What a link calls it. */
  key: string;
  /** What links once called it; nothing where it has always had its name. */
  old_keys: string[];
  kind: "slider" | "row" | "list" | "number";
  label: string;
  /** In words. */
  allowed: string;
  opens_at: string;
  /** As a link carries them, and what each is called. */
  values: string[];
  labels: string[];
}

/** By language, or of all, and by the values of the controls: what differs from the stop as it opens. */
export type StopViews = Record<string, Record<string, any>>;

/** The charts of a sum, of an example; its words are HTML, with places for numbers. */
export interface SumPage {
  most: number;
  sentences: Record<string, string>;
  /** HTML. */
  why: string;
  parts: DrawnChart;
  lengths: DrawnChart;
  words: Record<"embedding" | "encoding" | "balance" | "both" | "scale", string>;
}

/** What is answered to each need; words and tables are HTML. */
export interface Choices {
  default: string;
  none: string;
  needs: Record<string, { name: string; charts: DrawnChart[]; words: string; table: string }>;
}

export interface Figure {
  data: Record<string, any>[];
  layout: Record<string, any>;
}

/** Of plotly.js, what is called. */
export interface Plotly {
  react(node: Element, data: unknown[], layout: object, options: object): Promise<unknown>;
  toImage(node: Element, options: object): Promise<string>;
  purge(node: Element): void;
  Plots: { resize(node: Element): void };
}

/** What the page on the dot product by hand can show. */
export interface ByHand {
  examples: Record<string, { matrices: Matrices; options: Options }>;
  opening: string;
  first: string;
  heads: number[];
  masks: string[];
  /** By name, with the largest number that each holds, and the smallest above 0. */
  precisions: Record<string, { largest: string; smallest: string }>;
  limits: Limits;
}

export interface Words {
  byHand: ByHand;
  /** The navigation; a page by its address. */
  sections: { title: string; pages: { name: string; title: string }[] }[];
  recorded: Record<
    string,
    {
      question: string;
      component: string;
      parameter: string;
      label: string;
      views: Record<string, RecordedView>;
    }
  >;
  language: string;
  languages: Record<string, string>;
  text: Record<string, Record<string, string>>;
  html: Record<string, string>;
  special: Record<string, string>;
  links: Record<string, string>;
  parts: Record<string, string>;
  palettes: Record<"light" | "dark", any>;
  translators: TranslatorInfo[];
  defaultTranslator: string;
  template: string;
  most: { characters: number; sourceTokens: number };
}

/** Loads a file of the site, or of the one file, by its name. */
export type Load = (name: string) => Promise<Uint8Array>;

export type Components = Record<string, { mount: (mount: any) => () => void; css: string }>;

export interface Page {
  /** Draw the page again for what the link says. */
  follow(): void;
  /** Draw it again in other colours. */
  recolour(): void;
  remove(): void;
}
