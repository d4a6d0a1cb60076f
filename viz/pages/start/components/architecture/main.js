// One translation on its way through the architecture, token by token.

import { element, fill, setColours, setText, svgElement } from "../../../../components/browser/dom.js";
import { followLinks } from "../../../../components/browser/links.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { unpack } from "../../../../components/browser/payload.js";
import { drawnFiles } from "../../../../components/browser/svg_file.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { drawArchitecture, makeImages } from "./drawing.js";
import { layOut } from "./layout.js";

const PACE = 420;

export default mounted((parent) => new Architecture(parent));

class Architecture {
  constructor(parent) {
    this.root = element("div", { class: "architecture" });
    parent.append(this.root);
    this.source = element("p", { class: "line" });
    this.written = element("p", { class: "line" });
    this.button = element("button", { type: "button", class: "play" });
    this.lines = element("div", { class: "lines" }, this.source, this.written);
    this.svg = svgElement("svg", { role: "group" });
    this.box = element("div", { class: "box" }, this.svg);
    this.top = element("div", { class: "top-line" }, this.lines);
    this.root.append(this.top, this.box);
    this.fullScreen = new FullScreen(this.root);
    this.tooltip = new Tooltip(this.root);
    this.button.addEventListener("click", () => (this.timer ? this.finish() : this.play()));
    this.svg.addEventListener("pointermove", (event) => this.pointAt(event));
    this.svg.addEventListener("pointerleave", () => this.tooltip.hide());
    followLinks(this.svg, (address) => this.setTriggerValue("opened", address));
    this.sizes = new ResizeObserver(() => this.place());
    this.sizes.observe(this.box);
  }

  update(bytes, _, setTriggerValue) {
    const unpacked = unpack(bytes);
    const { header, blocks } = unpacked;
    const isNew = this.header?.text !== header.text || this.header.written.length !== header.written.length;
    this.header = header;
    this.blocks = blocks;
    this.setTriggerValue = setTriggerValue;
    const { palette } = header;
    setColours(this.root, palette);
    this.root.style.setProperty("--hue", palette.hue.join(" "));
    this.root.style.setProperty("--opposite", palette.opposite.join(" "));
    if (!this.menu) this.addMenu(header);
    this.images = makeImages(unpacked);
    if (isNew) {
      this.stop();
      this.revealed = header.written.length;
      this.step = null;
      this.writeLines();
    }
    this.width = 0;
    this.place();
    if (isNew && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
  }

  addMenu({ menu, words }) {
    const files = drawnFiles(() => this.svg, {
      name: () => "architecture",
      surface: () => this.header.palette.surface,
    });
    this.menu = createMenu({ labels: menu.labels, name: words.name, files, fullScreen: this.fullScreen });
    this.top.append(this.menu.node);
  }

  writeLines() {
    const { header } = this;
    const label = (name) => element("span", { class: "language" }, header.words[name]);
    this.sourceTokens = header.source.map((token) => element("span", { class: "token" }, token));
    this.source.replaceChildren(label("source"), ...this.sourceTokens);
    this.tokens = header.written.map(({ label: token }, step) => {
      const button = element("button", { type: "button", class: "token" }, token);
      button.addEventListener("pointerenter", () => this.timer || this.show(step));
      button.addEventListener("focus", () => this.timer || this.show(step));
      button.addEventListener("click", () => {
        this.finish();
        this.show(step);
      });
      return button;
    });
    this.written.replaceChildren(label("written"), ...this.tokens, this.button);
  }

  place() {
    const width = Math.floor(this.box.clientWidth);
    if (!this.header || !width || width === this.width) return;
    this.width = width;
    const { sizes, source, read, words, text } = this.header;
    const layout = layOut(width, sizes, Math.max(source.length, read.length));
    this.svg.setAttribute("aria-label", fill(words.alt, { text }));
    this.change = drawArchitecture(this.svg, { header: this.header, layout, images: this.images });
    this.draw();
  }

  show(step) {
    this.step = step;
    this.draw();
  }

  draw() {
    const { step, revealed, header } = this;
    const sources = this.weightsOf(step);
    const largest = Math.max(...sources);
    this.sourceTokens.forEach((node, key) => node.style.setProperty("--p", step === null ? 0 : sources[key] / largest));
    this.tokens.forEach((node, index) => {
      node.classList.toggle("here", index === step);
      node.style.visibility = index < revealed ? "visible" : "hidden";
    });
    this.change?.({ step, revealed, sources: step === null ? header.source.map(() => 1) : sources });
    setText(this.button, header.words[this.timer ? "stop" : "play"]);
    this.root.dataset.step = step ?? "";
  }

  // The mean weight of all heads of the last decoder layer on each source token, while the step's token is written.
  weightsOf(step) {
    const { source, written, sizes } = this.header;
    const size = written.length * source.length;
    const first = (sizes.n_decoder_layers - 1) * sizes.n_heads;
    return source.map((_, key) => {
      let sum = 0;
      for (let head = 0; head < sizes.n_heads; head += 1) {
        sum += this.blocks.cross[(first + head) * size + (step ?? 0) * source.length + key];
      }
      return sum / sizes.n_heads / 255;
    });
  }

  play() {
    this.stop();
    this.revealed = 0;
    const go = () => {
      this.revealed += 1;
      this.step = this.revealed - 1;
      if (this.revealed >= this.header.written.length) this.stop();
      this.draw();
    };
    this.timer = setInterval(go, PACE);
    go();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  finish() {
    this.stop();
    this.revealed = this.header.written.length;
    this.draw();
  }

  pointAt(event) {
    const named = event.target.closest?.("[data-title]");
    if (named) this.tooltip.show(named.dataset.title, event.clientX, event.clientY, named.getBoundingClientRect());
    else this.tooltip.hide();
  }

  remove() {
    this.stop();
    this.sizes.disconnect();
    this.menu?.remove();
    this.fullScreen.remove();
    this.root.remove();
  }
}
