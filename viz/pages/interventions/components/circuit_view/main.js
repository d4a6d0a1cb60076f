// The strongest parts for a word as boxes and the paths between them as ribbons; a click or Enter chooses a box.

import { widthIn } from "../../../../components/browser/canvas.js";
import { channels, inkOn, over } from "../../../../components/browser/colours.js";
import { activeElementOf, element, sentences, setText, svgElement } from "../../../../components/browser/dom.js";
import { mounted } from "../../../../components/browser/mount.js";
import { DIRECTIONS, nearest } from "../../../../components/browser/nearest.js";
import { clamp } from "../../../../components/browser/numbers.js";
import { unpack } from "../../../../components/browser/payload.js";
import { SvgView } from "../../../../components/browser/svg_view.js";
import { BOX, layOut, ribbon } from "./layout.js";

const FONT = '13px "Source Sans", system-ui, sans-serif';
// Pixels of the widest ribbon, and of the thinnest that is drawn; weaker paths are left out.
const [WIDEST, THINNEST] = [12, 0.35];
// Below 1, so that a small effect still leaves the surface.
const EXPONENT = 0.75;

export default mounted((parent) => new CircuitView(parent));

class CircuitView extends SvgView {
  constructor(parent) {
    super(parent, "circuit");
    this.hint = element("span", { class: "hint" });
    this.svg.addEventListener("focusin", (event) => this.pointAt(this.numberOf(event.target), event));
    this.svg.addEventListener("focusout", (event) => this.pointAt(-1, event));
  }

  update(bytes, _, setTriggerValue) {
    const { code: here } = this.graph?.parts[this.focused] ?? {};
    this.graph = unpack(bytes).header;
    this.setTriggerValue = setTriggerValue;
    const { words, fileName } = this.graph;
    const top = (menu) => [element("div", { class: "top" }, this.hint, menu)];
    this.receive(this.graph, { title: words.title, file: fileName }, top);
    // Whoever has gone on with the arrow keys stays there.
    const isIn = this.svg.contains(activeElementOf(this.svg));
    const [stays, chosen] = [isIn ? here : null, this.graph.chosen].map((code) =>
      this.graph.parts.findIndex((part) => code && part.code === code),
    );
    this.focused = Math.max(0, stays < 0 ? chosen : stays);
    this.draw();
    this.resized();
    // Where there is no room for all, the word itself is in sight first.
    if (!this.isPlaced) this.box.scrollLeft = this.box.scrollWidth;
    this.isPlaced = true;
  }

  resized() {
    const isCut = this.box.scrollWidth > this.box.clientWidth;
    setText(this.hint, (isCut && this.graph.words.wide) || "");
  }

  draw() {
    const { graph } = this;
    const layout = layOut(graph, widthIn(FONT));
    const strongest = Math.max(...graph.parts.filter((part) => part.code).map((part) => Math.abs(part.effect)));
    // Biases are not compared with anything: they may be far above all the rest.
    const compared = graph.paths.filter((path) => graph.parts[path.source].code);
    const widest = Math.max(...compared.map((path) => Math.abs(path.effect)));
    this.paths = graph.paths
      .map((path) => ({ ...path, width: Math.min(WIDEST, (WIDEST * Math.abs(path.effect)) / widest) }))
      .filter((path) => path.width >= THINNEST);
    this.svg.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    this.show(layout, graph.alt, [
      ...layout.rows.map(({ x, y, anchor, label }) => text(label, x, y, { class: "row", "text-anchor": anchor })),
      ...layout.lanes.map(({ lane, middle }) => text(graph.lanes[lane], middle, layout.foot, { class: "lane" })),
      ...this.paths.map((path) => this.ribbon(path, layout.boxes)),
      ...graph.parts.map((part, place) => this.part(part, place, layout.boxes[place], strongest)),
    ]);
  }

  ribbon({ source, target, effect, width }, boxes) {
    const d = ribbon(boxes[source], boxes[target]);
    // That of the biases is as wide as the widest, however much they add.
    return svgElement("path", {
      class: this.graph.parts[source].code ? "ribbon" : "ribbon unscaled",
      d,
      stroke: this.colourOf(effect),
      "stroke-width": width,
      fill: "none",
    });
  }

  part(part, place, { x, y, width }, strongest) {
    const { palette, chosen } = this.graph;
    const isTarget = part.kind === "target";
    const strength = isTarget ? 0 : clamp(Math.abs(part.effect) / strongest, 0, 1) ** EXPONENT;
    const hue = part.effect < 0 ? palette.opposite : palette.hue;
    const ink = isTarget ? palette.ink : inkOn(over(channels(palette.surface), [...hue, strength]));
    const box = { x: x - width / 2, y: y - BOX / 2, width, height: BOX, rx: part.level === 0 ? 14 : 5 };
    const children = [
      svgElement("rect", { ...box, fill: palette.surface }),
      svgElement("rect", { ...box, fill: `rgb(${hue.join(" ")})`, "fill-opacity": strength }),
      text(part.label, x, y, { fill: ink, "text-anchor": "middle", class: "name" }),
      svgElement("rect", {
        ...box,
        class: part.is_dashed ? "frame dashed" : "frame",
        fill: "none",
        "pointer-events": "all",
      }),
    ];
    const labelled = { "data-number": place, "aria-label": sentences(part.tooltip, this.graph.words) };
    if (part.code === null) return svgElement("g", { class: part.kind, role: "img", ...labelled }, ...children);
    const button = { role: "button", tabindex: place === this.focused ? 0 : -1, "data-code": part.code };
    return svgElement("g", { ...button, ...labelled, "aria-pressed": String(part.code === chosen) }, ...children);
  }

  colourOf(effect) {
    const { palette } = this.graph;
    return `rgb(${(effect < 0 ? palette.opposite : palette.hue).join(" ")})`;
  }

  // What is said of a part, with its own ribbons alone.
  pointAt(place, { type }) {
    const part = this.graph.parts[place];
    this.svg.classList.toggle("pointed", Boolean(part));
    this.svg.querySelectorAll(".ribbon").forEach((node, number) => {
      const { source, target } = this.paths[number];
      node.classList.toggle("near", source === place || target === place);
    });
    const node = this.nodeOf(place);
    if (!node || (type === "focusin" && !node.matches(":focus-visible"))) return this.tooltip.hide();
    const { left, top, right, bottom } = node.getBoundingClientRect();
    this.tooltip.show(part.tooltip.join("\n"), left, top, { left, top, right, bottom });
  }

  choose(place) {
    const part = this.graph.parts[place];
    if (!part || part.code === null) return;
    this.tooltip.hide();
    this.graph.chosen = part.code;
    this.focused = place;
    this.draw();
    this.setTriggerValue("pressed", part.code);
  }

  neighbour(place, key) {
    const direction = DIRECTIONS[key];
    const buttons = [.../** @type {NodeListOf<SVGElement>} */ (this.svg.querySelectorAll("[data-code]"))];
    const boxes = buttons.map((button) => button.getBoundingClientRect());
    const middles = boxes.map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
    const to = direction && nearest(middles, buttons.indexOf(this.nodeOf(place)), direction);
    return to === undefined ? undefined : this.numberOf(buttons[to]);
  }
}

function text(content, x, y, attributes) {
  return svgElement("text", { x, y: y + 4.5, ...attributes }, content);
}
