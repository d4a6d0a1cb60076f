// What the playground's views share.

import type { Context, MenuEntry, Size } from "../../../../components/browser/types";
import type { Tooltip } from "../../../../components/browser/tooltip.js";
import type { PlaygroundPalette, PlaygroundState, Slider } from "./header";
import type { Scene } from "./scene.js";

/** Python's values for one view. */
export interface Exact {
  view: PlaygroundState;
  rows: Float32Array;
  followed: Float32Array;
  similarities: Float32Array;
}

/** What everything is drawn and written with. */
export interface Look extends PlaygroundPalette {
  words: Record<string, string>;
  table: Uint32Array;
  say(name: string, values: Record<string, unknown>): string;
  colourOf(value: number): string;
}

/** What is followed or pointed at, by name: a position, a pair, a row, … */
export type Place = Record<string, number>;
export type Change = Partial<PlaygroundState>;
export type Limit = Slider;
export type Numbers = Float32Array | Float64Array;

/** One picture of the scene, by the mouse and by keys. */
export interface PictureView {
  name: string;
  /** What the arrow keys change, by axis. */
  keys: { across: keyof PlaygroundState; down?: keyof PlaygroundState };
  paint(context: Context, size: Size, scene: Scene): void;
  locate(x: number, y: number, size: Size, scene: Scene): Place | null;
  followed(size: Size, scene: Scene): { place: Place; x: number; y: number };
  tell(place: Place, scene: Scene): string;
  numbersInTable?(scene: Scene): number;
  table(scene: Scene): (string | number)[][];
}

/** What every figure is given. */
export interface Shared {
  menuLabels: Record<string, string>;
  more: MenuEntry[];
  current(): Scene;
  changed(): void;
  refuse(sentence: string): void;
  pick(place: Place): void;
  step(by: number): void;
  follow(change: Change): void;
  keep(): void;
  tooltip: Tooltip;
  live: HTMLElement;
}
