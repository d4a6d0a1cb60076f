// One translation on its way through the architecture, token by token; a click opens a part in its place.

import { colourTable } from "../../../../components/browser/colours.js";
import { activeElementOf, element, fill, isPlain, setColours, svgElement } from "../../../../components/browser/dom.js";
import { followLinks } from "../../../../components/browser/links.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { unpack } from "../../../../components/browser/payload.js";
import { drawnFiles } from "../../../../components/browser/svg_file.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { Way, linked, readAddress, writeAddress } from "./address.js";
import { drawArchitecture, makeImages, sentenceOf, wrap } from "./drawing.js";
import { layOut } from "./layout.js";
import { Opened, isAttention } from "./opened.js";
import { Player, pulse } from "./play.js";
import { pressKey } from "./keys.js";
import { clearest, fitted, isOfSource, levelOf, nameOf, rowsOf, upTo, weightsOf } from "./state.js";
import { TopLine } from "./top_line.js";

const LEAST_ROWS = 6;
const AROUND = 16; // pixels of padding and gaps around the picture
const ATTENTION_BLOCKS = ["q", "k", "v", "output", "added"];

export default mounted((parent) => new Architecture(parent));

class Architecture {
  constructor(parent) {
    this.root = element("div", { class: "architecture" });
    parent.append(this.root);
    this.player = new Player(() => this.header && this.draw());
    this.top = new TopLine({
      player: this.player,
      showWord: (step) => this.showWord(step),
      toggleScale: () => (this.state?.part === "scale" ? this.leave(0) : this.open({ part: "scale" })),
    });
    this.svg = svgElement("svg", { role: "group" });
    this.box = element("div", { class: "box" }, this.svg);
    this.stage = element("div", { class: "stage" }, this.box);
    this.root.append(this.top.node, this.stage);
    this.fullScreen = new FullScreen(this.root, (by) => {
      if (!this.state) this.player.go(by);
    });
    this.tooltip = new Tooltip(this.root);
    this.state = null;
    this.temperature = 1;
    this.inside = null;
    this.opened = new Opened({
      stage: this.stage,
      box: this.box,
      tooltip: this.tooltip,
      act: {
        open: (place) => this.open(place),
        leave: (level) => this.leave(level),
        layer: (layer) => this.change({ layer }),
        row: (row) => this.change({ row, position: null }),
        step: (step) => this.change({ step }),
        cell: (place) => this.change(place),
        openCell: (key) => this.openCell(key),
        temperature: (temperature) => this.change({ temperature }),
        position: (position) => this.change({ position }),
        begin: (tokens) => this.setStateValue("begin", { text: this.header.text, tokens }),
      },
    });
    this.svg.addEventListener("pointermove", (event) => this.pointAt(event));
    this.svg.addEventListener("pointerleave", () => this.tooltip.hide());
    this.svg.addEventListener("click", (event) => this.openAt(event));
    this.root.addEventListener("pointerenter", () => (this.isPointedAt = true));
    this.root.addEventListener("pointerleave", () => (this.isPointedAt = false));
    this.pressed = (event) => pressKey(this, event);
    document.addEventListener("keydown", this.pressed);
    followLinks(this.stage, (address) => this.setTriggerValue("opened", address));
    this.way = new Way(() => this.follow());
    this.sizes = new ResizeObserver(() => this.place());
    this.sizes.observe(this.stage);
  }

  get isStill() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  update(bytes, setStateValue, setTriggerValue) {
    const unpacked = unpack(bytes);
    const { header, blocks } = unpacked;
    const before = this.header;
    const isNew = before?.text !== header.text || String(before.tokens) !== String(header.tokens);
    const isBegun = isNew && before?.text === header.text;
    const isSame =
      !isNew &&
      JSON.stringify(before.palette) === JSON.stringify(header.palette) &&
      before.words.play === header.words.play;
    this.header = header;
    this.setStateValue = setStateValue;
    this.setTriggerValue = setTriggerValue;
    if (isNew) this.inside = null;
    if (header.inside) this.takeInside(unpacked);
    if (isSame) {
      this.assertLink();
      this.redrawOpened();
      return;
    }
    this.blocks = blocks;
    const { palette } = header;
    setColours(this.root, palette);
    this.root.style.setProperty("--hue", palette.hue.join(" "));
    this.root.style.setProperty("--opposite", palette.opposite.join(" "));
    const gradient = (stops) =>
      `linear-gradient(90deg, ${stops.map(([place, colour]) => `${colour} ${100 * place}%`).join(",")})`;
    this.root.style.setProperty("--weights", gradient(palette.sequential));
    this.root.style.setProperty("--values", gradient(palette.diverging));
    this.tables = {
      weights: colourTable(palette.sequential, palette.surface, 256),
      signed: colourTable(palette.diverging, palette.surface, 511),
    };
    if (!this.menu) this.addMenu(header);
    this.images = makeImages(unpacked);
    // The picture of the sentence before has no place for the words of this one.
    this.picture = null;
    if (isNew) {
      this.top.load(header);
      this.player.load(header.written.length, header.resting);
    }
    this.width = 0;
    this.place();
    if (!before) this.follow();
    else if (isNew) this.fitState(isBegun);
    if (isNew && !this.state && !this.isStill) this.player.play();
    // What a part shows when it is opened comes after the picture, and mostly before anybody has clicked.
    if (isNew) this.ask(this.state);
  }

  takeInside({ header: { inside }, blocks }) {
    this.inside ??= { attention: {} };
    this.inside.header = inside;
    this.inside.blocks = blocks;
    this.inside.attention[inside.layer] = Object.fromEntries(
      ATTENTION_BLOCKS.map((name) => [name, blocks[`attention ${name}`]]),
    );
  }

  // Python sends what one layer of attention holds, and with it what all other parts do.
  ask(state) {
    const part = state && isAttention(state.part) ? state.part : "cross";
    const layer = state && isAttention(state.part) ? state.layer : clearest(this.header, "cross").layer;
    const name = `${part}.${layer + 1}`;
    const asked = `${this.header.text} ${this.header.tokens} ${name}`;
    if (this.inside?.attention[name] || this.asked === asked) return;
    this.asked = asked;
    this.setStateValue("inside", { text: this.header.text, layer: name });
  }

  addMenu({ menu, words }) {
    const files = drawnFiles(() => this.svg, {
      name: () => "architecture",
      surface: () => this.header.palette.surface,
    });
    const ofWhole = files.map((file) => ({ ...file, make: () => this.opened.asWhole(file.make) }));
    this.menu = createMenu({ labels: menu.labels, name: words.name, files: ofWhole, fullScreen: this.fullScreen });
    this.top.node.append(this.menu.node);
  }

  showWord(step) {
    if (
      this.state &&
      rowsOf(this.header, this.state.part) === this.header.written.length &&
      this.state.part !== "encoder"
    )
      this.change({ row: step, position: null });
    else this.player.rest(step);
  }

  place() {
    const width = Math.floor(this.stage.clientWidth);
    if (!this.header || !width || width === this.width) return;
    this.width = width;
    this.box.style.width = `${width}px`;
    const { sizes, source, read, words, text } = this.header;
    const lines = (name, room) => wrap(sentenceOf(name, this.header), room).length;
    let rows = Math.max(source.length, read.length);
    const laidOut = () => (this.layout = layOut(width, sizes, rows, lines));
    // A full screen has no more height than it has: there the last tokens are left out.
    const room = this.fullScreen.isOn ? this.fullScreen.room - this.top.node.offsetHeight - AROUND : Infinity;
    while (laidOut().height > room && rows > LEAST_ROWS) rows -= 1;
    this.svg.setAttribute("aria-label", fill(words.alt, { text }));
    this.picture = drawArchitecture(this.svg, { header: this.header, layout: this.layout, images: this.images });
    for (const part of Object.values(this.picture.groups))
      part.addEventListener("keydown", (event) => this.openByKey(event));
    this.draw();
    this.redrawOpened();
  }

  draw() {
    const { player, header, picture } = this;
    if (!picture) return;
    const { step, block } = player;
    const sources = weightsOf(this, step);
    const isToScale = this.state?.part === "scale";
    this.top.draw({ words: header.words, sources, isToScale, isStill: this.isStill });
    picture.change({
      step,
      revealed: (name) => player.revealed(name),
      sources: step === null ? header.source.map(() => 1) : sources,
    });
    for (const [name, group] of Object.entries(picture.groups)) {
      group.classList.toggle("lit", name === block);
      group.classList.toggle("here", this.state?.part === name);
    }
    if (block && !this.isStill) {
      const colour = `rgb(${header.palette.opposite.join(" ")})`;
      pulse(this.svg, picture.arrowsTo(block), { fill: colour, speed: player.speed });
    }
    this.root.dataset.step = step ?? "";
    this.root.dataset.block = block ?? "";
  }

  openAt(event) {
    const part = event.target.closest?.("[data-part]");
    if (!part) return;
    const layer = event.target.closest?.("[data-layer]");
    const [at, pointed] = layer ? [layer.dataset.layer, layer.dataset.head].map(Number) : [null, null];
    this.open({ part: part.dataset.part, layer: at, pointed });
  }

  openByKey(event) {
    if (!isPlain(event) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    this.open({ part: event.currentTarget.dataset.part });
  }

  open({ part, layer = null, head = null, pointed = null }) {
    const left = nameOf(this.state);
    const row = this.state?.part === part ? this.state.row : null;
    this.enter({ part, layer, head, row, pointed, step: null }, { hasCome: true });
    this.write(left);
  }

  openCell(key) {
    const left = nameOf(this.state);
    this.enter({ ...this.state, key }, { hasCome: true });
    this.write(left);
  }

  enter(place, { hasCome = false } = {}) {
    const before = this.state;
    this.tooltip.hide();
    this.player.rest(this.player.step ?? this.player.home);
    this.state = fitted(this, place);
    this.ask(this.state);
    const isGrowing = !before || before.part !== this.state.part || levelOf(before) !== levelOf(this.state);
    this.draw();
    this.opened.show(
      this.context(),
      { ...this.state, temperature: this.temperature },
      { from: this.boxOf(before), isGrowing, hasCome, isStill: this.isStill },
    );
    this.root.dataset.open = writeAddress(this.state, this.header);
  }

  // The box that grows: that of the part in the picture, of the head among the others, or of the score that was clicked.
  boxOf(before) {
    const { part, head, key } = this.state;
    if (before?.part === part && head !== null) {
      const name = key === null ? `[data-head="${head + 1}"]` : `[data-key="${key}"]`;
      const tile = /** @type {HTMLElement} */ (this.opened.content.querySelector(name));
      if (tile) return { x: tile.offsetLeft, y: tile.offsetTop, width: tile.offsetWidth, height: tile.offsetHeight };
    }
    return this.layout.blocks[part] ?? this.layout.frames.find(({ stack }) => part.startsWith(stack)) ?? null;
  }

  context() {
    const { header, blocks, images, inside, tables, layout } = this;
    return {
      header,
      blocks,
      images,
      inside,
      tables,
      layout,
      words: header.words,
      palette: header.palette,
      width: this.stage.clientWidth,
    };
  }

  change(values) {
    if ("temperature" in values) this.temperature = values.temperature;
    else this.state = fitted(this, { ...this.state, ...values });
    if ("row" in values && !isOfSource(this.state.part)) this.player.rest(this.state.row);
    this.ask(this.state);
    this.redrawOpened();
    this.write();
  }

  redrawOpened() {
    if (!this.state) return;
    // A slider that is being moved stays the same slider.
    const focused = activeElementOf(this.root);
    const slider = focused instanceof HTMLInputElement ? focused : null;
    this.opened.show(
      this.context(),
      { ...this.state, temperature: this.temperature },
      { isGrowing: false, isStill: true },
    );
    if (slider) this.opened.keepSlider(slider);
  }

  // Up to a level: 0 is the whole.
  leave(level) {
    if (!this.state) return;
    const up = level > 0 ? upTo(this.state, level) : null;
    if (this.way.back(nameOf(up))) return;
    if (up) this.enter(up);
    else this.close();
    this.write();
  }

  close() {
    if (!this.state) return;
    const group = this.picture.groups[this.state.part] ?? this.top.scaleButton;
    this.state = null;
    delete this.root.dataset.open;
    this.opened.hide({ from: group, isStill: this.isStill });
    this.draw();
  }

  // What the address says, at the beginning and where the browser has come back to it.
  follow() {
    const place = readAddress(linked("open"), this.header);
    if (!place) return this.close();
    const [row, key] = ["open-row", "open-key"].map((name) => {
      const number = Number(linked(name)) - 1;
      return Number.isInteger(number) && number >= 0 ? number : null;
    });
    this.enter({ ...place, row, key, step: linked("open-step") });
    // The row stays that of where a visitor comes from, where the address has none.
    this.write();
  }

  // Another sentence has other rows; of the same one with another beginning, the row stays.
  fitState(isBegun) {
    if (!this.state) return;
    const row = isBegun ? this.state.row : null;
    if (isBegun && !isOfSource(this.state.part)) this.player.rest(row);
    this.state = fitted(this, { ...this.state, row, position: null });
    this.redrawOpened();
    this.write();
  }

  // With the name of what is left, as an entry of its own.
  write(left) {
    const { state } = this;
    const isOwn = state && !isOfSource(state.part) && state.row === this.player.home;
    this.way.write(
      {
        open: state ? writeAddress(state, this.header) : null,
        "open-row": state && !isOwn ? String(state.row + 1) : null,
        "open-step": state?.step ?? null,
        "open-key": state && state.key !== null ? String(state.key + 1) : null,
      },
      left,
    );
  }

  // What Streamlit writes into the address may be older than what is open.
  assertLink() {
    if (this.state && linked("open") !== writeAddress(this.state, this.header)) this.write();
  }

  pointAt(event) {
    const named = event.target.closest?.("[data-title]");
    if (named) this.tooltip.show(named.dataset.title, event.clientX, event.clientY, named.getBoundingClientRect());
    else this.tooltip.hide();
  }

  remove() {
    this.player.stop();
    this.sizes.disconnect();
    this.way.remove();
    document.removeEventListener("keydown", this.pressed);
    this.opened.remove();
    this.menu?.remove();
    this.fullScreen.remove();
    this.root.remove();
  }
}
