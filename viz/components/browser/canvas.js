// Canvases that fill their boxes at the screen's own resolution, drawn only while they are on screen.

import { element } from "./dom.js";
import { scaleOf } from "./enlarged.js";

/** @import { Context, Paint } from "./types" */

// One drawing a frame, however often it is asked for.
export class Frames {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    /** @type {number | null} */
    this.handle = null;
  }

  request() {
    this.handle ??= requestAnimationFrame(() => {
      this.handle = null;
      this.draw();
    });
  }

  cancel() {
    if (this.handle !== null) cancelAnimationFrame(this.handle);
    this.handle = null;
  }
}

// The one kind of context that is used, which every browser has.
/** @type {(canvas: HTMLCanvasElement) => CanvasRenderingContext2D} */
export function context2d(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

// The pixels of the screen to a pixel of a canvas's layout.
/** @type {(canvas: Element) => number} */
export function sharpness(canvas) {
  return (window.devicePixelRatio || 1) * scaleOf(canvas);
}

// Safari on iOS draws nothing on a canvas of more pixels, and Firefox on one with a longer side.
const MOST_PIXELS = 16e6;
const LONGEST_SIDE = 32767;

// The pixels to a pixel of layout, at most ``wanted``, with which every browser draws a canvas of this size.
/** @type {(width: number, height: number, wanted: number) => number} */
export function allowedRatio(width, height, wanted) {
  return Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)), LONGEST_SIDE / Math.max(width, height));
}

const fonts = new WeakMap();

// To set a font makes the browser bring the page's styles up to date, even where the font is the same.
/** @type {(context: Context, font: string) => void} */
export function useFont(context, font) {
  if (fonts.get(context) === font) return;
  context.font = font;
  fonts.set(context, font);
}

// Tells how wide a text is in ``font``, in CSS pixels.
/** @type {(font: string) => (text: string) => number} */
export function widthIn(font) {
  const context = context2d(document.createElement("canvas"));
  context.font = font;
  return (text) => context.measureText(text).width;
}

// A canvas in a box. begin() clears it and returns its context, in CSS pixels; changed() is called when the box has
// come on screen or has another size.
export class Picture {
  /** @param {HTMLElement} box @param {(picture: Picture) => void} changed */
  constructor(box, changed) {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.context = context2d(this.canvas);
    this.width = this.height = 0;
    this.isOnScreen = false;
    box.append(this.canvas);
    this.sizes = new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      this.height = contentRect.height;
      changed(this);
    });
    this.sights = new IntersectionObserver(([{ isIntersecting }]) => {
      this.isOnScreen = isIntersecting;
      if (isIntersecting) changed(this);
    });
    this.sizes.observe(box);
    this.sights.observe(box);
  }

  begin() {
    const ratio = sharpness(this.canvas);
    const [width, height] = [this.width * ratio, this.height * ratio].map(Math.round);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      Object.assign(this.canvas, { width, height });
      fonts.delete(this.context);
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    return this.context;
  }

  remove() {
    this.sizes.disconnect();
    this.sights.disconnect();
  }
}

// A picture with a pixel for each cell, to be scaled onto a canvas. Its memory is kept from frame to frame.
export class Cells {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = context2d(this.canvas);
    this.columns = this.rows = 0;
    this.image = new ImageData(1, 1);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  // An array of rows × columns pixels to write into.
  /** @type {(columns: number, rows: number) => Uint32Array} */
  begin(columns, rows) {
    if (this.columns !== columns || this.rows !== rows) {
      Object.assign(this, { columns, rows });
      Object.assign(this.canvas, { width: columns, height: rows });
      this.image = new ImageData(columns, rows);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    return this.pixels;
  }

  // Cells smaller than the screen's pixels are mixed, larger ones keep their edges.
  /** @type {(context: Context, x: number, y: number, width: number, height: number) => void} */
  draw(context, x, y, width, height) {
    this.context.putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = this.columns > width || this.rows > height;
    context.drawImage(this.canvas, x, y, width, height);
  }
}

// What paint(context) draws, as a PNG of width × height CSS pixels at twice that resolution or the screen's, where a browser can.
/** @type {(paint: Paint, width: number, height: number, background: string) => Promise<Blob | null>} */
export function pngOf(paint, width, height, background) {
  const scale = allowedRatio(width, height, Math.max(2, window.devicePixelRatio || 1));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = context2d(canvas);
  context.scale(scale, scale);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  paint(context);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
