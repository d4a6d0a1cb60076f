// Made of header.py by `python -m viz.components.browser.header_types`.

export interface ExplorerView {
  kind: "encoder" | "decoder" | "cross" | "all";
  heads: Array<[number, number]>;
  combine: "mean" | "max";
  grain: "pieces" | "words";
  pins: Array<[number, number | null]>;
  threshold: number;
  hide_special: boolean;
  normalise: boolean;
  sort: "layer" | "pointed" | "entropy" | "diagonal" | "distance" | "alignment";
  compare: "off" | "heads" | "recordings";
  step: number | null;
}

export interface MenuHeader {
  labels: Record<string, string>;
  served: Array<Record<string, string>>;
}

export interface MapSide {
  labels: Array<string>;
  words: Array<[number, number]>;
  special: Array<boolean>;
  word_labels: Array<string>;
  starts: Array<number> | null;
}

export interface KindShape {
  name: "encoder" | "decoder" | "cross";
  layers: number;
  heads: number;
  queries: number;
  keys: number;
  alignment: Array<number> | null;
  layer_numbers: Array<number> | null;
}

export interface Step {
  label: string;
  alternatives: Array<[string, number]>;
  chosen: number | null;
}

export interface ExplorerPalette {
  hue: [number, number, number];
  opposite: [number, number, number];
  surface: string;
  ink: string;
  muted: string;
  line: string;
  theme: "light" | "dark";
  heads: Array<string>;
  sequential: Array<[number, string]>;
  diverging: Array<[number, string]>;
}

export interface WholeMap {
  of: string;
  heads: Array<[number, number]>;
  combine: "mean" | "max";
  scale: number;
}

export interface ExplorerHeader {
  view: ExplorerView;
  max_pins: number;
  is_echo: boolean;
  is_alone?: boolean;
  names: [string, string];
  subtracts?: boolean;
  measure: string;
  text: Record<string, string>;
  menu: MenuHeader;
  page: string;
  aside?: string;
  rows: Array<MapSide>;
  recordings: Array<Array<KindShape>>;
  steps: Array<Step>;
  digest: string;
  exact: Array<["encoder" | "decoder" | "cross", number, number, number]>;
  palette: ExplorerPalette;
  whole: Array<WholeMap> | null;
}
