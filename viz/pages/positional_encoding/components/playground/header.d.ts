// Made of header.py by `python -m viz.components.browser.header_types`.

export interface PlaygroundState {
  d_model: number;
  base: number;
  length: number;
  position: number;
  pair: number;
  offset: number;
}

export interface Slider {
  key: string;
  default: any;
  low: number;
  high: number;
  step: number;
  logarithmic: boolean;
  index_of: string;
  per_item: number;
}

export interface MenuHeader {
  labels: Record<string, string>;
  served: Array<Record<string, string>>;
}

export interface PlaygroundPalette {
  hue: [number, number, number];
  opposite: [number, number, number];
  surface: string;
  ink: string;
  muted: string;
  line: string;
  series: Array<string>;
  diverging: Array<[number, string]>;
}

export interface PlaygroundHeader {
  view: PlaygroundState;
  opens_on?: PlaygroundState;
  anchors: Array<number>;
  sliders: Record<string, Slider>;
  words: Record<string, string>;
  menu: MenuHeader;
  palette: PlaygroundPalette;
}
