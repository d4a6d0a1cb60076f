// What the playground's views share.

import type { Channels } from "../../../../components/browser/types";
import type { PlaygroundPalette, PlaygroundState } from "./header";

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
