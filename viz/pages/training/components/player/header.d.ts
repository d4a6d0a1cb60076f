// Made of header.py by `python -m viz.components.browser.header_types`.

export interface PlayedRun {
  name: string;
  colour: string;
  curves: Array<string>;
  heads: [number, number];
  n_distances: number;
  has_similarity: boolean;
}

export interface MenuHeader {
  labels: Record<string, string>;
  served: Array<Record<string, string>>;
}

export interface PlayerPalette {
  hue: [number, number, number];
  opposite: [number, number, number];
  surface: string;
  ink: string;
  muted: string;
  line: string;
  sequential: Array<[number, string]>;
}

export interface PlayerHeader {
  runs: Array<PlayedRun>;
  steps: Array<number>;
  last: number;
  maps_from: number;
  is_live: boolean;
  tells: boolean;
  queries: Array<string>;
  keys: Array<string>;
  is_cross: boolean;
  scores: Array<string>;
  notes: Array<string>;
  is_log: boolean;
  opens_at: number;
  plays_from: number;
  alt: string;
  name: string;
  words: Record<string, string>;
  menu: MenuHeader;
  palette: PlayerPalette;
}
