// The part of a canvas's context that the views draw with, written down as SVG: lines stay lines, text stays text.

import { context2d } from "./canvas.js";
import { svgElement } from "./dom.js";
import { svgBlob } from "./svg_file.js";

/** @import { Paint } from "./types" */

/** @type {("fillStyle" | "strokeStyle" | "lineWidth" | "lineJoin" | "font" | "textAlign" | "textBaseline" | "globalAlpha")[]} */
const KEPT = ["fillStyle", "strokeStyle", "lineWidth", "lineJoin", "font", "textAlign", "textBaseline", "globalAlpha"];
/** @type {Record<string, string>} */
const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
/** @type {Record<string, string>} */
const BASELINES = { alphabetic: "auto", middle: "central", top: "text-before-edge", bottom: "text-after-edge" };
const PRECISION = 100;

// What paint(context) draws, as an SVG file of width × height CSS pixels.
/** @type {(paint: Paint, width: number, height: number, background: string) => Blob} */
export function svgOf(paint, width, height, background) {
  return svgBlob(svgNodeOf(paint, width, height, background));
}

// The same as an element.
/** @type {(paint: Paint, width: number, height: number, background: string) => SVGElement} */
export function svgNodeOf(paint, width, height, background) {
  const context = new SvgContext(width, height);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  paint(context);
  return context.svg;
}

/** @type {(value: number) => number} */
function short(value) {
  return Math.round(value * PRECISION) / PRECISION;
}

export class SvgContext {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
    this.group = this.svg;
    /** @type {[SVGElement, number[], unknown[]][]} */
    this.saved = [];
    /** @type {string[]} */
    this.path = [];
    /** @type {number[]} */
    this.dashes = [];
    this.clips = 0;
    this.imageSmoothingEnabled = true;
    /** @type {string | CanvasGradient | CanvasPattern} */
    this.fillStyle = "#000";
    /** @type {string | CanvasGradient | CanvasPattern} */
    this.strokeStyle = "#000";
    this.lineWidth = 1;
    this.lineJoin = "miter";
    this.font = "10px sans-serif";
    this.textAlign = "start";
    this.textBaseline = "alphabetic";
    this.globalAlpha = 1;
  }

  save() {
    this.saved.push([this.group, this.dashes, KEPT.map((name) => this[name])]);
  }

  restore() {
    const last = this.saved.pop();
    if (!last) return;
    const [group, dashes, values] = last;
    Object.assign(this, { group, dashes }, Object.fromEntries(KEPT.map((name, index) => [name, values[index]])));
  }

  /** @type {(x: number, y: number) => void} */
  translate(x, y) {
    this.enter({ transform: `translate(${short(x)} ${short(y)})` });
  }

  /** @type {(angle: number) => void} */
  rotate(angle) {
    this.enter({ transform: `rotate(${short((angle * 180) / Math.PI)})` });
  }

  /** @type {(attributes: Record<string, unknown>) => void} */
  enter(attributes) {
    const group = svgElement("g", attributes);
    this.group.append(group);
    this.group = group;
  }

  /** @type {(dashes: number[]) => void} */
  setLineDash(dashes) {
    this.dashes = dashes;
  }

  beginPath() {
    this.path = [];
  }

  /** @type {(x: number, y: number) => void} */
  moveTo(x, y) {
    this.path.push(`M${short(x)} ${short(y)}`);
  }

  /** @type {(x: number, y: number) => void} */
  lineTo(x, y) {
    this.path.push(`L${short(x)} ${short(y)}`);
  }

  /** @type {(x: number, y: number, width: number, height: number) => void} */
  rect(x, y, width, height) {
    this.path.push(`M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`);
  }

  // Whole circles, as the views draw no other arcs.
  /** @type {(x: number, y: number, radius: number, start?: number, end?: number) => void} */
  arc(x, y, radius) {
    const [r, across] = [short(radius), short(2 * radius)];
    this.path.push(`M${short(x + radius)} ${short(y)}a${r} ${r} 0 1 1 ${-across} 0a${r} ${r} 0 1 1 ${across} 0`);
  }

  clip() {
    const id = `clip${this.clips++}`;
    this.svg.append(svgElement("clipPath", { id }, svgElement("path", { d: this.path.join("") })));
    this.enter({ "clip-path": `url(#${id})` });
  }

  stroke() {
    this.add("path", { d: this.path.join(""), fill: "none", ...this.pen() });
  }

  fill() {
    this.add("path", { d: this.path.join(""), fill: this.fillStyle });
  }

  /** @type {(x: number, y: number, width: number, height: number) => void} */
  fillRect(x, y, width, height) {
    this.add("rect", { x: short(x), y: short(y), width: short(width), height: short(height), fill: this.fillStyle });
  }

  /** @type {(x: number, y: number, width: number, height: number) => void} */
  strokeRect(x, y, width, height) {
    this.add("rect", {
      x: short(x),
      y: short(y),
      width: short(width),
      height: short(height),
      fill: "none",
      ...this.pen(),
    });
  }

  // A text wider than ``most`` is made narrower.
  /** @type {(text: string, x: number, y: number, most?: number) => void} */
  fillText(text, x, y, most = Infinity) {
    const isWide = most < Infinity && this.measureText(text).width > most;
    const placed = {
      ...(isWide ? { textLength: short(most), lengthAdjust: "spacingAndGlyphs" } : {}),
      x: short(x),
      y: short(y),
      "text-anchor": ANCHORS[this.textAlign],
      "dominant-baseline": BASELINES[this.textBaseline],
    };
    const made = svgElement(
      "text",
      { ...placed, fill: this.fillStyle, style: `font:${this.font};white-space:pre` },
      text,
    );
    this.group.append(made);
  }

  /** @type {(text: string) => TextMetrics} */
  measureText(text) {
    const context = context2d(document.createElement("canvas"));
    context.font = this.font;
    return context.measureText(text);
  }

  /** @type {(canvas: HTMLCanvasElement, x: number, y: number, width: number, height: number) => void} */
  drawImage(canvas, x, y, width, height) {
    const style = this.imageSmoothingEnabled ? null : "image-rendering:pixelated";
    this.add("image", { href: canvas.toDataURL(), x, y, width, height, preserveAspectRatio: "none", style });
  }

  pen() {
    return {
      stroke: this.strokeStyle,
      "stroke-width": this.lineWidth,
      "stroke-linejoin": this.lineJoin,
      "stroke-dasharray": this.dashes.join(" ") || null,
    };
  }

  /** @type {(tag: string, attributes: Record<string, unknown>) => void} */
  add(tag, attributes) {
    this.group.append(svgElement(tag, { ...attributes, opacity: this.globalAlpha === 1 ? null : this.globalAlpha }));
  }
}
