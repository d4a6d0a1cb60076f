// The four terms of one head, their sum and the pattern: the pointer on a cell says its numbers in all of them at once.

import { Frames, Picture } from "../../../../components/browser/canvas.js";
import {
  element,
  fill,
  isPlain,
  listed,
  setAttribute,
  setColours,
  setText,
} from "../../../../components/browser/dom.js";
import { boxInWindow, placeIn } from "../../../../components/browser/enlarged.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { DIRECTIONS } from "../../../../components/browser/nearest.js";
import { clamp, fixed, whole } from "../../../../components/browser/numbers.js";
import { paintedFiles } from "../../../../components/browser/painted_file.js";
import { unpack } from "../../../../components/browser/payload.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { Layout, Maps, NAMES, tables } from "./maps.js";

const DECIMALS = 4;
const AROUND = 170; // pixels of what stands around the maps that fill the window

export default mounted((parent) => new TermMaps(parent));

class TermMaps {
  constructor(parent) {
    this.root = element("div", { class: "term-maps" });
    this.box = element("div", { class: "picture", tabindex: 0, role: "application" });
    this.said = element("p", { class: "said" });
    this.live = element("p", { class: "unseen", "aria-live": "polite" });
    this.line = element("p", { class: "line" });
    this.root.append(this.box, this.said, this.line, this.live);
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.fullScreen = new FullScreen(this.root);
    this.maps = new Maps();
    this.frames = new Frames(() => this.draw());
    this.picture = new Picture(this.box, () => this.frames.request());
    this.pinned = this.pointed = null;
    this.listen();
  }

  update(bytes) {
    const { header, blocks } = unpack(bytes);
    const { palette, words, labels, n_remembered: nRemembered } = header;
    const [queries, keys] = header.blocks[0].shape.slice(1);
    const size = queries * keys;
    const maps = { scores: blocks.scores, pattern: blocks.pattern };
    NAMES.slice(0, 4).forEach((name, place) => {
      maps[name] = blocks.terms.subarray(place * size, (place + 1) * size);
    });
    const look = { ...palette, ...tables(palette) };
    const { deepest, largest, titles } = header;
    this.scene = { maps, queries, keys, nRemembered, labels, words, titles, look, deepest, largest, name: header.name };
    setColours(this.root, palette);
    this.root.style.setProperty("--hue", palette.hue.join(" "));
    setAttribute(this.box, "aria-label", header.alt);
    setAttribute(this.box, "aria-roledescription", words["maps"]);
    if (this.pinned && !this.has(this.pinned)) this.pinned = null;
    this.pointed = null;
    this.maps.prepare(this.scene);
    this.writeLine();
    if (!this.menu) this.addMenu(header);
    this.menu.offer(header.menu.served);
    this.frames.request();
    this.tell();
  }

  has({ query, key }) {
    return query < this.scene.queries && key < this.scene.keys;
  }

  get cell() {
    return this.pointed ?? this.pinned;
  }

  layout() {
    const room = this.fullScreen.isOn ? this.fullScreen.room - AROUND : 0;
    return new Layout(this.picture.width, this.scene, room);
  }

  draw() {
    if (!this.scene || !this.picture.width) return;
    const layout = this.layout();
    if (Math.abs(layout.height - this.picture.height) > 0.5) {
      // The observer of the box asks for the drawing again.
      this.box.style.height = `${layout.height}px`;
      return;
    }
    if (this.picture.isOnScreen) this.maps.paint(this.picture.begin(), layout, this.scene, this.cell);
  }

  listen() {
    const locate = (event) => (this.scene ? this.layout().locate(...placeIn(this.box, event)) : null);
    this.box.addEventListener("pointermove", (event) => {
      this.point(locate(event));
      if (this.pointed) this.tooltip.show(this.lines(this.pointed).join("\n"), event.clientX, event.clientY);
      else this.tooltip.hide();
    });
    this.box.addEventListener("pointerleave", () => this.leave());
    this.box.addEventListener("click", (event) => {
      const cell = locate(event);
      if (!cell) return;
      const isSame = this.pinned && cell.query === this.pinned.query && cell.key === this.pinned.key;
      this.pinned = isSame ? null : cell;
      this.point(cell);
    });
    this.box.addEventListener("blur", () => this.leave());
    this.box.addEventListener("keydown", (event) => this.key(event));
  }

  leave() {
    this.tooltip.hide();
    this.point(null);
  }

  point(cell) {
    this.pointed = cell;
    this.frames.request();
    this.tell();
  }

  key(event) {
    if (!isPlain(event) || !this.scene) return;
    const { queries, keys } = this.scene;
    const direction = DIRECTIONS[event.key];
    if (event.key === "Escape") {
      this.pinned = null;
      this.leave();
    } else if (direction) {
      const { query, key } = this.pinned ?? { query: queries - 1, key: keys - 1 };
      const [right, down] = this.pinned ? direction : [0, 0];
      this.pinned = { query: clamp(query + down, 0, queries - 1), key: clamp(key + right, 0, keys - 1) };
      this.point(null);
      const [x, y] = this.layout().middle(this.pinned);
      const { left, top } = boxInWindow(this.box, { x, y });
      this.tooltip.show(this.lines(this.pinned).join("\n"), left, top);
      setText(this.live, listed(this.lines(this.pinned), this.scene.words["pair apart"]));
    } else return;
    event.preventDefault();
  }

  lines({ query, key }) {
    const { maps, keys, words, labels, nRemembered } = this.scene;
    const place = query * keys + key;
    const own = nRemembered + query;
    const names = { query: labels[own], key: labels[key], distance: whole(Math.abs(own - key)) };
    const where = key > own ? "later" : key < nRemembered ? "in memory" : "in segment";
    const first = fill(words[where], names);
    if (key > own) return [first];
    const values = Object.fromEntries(NAMES.map((name) => [name, fixed(maps[name][place], DECIMALS)]));
    return [first, ...NAMES.map((name) => `${words[`short ${name}`].padEnd(13)} ${values[name].padStart(8)}`)];
  }

  tell() {
    const { words } = this.scene;
    setText(this.said, this.cell ? this.lines(this.cell).join(" · ").replace(/ +/g, " ") : words["hint"]);
    this.colourLine();
  }

  // The text under the maps: memory first. A query lights the characters it looks at.
  writeLine() {
    const { labels, nRemembered } = this.scene;
    const shown = labels.join("\u0000");
    if (this.shown === shown) return;
    this.shown = shown;
    this.characters = labels.map((label, place) =>
      element("span", { class: place < nRemembered ? "remembered" : null }, label),
    );
    this.line.replaceChildren(...this.characters);
  }

  colourLine() {
    const { maps, keys, nRemembered } = this.scene;
    const { cell } = this;
    this.characters.forEach((character, key) => {
      const weight = cell ? maps.pattern[cell.query * keys + key] : 0;
      character.style.setProperty("--p", weight.toFixed(3));
      character.classList.toggle("query", Boolean(cell) && key === nRemembered + cell.query);
      character.classList.toggle("key", Boolean(cell) && key === cell.key);
    });
  }

  addMenu({ menu, words }) {
    const paint = (context) => this.maps.paint(context, this.layout(), this.scene, this.cell);
    const look = { name: () => this.scene.name, size: () => this.picture, surface: () => this.scene.look.surface };
    const files = paintedFiles(paint, look);
    this.menu = createMenu({ labels: menu.labels, name: words["maps"], files, fullScreen: this.fullScreen });
    this.root.prepend(this.menu.node);
  }

  remove() {
    this.frames.cancel();
    this.picture.remove();
    this.menu?.remove();
    this.fullScreen.remove();
    this.root.remove();
  }
}
