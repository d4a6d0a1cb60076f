// Types that the scripts of many components share.

import type { SvgContext } from "./svg_context.js";

/** What a picture is painted on: a canvas, or a drawing in SVG. */
export type Context = CanvasRenderingContext2D | SvgContext;

export type Paint = (context: Context) => void;

/** Red, green, blue and, where there is one, opacity. */
export type Channels = number[];

/** Pairs of a place from 0 to 1 and a colour. */
export type Scale = [place: number, colour: string][];

export type Words = Record<string, string>;

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Pairs of a place in pixels and a text. */
export type Marks = [place: number, text: string][];

/** A file of a menu; or what is no file, where `act` is given. */
export interface MenuEntry {
  kind: string;
  label?: string;
  name?: () => string;
  make?: () => Blob | null | undefined | Promise<Blob | null | undefined>;
  act?: () => void;
}

export interface Menu {
  node: HTMLElement;
  offer(served: Record<string, string>[]): void;
  remove(): void;
}

/** What can fill the window: a picture of this page, or of the page around it. */
export interface Fillable {
  isOn: boolean;
  toggle(): void;
  onChange(listener: (isOn: boolean) => void): () => void;
}

export interface SavedArray {
  values: Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array;
  shape: number[];
  kind?: string;
}

/** What Python sends of numbers, by name: of float32, or of bytes. */
export type Blocks = Record<string, any>;

export type SetValue = (name: string, value: unknown) => void;

/** What a component is on the page. */
export interface View {
  update(data: any, setStateValue: SetValue, setTriggerValue: SetValue): void;
  remove(): void;
}

export interface Mount {
  data: any;
  parentElement: Element;
  setStateValue: SetValue;
  setTriggerValue: SetValue;
}
