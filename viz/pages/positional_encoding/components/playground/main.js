// The playground: one state, the pictures that follow it, and a message to the page when a slider is let go.

import { Frames } from "../../../../components/browser/canvas.js";
import { colourTable } from "../../../../components/browser/colours.js";
import { element, fill, setAttribute, setColours, setText } from "../../../../components/browser/dom.js";
import { mounted } from "../../../../components/browser/mount.js";
import { clamp, whole } from "../../../../components/browser/numbers.js";
import { unpack } from "../../../../components/browser/payload.js";
import { npz } from "../../../../components/browser/save.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { clocksView } from "./clocks_view.js";
import { createControls } from "./controls.js";
import { rotation } from "./encoding.js";
import { createFigure } from "./figure.js";
import { createMatrixView } from "./matrix_view.js";
import { rotationView } from "./rotation_view.js";
import { Scene } from "./scene.js";
import { createSimilarityView, profileView } from "./similarity_views.js";
import { wavelengthsView } from "./wavelengths_view.js";
import { wavesView } from "./waves_view.js";

/** @import { SetValue, Words } from "../../../../components/browser/types" */
/** @import { Hooks } from "./controls.js" */
/** @typedef {(keyof PlaygroundState)[]} Names */

/** @import { PlaygroundHeader, PlaygroundState, Slider } from "./header" */
/** @import { Change, Exact, Limit, Look, Place, Shared } from "./types" */

const SHADES = 511;

export default mounted((parent) => new Playground(parent));

class Playground {
  // What update() and build() set, before anything else asks for it.
  /** @type {SetValue} */ setStateValue;
  /** @type {Record<string, Slider>} */ sliders;
  /** @type {Names} */ followed;
  /** @type {Exact} */ exact;
  /** @type {Look} */ look;
  /** @type {PlaygroundState} */ view;
  /** @type {Scene} */ scene;
  /** @type {ReturnType<typeof createControls>} */ controls;
  /** @type {ReturnType<typeof createFigure>[]} */ figures;
  /** @type {HTMLElement} */ trouble;
  /** @type {HTMLElement} */ source;

  /** @param {Element} parent */
  constructor(parent) {
    this.root = element("div", { class: "playground" });
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.frames = new Frames(() => this.draw());
  }

  /** @type {(bytes: Uint8Array, setStateValue: SetValue) => void} */
  update(bytes, setStateValue) {
    /** @type {{ header: PlaygroundHeader, blocks: any }} */
    const { header, blocks } = unpack(bytes);
    const { words, palette } = header;
    this.setStateValue = setStateValue;
    this.sliders = header.sliders;
    this.followed = /** @type {Names} */ (Object.keys(header.sliders)).filter((name) => header.sliders[name].index_of);
    this.exact = { ...blocks, view: header.view };
    const table = colourTable(palette.diverging, palette.surface, SHADES);
    this.look = {
      ...palette,
      words,
      table,
      say: (name, values) => fill(words[name], values),
      colourOf: (value) => pixelColour(table[Math.round(((value + 1) / 2) * (SHADES - 1))]),
    };
    setColours(this.root, palette);
    if (!this.view) {
      this.view = header.opens_on ?? header.view;
      this.build(words, header.menu.labels);
    }
    this.show(this.view);
    this.describe();
  }

  /** @type {(words: Words, menuLabels: Words) => void} */
  build(words, menuLabels) {
    /** @type {(sentence: string) => void} */
    const refuse = (sentence) => setText(this.trouble, sentence);
    const keep = () => this.commit();
    /** @type {Hooks} */
    const hooks = { move: (name, value) => this.move({ [name]: value }), commit: keep, refuse };
    this.controls = createControls(/** @type {Names} */ (Object.keys(this.sliders)), words, hooks);
    this.trouble = element("p", { class: "trouble", role: "alert" });
    const live = element("p", { class: "unseen", "aria-live": "polite" });
    this.source = element("span", { class: "source" });
    const all = {
      kind: "npz",
      label: words["save all"],
      name: () => "positional-encoding.npz",
      make: () => this.archive(),
    };
    const views = [
      createMatrixView(),
      wavesView,
      wavelengthsView,
      clocksView,
      createSimilarityView(),
      profileView,
      rotationView,
    ];
    /** @type {Shared} */
    const shared = {
      menuLabels,
      more: [all],
      current: () => this.scene,
      changed: () => this.scene && this.frames.request(),
      refuse,
      pick: (place) => this.pick(place),
      step: (by) => this.pick({ position: this.view.position + by }),
      follow: (change) => this.move(change),
      keep,
      tooltip: this.tooltip,
      live,
    };
    this.figures = views.map((view) => createFigure(view, words, shared));
    const pictures = element("div", { class: "views" }, ...this.figures.map(({ node }) => node));
    const foot = element("div", { class: "foot" }, this.source);
    this.root.append(element("div", { class: "content" }, this.controls.node, this.trouble, pictures, live, foot));
  }

  // What each control takes while the others are as they are.
  /** @type {(view: PlaygroundState) => Record<string, Limit>} */
  limits(view) {
    /** @type {Record<string, Limit>} */
    const limits = { ...this.sliders };
    for (const name of this.followed) {
      const { index_of, per_item } = limits[name];
      limits[name] = { ...limits[name], high: view[/** @type {keyof PlaygroundState} */ (index_of)] / per_item - 1 };
    }
    return limits;
  }

  // What is followed stays inside what is shown.
  /** @type {(view: PlaygroundState) => void} */
  show(view) {
    const limits = this.limits(view);
    this.view = { ...view };
    for (const name of this.followed) this.view[name] = clamp(view[name], 0, limits[name].high);
    this.scene = new Scene(this.view, this.exact, this.look);
    this.controls.update(this.view, limits);
    this.frames.request();
  }

  /** @type {(change: Change) => void} */
  move(change) {
    setText(this.trouble, "");
    this.tooltip.hide();
    this.show({ ...this.view, ...change });
    setAttribute(this.root, "data-source", "browser");
  }

  commit() {
    this.describe();
    this.setStateValue("view", this.view);
  }

  /** @type {(place: Place) => void} */
  pick(place) {
    /** @type {Change} */
    const change = Object.fromEntries(this.followed.filter((name) => name in place).map((name) => [name, place[name]]));
    this.show({ ...this.view, ...change });
    this.commit();
  }

  draw() {
    this.figures.forEach((figure) => figure.draw());
    this.figures.forEach((figure) => figure.caption());
  }

  describe() {
    this.figures.forEach((figure) => figure.describe());
    const { exact, n_rows, length, d_model, say } = this.scene;
    setAttribute(this.root, "data-source", exact ? "server" : "browser");
    const facts = { rows: whole(n_rows), length: whole(length), d_model: whole(d_model) };
    this.source.style.visibility = exact ? "" : "hidden";
    if (exact) setText(this.source, say(n_rows < length ? "source part" : "source whole", facts));
  }

  archive() {
    const { scene, view } = this;
    const encoding = new Float32Array(view.length * view.d_model);
    for (let position = 0; position < view.length; position++)
      encoding.set(scene.rowAt(position), position * view.d_model);
    const pairs = scene.omega.length;
    const turns = new Float64Array(4 * pairs);
    scene.omega.forEach((frequency, pair) => turns.set(rotation(view.offset, frequency), 4 * pair));
    const settings = Object.entries(view).map(([name, value]) => [name, { values: Float64Array.of(value), shape: [] }]);
    return npz({
      encoding: { values: encoding, shape: [view.length, view.d_model] },
      wavelengths: { values: scene.omega.map((frequency) => (2 * Math.PI) / frequency), shape: [pairs] },
      similarity_by_distance: { values: scene.profile, shape: [view.length] },
      rotation_blocks: { values: turns, shape: [pairs, 2, 2] },
      ...Object.fromEntries(settings),
    });
  }

  remove() {
    this.frames.cancel();
    this.figures.forEach((figure) => figure.remove());
    this.root.remove();
  }
}

/** @type {(pixel: number) => string} */
function pixelColour(pixel) {
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}
