// Stepping through a text: what is read, remembered and lost, what each character costs, and how far back sight goes.

import { Frames } from "../../../../components/browser/canvas.js";
import { element, fill, setAttribute, setColours, setText, svgElement } from "../../../../components/browser/dom.js";
import { placeIn } from "../../../../components/browser/enlarged.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { clamp, fixed, whole } from "../../../../components/browser/numbers.js";
import { unpack } from "../../../../components/browser/payload.js";
import { drawnFiles } from "../../../../components/browser/svg_file.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { DASHES, drawBits } from "./bits.js";
import { drawFlow } from "./flow.js";
import { Reading } from "./reading.js";

// A page that hears of every step of a held key would read the text for each.
const PATIENCE = 300;
// Pixels of title and caption of a picture that fills the window.
const AROUND = 140;

export default mounted((parent) => new Stepper(parent));

class Stepper {
  constructor(parent) {
    this.root = element("div", { class: "stepper" });
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.frames = new Frames(() => this.draw());
    this.reading = null;
    this.pointed = null;
  }

  update(bytes, setStateValue) {
    const { header, blocks } = unpack(bytes);
    this.setStateValue = setStateValue;
    const isFirst = !this.reading;
    this.reading = new Reading(header, blocks);
    this.words = header.words;
    this.menuLabels = header.menu.labels;
    this.palette = header.palette;
    setColours(this.root, this.palette);
    for (const name of ["hue", "opposite"]) this.root.style.setProperty(`--${name}`, this.palette[name].join(" "));
    if (isFirst) this.build();
    for (const { menu } of [this.bits, this.flow]) menu.offer(header.menu.served);
    // The browser goes ahead of the page, whose answer may be to an earlier step; a new text begins where the page says.
    if (this.textKey !== header.text_key) this.segment = header.segment;
    this.textKey = header.text_key;
    this.lines.replaceChildren(...this.reading.series.map(lineEntry));
    this.show(clamp(this.segment, 0, this.reading.total - 1));
  }

  build() {
    const { words } = this;
    this.slider = element("input", { type: "range", min: 1, step: 1, "aria-label": words.segment });
    this.slider.addEventListener("input", () => this.step(Number(this.slider.value) - 1));
    const button = (name, by) => {
      const made = element("button", { type: "button", class: "step" }, words[name]);
      made.addEventListener("click", () => this.step(this.segment + by));
      return made;
    };
    this.previous = button("previous", -1);
    this.next = button("next", 1);
    this.where = element("p", { class: "where", "aria-live": "polite" });
    this.strip = element("p", { class: "strip", tabindex: 0, role: "region", "aria-label": words.text });
    this.legend = element("p", { class: "legend" });
    this.bits = this.figure("bits", (place) => this.pointAt(this.bitsPlace?.(place)));
    this.flow = this.figure("flow", (place) => this.pointAt(this.flowPlace?.(place)));
    const controls = element("div", { class: "steps" }, this.previous, this.slider, this.next);
    this.content = element("div", { class: "content" }, controls, this.where, this.strip, this.legend);
    this.lines = element("p", { class: "legend lines" });
    this.bits.box.before(this.lines);
    this.content.append(this.bits.node, this.flow.node);
    this.root.append(this.content);
    this.sizes = new ResizeObserver(() => this.reading && this.frames.request());
    this.sizes.observe(this.bits.box);
    this.sizes.observe(this.flow.box);
  }

  figure(name, point) {
    const { words } = this;
    // What it shows is said once it is drawn; a screen reader may come before.
    const svg = svgElement("svg", { role: "img", "aria-label": words[`${name} title`] });
    const node = element("figure", { class: name });
    const fullScreen = new FullScreen(node, (by) => this.step(this.segment + by));
    const files = drawnFiles(() => svg, { name: () => `segments-${name}`, surface: () => this.palette.surface });
    const menu = createMenu({ labels: this.menuLabels, name: words[`${name} title`], files, fullScreen });
    const title = element("div", { class: "title" }, element("span", {}, words[`${name} title`]), menu.node);
    const box = element("div", { class: "box" }, svg);
    const caption = element("figcaption", {});
    node.append(title, box, caption);
    box.addEventListener("pointermove", (event) => {
      this.pointer = event;
      point(placeIn(svg, event)[0]);
    });
    box.addEventListener("pointerleave", () => this.pointAt(null));
    const most = () => (fullScreen.isOn ? fullScreen.room - AROUND : 0);
    return { node, box, svg, caption, menu, fullScreen, most };
  }

  step(segment) {
    const wanted = clamp(segment, 0, this.reading.total - 1);
    if (wanted === this.segment) return;
    this.pointed = null;
    this.show(wanted);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.setStateValue("segment", this.segment), PATIENCE);
  }

  show(segment) {
    const { reading, words } = this;
    this.segment = segment;
    this.waiting = !reading.has(segment);
    // What is on the screen until the next drawing is another segment, or of another reading.
    this.bitsPlace = this.flowPlace = null;
    setAttribute(this.slider, "max", reading.total);
    this.slider.value = segment + 1;
    this.previous.disabled = segment === 0;
    this.next.disabled = segment === reading.total - 1;
    setAttribute(this.root, "data-segment", segment + 1);
    setAttribute(this.root, "data-waiting", this.waiting);
    if (this.waiting) {
      setText(this.where, fill(words.waiting, { segment: whole(segment + 1) }));
      return;
    }
    const { from, to } = reading.span(segment);
    const numbers = { segment: segment + 1, total: reading.total, from: from + 1, to };
    setText(this.where, fill(words.where, mapped(numbers, whole)));
    this.frames.request();
  }

  pointAt(place) {
    const pointed = place ?? null;
    if (pointed === null) this.tooltip.hide();
    else this.tooltip.show(this.told(pointed), this.pointer.clientX, this.pointer.clientY);
    if (pointed === this.pointed) return;
    this.pointed = pointed;
    this.frames.request();
  }

  told(place) {
    const { reading, words } = this;
    const { from } = reading.span(this.segment);
    const sentence = place < from ? words["predicted before"] : words["predicted"];
    const said = fill(sentence, { character: reading.shown(place + 1), n: place - from + 1 });
    const bits = reading.series.map(({ label, bits }) => `${label}: ${fixed(bits[place - reading.start], 2)}`);
    return [said, ...bits].join("\n");
  }

  draw() {
    if (this.waiting || !this.bits.box.clientWidth) return;
    const shared = {
      reading: this.reading,
      segment: this.segment,
      pointed: this.pointed,
      palette: this.palette,
      words: this.words,
    };
    this.fillStrip();
    this.bitsPlace = drawBits(this.bits, shared);
    this.flowPlace = drawFlow(this.flow, shared);
  }

  fillStrip() {
    const { reading, words, segment } = this;
    const key = `${this.textKey} ${segment}`;
    if (key === this.stripKey) return;
    this.stripKey = key;
    const zones = reading.zones(segment);
    const runs = ["deeper", "memory", "segment"].map((name) => {
      const run = element("span", { class: name });
      run.textContent = reading.textOf(zones[name]);
      return run;
    });
    this.strip.replaceChildren(...runs);
    this.strip.scrollTop = this.strip.scrollHeight;
    const entries = ["segment", "memory", "deeper", "lost"].map((name) => {
      const [from, to] = zones[name];
      return element(
        "span",
        { class: "entry" },
        element("span", { class: `box-of ${name}` }),
        said(words, name, to - from),
      );
    });
    this.legend.replaceChildren(...entries);
  }

  remove() {
    clearTimeout(this.timer);
    this.frames.cancel();
    this.sizes?.disconnect();
    for (const figure of [this.bits, this.flow]) {
      figure?.menu.remove();
      figure?.fullScreen.remove();
    }
    this.root.remove();
  }
}

function lineEntry({ label, colour }, index) {
  const look = { stroke: colour, "stroke-width": 2, "stroke-dasharray": DASHES[index] };
  const drawn = svgElement("line", { x1: 0, y1: 5, x2: 24, y2: 5, ...look });
  const swatch = svgElement("svg", { width: 24, height: 10, "aria-hidden": "true" }, drawn);
  return element("span", { class: "entry" }, swatch, label);
}

function said(words, name, n) {
  return fill(words[`zone ${name}`], { n: whole(n) });
}

function mapped(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
