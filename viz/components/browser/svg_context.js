// The part of a canvas's context that the views draw with, written down as SVG: lines stay lines, text stays text.

import { svgElement } from "./dom.js";

const KEPT = ["fillStyle", "strokeStyle", "lineWidth", "lineJoin", "font", "textAlign", "textBaseline", "globalAlpha"];
const ANCHORS = { left: "start", start: "start", center: "middle", right: "end", end: "end" };
const BASELINES = { alphabetic: "auto", middle: "central", top: "text-before-edge", bottom: "text-after-edge" };
const PRECISION = 100;

// What paint(context) draws, as an SVG file of width × height CSS pixels.
export function svgOf(paint, width, height, background) {
  return new Blob([new XMLSerializer().serializeToString(svgNodeOf(paint, width, height, background))], {
    type: "image/svg+xml",
  });
}

// The same as an element.
export function svgNodeOf(paint, width, height, background) {
  const context = new SvgContext(width, height);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  paint(context);
  return context.svg;
}

function short(value) {
  return Math.round(value * PRECISION) / PRECISION;
}

export class SvgContext {
  constructor(width, height) {
    this.svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
    this.group = this.svg;
    this.saved = [];
    this.path = [];
    this.dashes = [];
    this.clips = 0;
    this.imageSmoothingEnabled = true;
    Object.assign(this, {
      fillStyle: "#000",
      strokeStyle: "#000",
      lineWidth: 1,
      lineJoin: "miter",
      font: "10px sans-serif",
      textAlign: "start",
      textBaseline: "alphabetic",
      globalAlpha: 1,
    });
  }

  save() {
    this.saved.push([this.group, this.dashes, KEPT.map((name) => this[name])]);
  }

  restore() {
    const [group, dashes, values] = this.saved.pop();
    Object.assign(this, { group, dashes });
    KEPT.forEach((name, index) => (this[name] = values[index]));
  }

  translate(x, y) {
    this.enter({ transform: `translate(${short(x)} ${short(y)})` });
  }

  rotate(angle) {
    this.enter({ transform: `rotate(${short((angle * 180) / Math.PI)})` });
  }

  enter(attributes) {
    const group = svgElement("g", attributes);
    this.group.append(group);
    this.group = group;
  }

  setLineDash(dashes) {
    this.dashes = dashes;
  }

  beginPath() {
    this.path = [];
  }

  moveTo(x, y) {
    this.path.push(`M${short(x)} ${short(y)}`);
  }

  lineTo(x, y) {
    this.path.push(`L${short(x)} ${short(y)}`);
  }

  rect(x, y, width, height) {
    this.path.push(`M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`);
  }

  // Whole circles, as the views draw no other arcs.
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

  fillRect(x, y, width, height) {
    this.add("rect", { x: short(x), y: short(y), width: short(width), height: short(height), fill: this.fillStyle });
  }

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

  fillText(text, x, y) {
    const placed = {
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

  measureText(text) {
    const context = document.createElement("canvas").getContext("2d");
    context.font = this.font;
    return context.measureText(text);
  }

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

  add(tag, attributes) {
    this.group.append(svgElement(tag, { ...attributes, opacity: this.globalAlpha === 1 ? null : this.globalAlpha }));
  }
}
