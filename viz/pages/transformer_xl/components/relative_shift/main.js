// The relative shift, a step at a time: the numbers go where the step puts them.

import { MOST_TINT } from "../../../../components/browser/colours.js";
import { element, fill, setAttribute, setColours, setText, svgElement } from "../../../../components/browser/dom.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { clamp, fixed } from "../../../../components/browser/numbers.js";
import { unpack } from "../../../../components/browser/payload.js";
import { drawnFiles } from "../../../../components/browser/svg_file.js";
import { isLater, numbersOf, placeAt, sizeAt, STEPS } from "./steps.js";

const LEFT = 30;
const TOP = 24;
const HEIGHT = 32;
const [NARROWEST, WIDEST] = [32, 104];
const DECIMALS = 2;
const FITS_TWO = 50; // pixels of a cell that holds a sign, two digits and two decimals
const HATCH = "relative-shift-hatch";

export default mounted((parent) => new RelativeShift(parent));

class RelativeShift {
  constructor(parent) {
    this.root = element("div", { class: "relative-shift" });
    this.back = element("button", { type: "button", class: "step" }, "◀");
    this.range = element("input", { type: "range", min: 1, max: STEPS.length, step: 1, value: 1 });
    this.on = element("button", { type: "button", class: "step" }, "▶");
    this.title = element("p", { class: "title" });
    this.about = element("p", { class: "about", "aria-live": "polite" });
    this.box = element("div", { class: "box" });
    this.said = element("p", { class: "said" });
    this.fullScreen = new FullScreen(this.root, (by) => this.go(this.step + by));
    this.controls = element("div", { class: "controls" }, this.back, this.range, this.on, this.title);
    this.top = element("div", { class: "top-line" }, this.controls);
    this.root.append(this.top, this.about, this.said, this.box);
    parent.append(this.root);
    this.step = 0;
    this.range.addEventListener("input", () => this.go(Number(this.range.value) - 1));
    this.back.addEventListener("click", () => this.go(this.step - 1));
    this.on.addEventListener("click", () => this.go(this.step + 1));
    this.sizes = new ResizeObserver(() => this.data && this.place());
    this.sizes.observe(this.root);
  }

  update(bytes) {
    const { header, blocks } = unpack(bytes);
    const [queries, keys] = header.blocks[0].shape;
    this.data = { ...header, scores: blocks.by_distance, queries, keys };
    const { palette, words } = header;
    setColours(this.root, palette);
    setAttribute(this.range, "aria-label", words["step"]);
    setAttribute(this.back, "aria-label", words["back"]);
    setAttribute(this.on, "aria-label", words["on"]);
    if (!this.menu) this.addMenu(header);
    this.menu.offer(header.menu.served);
    this.build();
    this.go(this.step);
  }

  build() {
    const { queries, keys, scores, palette } = this.data;
    const deepest = Math.max(...scores.map(Math.abs)) || 1;
    this.numbers = numbersOf(queries, keys).map((number) => {
      const value = number.isPad ? 0 : scores[number.query * keys + keys - 1 - number.distance];
      const hue = value < 0 ? palette.opposite : palette.hue;
      const colour = number.isPad ? `url(#${HATCH})` : `rgb(${hue.join(",")})`;
      const opacity = number.isPad ? 1 : (MOST_TINT * Math.abs(value)) / deepest;
      const ground = svgElement("rect", { fill: colour, "fill-opacity": opacity.toFixed(3) });
      const frame = svgElement("rect", { fill: "none", stroke: palette.line });
      const text = svgElement("text", { fill: palette.ink, "text-anchor": "middle", "dominant-baseline": "central" });
      const node = svgElement("g", { class: "number" }, ground, frame, text);
      node.addEventListener("pointerenter", () => this.point(number));
      node.addEventListener("pointerleave", () => this.point(null));
      const at = { row: 0, column: 0 };
      return { ...number, value, ground, frame, text, node, colour, opacity, at, isMasked: false };
    });
    this.headings = svgElement("g");
    this.svg = svgElement("svg", { role: "img" }, this.hatch(), this.headings, ...this.numbers.map(({ node }) => node));
    this.svg.style.fontFamily =
      '"Source Code Pro", ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace';
    this.box.replaceChildren(this.svg);
  }

  hatch() {
    const stripe = svgElement("path", { d: "M0 6L6 0", stroke: this.data.palette.muted, "stroke-width": 1 });
    const pattern = { id: HATCH, width: 6, height: 6, patternUnits: "userSpaceOnUse" };
    return svgElement("defs", {}, svgElement("pattern", pattern, stripe));
  }

  go(step) {
    this.step = clamp(step, 0, STEPS.length - 1);
    const { words, alts } = this.data;
    const name = STEPS[this.step];
    this.range.value = String(this.step + 1);
    setAttribute(this.range, "aria-valuetext", words[`title ${name}`]);
    this.back.disabled = this.step === 0;
    this.on.disabled = this.step === STEPS.length - 1;
    setText(this.title, `${this.step + 1}/${STEPS.length} ${words[`title ${name}`]}`);
    setText(this.about, words[`about ${name}`]);
    setAttribute(this.svg, "aria-label", alts[this.step]);
    this.place();
    this.point(null);
  }

  place() {
    const { queries, keys } = this.data;
    const name = STEPS[this.step];
    const width = clamp((this.box.clientWidth - LEFT - 2) / (keys + 1), NARROWEST, WIDEST);
    const [full, tall] = [LEFT + (keys + 1) * width + 2, TOP + (keys + 1) * HEIGHT + 2];
    const size = { width: full, height: tall, viewBox: `0 0 ${full} ${tall}` };
    for (const [key, value] of Object.entries(size)) setAttribute(this.svg, key, value);
    this.svg.style.fontSize = "13px";
    for (const number of this.numbers) {
      const at = placeAt(name, number, queries, keys);
      // Inside its cell, a frame is not covered by those beside it.
      for (const [inset, one] of [number.ground, number.frame].entries()) {
        setAttribute(one, "x", inset);
        setAttribute(one, "y", inset);
        setAttribute(one, "width", width - 2 * inset);
        setAttribute(one, "height", HEIGHT - 2 * inset);
      }
      setAttribute(number.text, "x", width / 2);
      setAttribute(number.text, "y", HEIGHT / 2);
      number.node.style.transform = `translate(${LEFT + at.column * width}px, ${TOP + at.row * HEIGHT}px)`;
      number.node.style.opacity = at.isThere ? "1" : "0";
      number.node.style.pointerEvents = at.isThere ? "auto" : "none";
      this.look(number, at, name, width < FITS_TWO ? 1 : DECIMALS);
    }
    this.writeHeadings(name, width);
  }

  // What must be masked is hatched as soon as each number stands at a key, and −∞ in the end.
  look(number, at, name, decimals) {
    const { queries, keys, palette } = this.data;
    const isAtKey = name === "back" || name === "mask";
    const isMasked = isAtKey && at.isThere && isLater(at, queries, keys);
    const isOwn = isAtKey && at.isThere && !number.isPad && number.distance === 0 && !isMasked;
    setText(number.text, isMasked && name === "mask" ? "−∞" : number.isPad ? "0" : fixed(number.value, decimals));
    setAttribute(number.ground, "fill", isMasked ? `url(#${HATCH})` : number.colour);
    setAttribute(number.ground, "fill-opacity", isMasked ? "1" : number.opacity.toFixed(3));
    setAttribute(number.frame, "stroke", isOwn ? palette.ink : palette.line);
    setAttribute(number.frame, "stroke-width", isOwn ? 2 : 1);
    number.node.classList.toggle("masked", isMasked);
    Object.assign(number, { at, isMasked });
  }

  writeHeadings(name, width) {
    const { queries, keys, palette, query_labels: queryLabels, key_labels: keyLabels } = this.data;
    const [rows, columns] = sizeAt(name, queries, keys);
    const distances = Array.from({ length: keys }, (_, column) => String(keys - 1 - column));
    const across = { scores: distances, pad: ["", ...distances], back: keyLabels, mask: keyLabels }[name] ?? [];
    const down = rows === queries && across.length ? queryLabels : [];
    const style = { fill: palette.muted, "dominant-baseline": "central" };
    const above = across
      .slice(0, columns)
      .map((text, column) =>
        svgElement("text", { ...style, x: LEFT + (column + 0.5) * width, y: TOP - 11, "text-anchor": "middle" }, text),
      );
    const beside = down.map((text, row) =>
      svgElement("text", { ...style, x: LEFT - 8, y: TOP + (row + 0.5) * HEIGHT, "text-anchor": "end" }, text),
    );
    this.headings.replaceChildren(...above, ...beside);
  }

  // The pointer on a number lights all of its distance, and says what it is.
  point(number) {
    const { words, query_labels: queryLabels, key_labels: keyLabels } = this.data;
    for (const one of this.numbers) {
      const isLit = number && !number.isPad && !one.isPad && one.distance === number.distance;
      one.node.classList.toggle("lit", Boolean(isLit));
    }
    if (!number) return setText(this.said, words["hint"]);
    const { at, isMasked } = this.numbers[number.flat];
    const isAtKey = ["back", "mask"].includes(STEPS[this.step]);
    const values = { query: queryLabels[number.query], distance: number.distance, value: "" };
    if (!number.isPad) values.value = fixed(this.numbers[number.flat].value, 4);
    const first = fill(words[number.isPad ? "said pad" : "said number"], values);
    const place = { query: queryLabels[at.row], key: keyLabels[at.column] };
    const then = isAtKey ? fill(words[isMasked ? "said masked" : "said key"], place) : "";
    return setText(this.said, `${first} ${then}`.trim());
  }

  addMenu({ menu, words }) {
    const look = { name: () => `relative-shift-${this.step + 1}`, surface: () => this.data.palette.surface };
    const files = drawnFiles(() => this.svg, look);
    this.menu = createMenu({ labels: menu.labels, name: words["step"], files, fullScreen: this.fullScreen });
    this.top.append(this.menu.node);
  }

  remove() {
    this.sizes.disconnect();
    this.menu?.remove();
    this.fullScreen.remove();
    this.root.remove();
  }
}
