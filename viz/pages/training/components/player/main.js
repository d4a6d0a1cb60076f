// Runs: a slider over their steps, the curves, and every head's pattern; sliding asks the server for nothing. Of runs that
// are still trained, each new picture shows the last step.

import { Frames, Picture } from "../../../../components/browser/canvas.js";
import { element, fill, setAttribute, setColours, setText } from "../../../../components/browser/dom.js";
import { placeIn } from "../../../../components/browser/enlarged.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { clamp, fixed, whole } from "../../../../components/browser/numbers.js";
import { paintedFiles } from "../../../../components/browser/painted_file.js";
import { unpack } from "../../../../components/browser/payload.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { biasOf, patternOf, rangeOf, shareOf, similarityOf, tableOf } from "./frames.js";
import { Layout } from "./layout.js";
import { durations } from "./pace.js";
import { Painter } from "./scene.js";

/** @import { HeadMap, Scene } from "./types" */

/** @import { Blocks, Menu, Paint, SetValue } from "../../../../components/browser/types" */
/** @import { PlayerHeader } from "./header" */

const LONGEST_FOLLOWED = 400; // milliseconds that frames which came together take at most
const CALM = 1000; // milliseconds from picture to picture, for those who ask for less motion
const asksForLessMotion = matchMedia("(prefers-reduced-motion: reduce)");

export default mounted((parent) => new Player(parent));

class Player {
  // What update() sets, before anything else asks for it.
  /** @type {SetValue} */ setTriggerValue;
  /** @type {Scene} */ scene;
  /** @type {Menu} */ menu;
  /** @type {number} */ frame;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;
  /** @type {ReturnType<typeof setInterval> | undefined} */ following;

  /** @param {Element} parent */
  constructor(parent) {
    this.root = element("div", { class: "training-player" });
    this.button = element("button", { type: "button", class: "play" });
    this.slider = element("input", { type: "range", min: 0, step: 1 });
    this.output = element("output", {});
    this.top = element("div", { class: "top" }, this.button, this.slider, this.output);
    this.note = element("p", { class: "note" });
    this.box = element("div", { class: "picture", role: "img" });
    this.root.append(this.top, this.note, this.box);
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.fullScreen = new FullScreen(this.root, (by) => this.stepBy(by));
    this.painter = new Painter();
    this.frames = new Frames(() => this.draw());
    this.picture = new Picture(this.box, () => this.frames.request());
    this.shownAt = -Infinity;
    this.isAsOpened = true;
    this.button.addEventListener("click", () => {
      if (!this.timer) return this.play();
      this.stop();
      this.settle();
    });
    this.slider.addEventListener("input", () => {
      this.stop();
      this.go(Number(this.slider.value));
    });
    this.slider.addEventListener("change", () => this.settle());
    this.box.addEventListener("click", (event) => this.press(event));
    this.box.addEventListener("pointermove", (event) => this.point(event));
    this.box.addEventListener("pointerleave", () => this.tooltip.hide());
  }

  /** @type {(bytes: Uint8Array, _: SetValue, setTriggerValue: SetValue) => void} */
  update(bytes, _, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    /** @type {{ header: PlayerHeader, blocks: Blocks }} */
    const { header, blocks } = unpack(bytes);
    const isTooSoon = asksForLessMotion.matches && performance.now() < this.shownAt + CALM;
    if (header.is_live && this.scene?.isLive && isTooSoon) return;
    const sinceLast = performance.now() - this.shownAt;
    this.shownAt = performance.now();
    const shownStep = this.scene?.isLive ? this.scene.steps[this.frame] : Infinity;
    const { palette, words, runs, steps, queries, keys, notes } = header;
    const plots = runs[0].curves;
    /** @type {(name: string) => any[]} */
    const of = (name) => runs.map((_, place) => blocks[`${name} ${place}`]);
    const curves = Object.fromEntries(plots.map((name) => [name, of(name)]));
    const isLive = header.is_live;
    // Who looks at the last step goes on to do so, where one more has come.
    const wasAtEnd = this.scene && (this.scene.isLive || this.frame === this.scene.steps.length - 1);
    this.scene = {
      ...{ runs, steps, queries, keys, notes, plots, curves, words, isLive },
      look: { ...palette, table: tableOf(palette) },
      name: header.name,
      last: header.last,
      mapsFrom: header.maps_from,
      playsFrom: header.plays_from,
      tells: header.tells,
      isCross: header.is_cross,
      isLog: header.is_log,
      scoreNames: header.scores,
      scores: of("scores"),
      patterns: of("patterns"),
      similarity: of("similarity"),
      biases: of("biases"),
      biasRanges: of("biases").map((values) => rangeOf(values)),
    };
    setColours(this.root, palette);
    setAttribute(this.box, "aria-label", header.alt);
    setAttribute(this.slider, "aria-label", words["slider"]);
    this.slider.max = String(isLive ? header.last : steps.length - 1);
    if (!this.menu) this.addMenu(header);
    this.menu.offer(header.menu.served);
    if (isLive) {
      this.stop();
      this.follow(shownStep, sinceLast);
    } else this.go(wasAtEnd ? steps.length - 1 : clamp(this.frame ?? header.opens_at, 0, steps.length - 1));
    this.tellState();
  }

  // Frames that came together are shown one after another, in the time that they took to come.
  /** @type {(shownStep: number, milliseconds: number) => void} */
  follow(shownStep, milliseconds) {
    const { steps, mapsFrom } = this.scene;
    const newest = steps.length - 1;
    const next = steps.findIndex((step, index) => index >= mapsFrom && step > shownStep);
    if (next < 0 || asksForLessMotion.matches) return this.go(newest);
    this.go(next);
    if (next === newest) return;
    const pace = Math.min(milliseconds, LONGEST_FOLLOWED) / (newest - next + 1);
    this.following = setInterval(() => {
      if (this.frame < newest) this.go(this.frame + 1);
      if (this.frame === newest) clearInterval(this.following);
    }, pace);
  }

  /** @type {(frame: number) => void} */
  go(frame) {
    this.frame = frame;
    const { steps, isLive } = this.scene;
    this.slider.value = String(isLive ? steps[frame] : frame);
    const step = whole(steps[frame]);
    setText(this.output, fill(this.scene.words["step"], { step }));
    setAttribute(this.slider, "aria-valuetext", this.output.textContent);
    setText(this.note, this.scene.notes[frame] ?? "");
    this.frames.request();
  }

  /** @type {(by: number) => void} */
  stepBy(by) {
    if (this.scene.isLive) return;
    this.stop();
    this.go(clamp(this.frame + by, 0, this.scene.steps.length - 1));
    this.settle();
  }

  // From where the header says, unless the reader has gone to another step; from the last one, from the beginning.
  play() {
    if (this.isAsOpened) this.go(this.scene.playsFrom);
    if (this.frame >= this.scene.steps.length - 1) this.go(0);
    this.hold(durations(this.scene, asksForLessMotion.matches));
    this.tellState();
  }

  /** @type {(milliseconds: number[]) => void} */
  hold(milliseconds) {
    this.timer = setTimeout(() => {
      if (this.frame < this.scene.steps.length - 1) {
        this.go(this.frame + 1);
        return this.hold(milliseconds);
      }
      this.stop();
      this.settle();
    }, milliseconds[this.frame]);
  }

  stop() {
    clearTimeout(this.timer);
    clearInterval(this.following);
    this.timer = undefined;
    this.isAsOpened = false;
    this.tellState();
  }

  // The page's link holds the step that the picture rests at.
  settle() {
    if (this.scene.tells) this.setTriggerValue("step", this.scene.steps[this.frame]);
  }

  tellState() {
    setText(this.button, this.scene.words[this.timer ? "pause" : "play"]);
    this.button.disabled = this.slider.disabled = this.scene.isLive;
  }

  draw() {
    if (!this.scene || !this.picture.width) return;
    const layout = this.layout();
    if (Math.abs(layout.height - this.picture.height) > 0.5) {
      // The observer of the box asks for the drawing again.
      this.box.style.height = `${layout.height}px`;
      return;
    }
    if (this.picture.isOnScreen) this.painter.paint(this.picture.begin(), layout, this.scene, this.frame);
  }

  layout() {
    return new Layout(this.picture.width, this.scene);
  }

  // A click on a curve goes to that step.
  /** @type {(event: MouseEvent) => void} */
  press(event) {
    const [x, y] = placeIn(this.box, event);
    const plot = this.layout().plotAt(x, y);
    if (!plot || this.scene.isLive) return;
    const away = this.scene.steps.map((step) => Math.abs(shareOf(this.scene, step) - (x - plot.x) / plot.width));
    const nearest = away.indexOf(Math.min(...away));
    this.stop();
    this.go(nearest);
    this.settle();
  }

  /** @type {(event: MouseEvent) => void} */
  point(event) {
    const [x, y] = placeIn(this.box, event);
    const layout = this.layout();
    const map = layout.mapAt(x, y);
    const text = map ? this.tellCell(map, x, y) : (this.tellBias(layout, x, y) ?? this.tellSimilar(layout, x, y));
    if (text) this.tooltip.show(text, event.clientX, event.clientY);
    else this.tooltip.hide();
  }

  /** @type {(map: HeadMap, x: number, y: number) => string} */
  tellCell(map, x, y) {
    const values = patternOf(this.scene, map.place, map.layer, map.head, this.frame);
    const { words, queries, keys, isCross } = this.scene;
    const query = Math.floor(((y - map.y) / map.side) * queries.length);
    const key = Math.floor(((x - map.x) / map.side) * keys.length);
    const told = { query: queries[query], key: keys[key], weight: fixed(values[query * keys.length + key] / 255, 2) };
    const isMasked = !isCross && key > query;
    return fill(words[isMasked ? "masked" : "cell"], told);
  }

  /** @type {(layout: Layout, x: number, y: number) => string | null} */
  tellBias(layout, x, y) {
    const map = layout.biasAt(x, y);
    if (!map || !this.scene.runs[map.place].n_distances) return null;
    const values = biasOf(this.scene, map.place, map.layer, map.head, this.frame);
    const distance = Math.round(((x - map.x) / map.side) * (values.length - 1));
    return fill(this.scene.words["bias at"], { distance, value: fixed(values[distance], 2) });
  }

  /** @type {(layout: Layout, x: number, y: number) => string | null} */
  tellSimilar(layout, x, y) {
    const map = layout.similarityAt(x, y);
    if (!map) return null;
    const n = this.scene.queries.length;
    const [query, key] = [(y - map.y) / map.side, (x - map.x) / map.side].map((share) => Math.floor(share * n));
    const value = fixed(similarityOf(this.scene, map.place, this.frame)[query * n + key] / 255, 2);
    return fill(this.scene.words["similar"], { query, key, value });
  }

  /** @type {(header: PlayerHeader) => void} */
  addMenu({ menu, words }) {
    /** @type {Paint} */
    const paint = (context) => this.painter.paint(context, this.layout(), this.scene, this.frame);
    const look = { name: () => this.scene.name, size: () => this.picture, surface: () => this.scene.look.surface };
    const files = paintedFiles(paint, look);
    this.menu = createMenu({ labels: menu.labels, name: words["title"], files, fullScreen: this.fullScreen });
    this.top.append(this.menu.node);
  }

  remove() {
    clearTimeout(this.timer);
    clearInterval(this.following);
    this.frames.cancel();
    this.picture.remove();
    this.menu?.remove();
    this.fullScreen.remove();
    this.root.remove();
  }
}
