// The explorer: one state, the views that follow it, and a word to the page a moment after a choice.

import { element } from "../browser/dom.js";
import { FullScreen } from "../browser/menu.js";
import { repack } from "../browser/payload.js";
import { createAside } from "./aside.js";
import { colourTables, cssColours } from "./colours.js";
import { createComparison } from "./compare.js";
import { createControls } from "./controls.js";
import { createDetail } from "./detail.js";
import { createExports } from "./exports.js";
import { createOverview } from "./overview.js";
import { absorb, readNumbers } from "./maps.js";
import { widestMatrix } from "./matrix.js";
import { hasNumbers, received } from "./payload.js";
import { indexOf, isThere, prepare } from "./prepare.js";
import { createReporting } from "./reporting.js";
import { fieldsOf, firstWritten } from "./sides.js";
import { createSteps } from "./steps.js";
import { createTable, headWords } from "./summary.js";
import { scaleName } from "./words.js";
import { FIELDS, createStore, fieldsOfView, fitView, togglePin } from "./view.js";

/** @import { SetValue } from "../browser/types" */
/** @import { ExplorerView } from "./header" */
/** @import { At, Exact, Fields, PageParts, Parts, Payload, Pin, Shown, State } from "./types" */
/** @import { Store } from "./view.js" */

const TALLEST = 540; // pixels of a matrix
const LEAST = 320; // pixels of one in a low window
const ABOVE = 500; // pixels of the page above it, with its labels
const AROUND = 300; // pixels around it, where it fills the window
/** @type {(keyof At)[]} */
const PLACE = ["query", "key", "matrix"];
const TRANSIENT = { hover: null, preview: null };
/** @type {(keyof State)[]} */
const SHAPING = ["kind", "heads", "combine", "grain", "hide_special", "normalise", "compare", "preview"];

export class Explorer {
  // What update() and build() set, before anything else asks for it.
  /** @type {Payload} */ payload;
  /** @type {Uint8Array} */ bytes;
  /** @type {Exact} */ exact;
  /** @type {Fields[]} */ fields;
  /** @type {Record<string, string>[]} */ served;
  /** @type {Store} */ store;
  /** @type {Parts} */ parts;
  /** @type {Shown} */ shown;
  /** @type {HTMLElement} */ views;
  /** @type {HTMLElement} */ live;
  /** @type {ReturnType<typeof createControls>} */ controls;
  /** @type {ReturnType<typeof createSteps>} */ steps;
  /** @type {ReturnType<typeof createOverview>} */ overview;
  /** @type {ReturnType<typeof createDetail>} */ detail;
  /** @type {ReturnType<typeof createTable>} */ table;
  /** @type {ReturnType<typeof createExports>} */ exports;
  /** @type {ReturnType<typeof createComparison> | null} */ compared = null;

  /** @param {Element} parent */
  constructor(parent) {
    this.root = element("div", { class: "explorer" });
    parent.append(this.root);
    this.aside = createAside();
    this.fullScreen = new FullScreen(this.root, (by) => this.steps.go(by));
    this.reporting = createReporting({
      view: () => fieldsOfView(this.store.get()),
      digest: () => this.payload.header.digest,
      isThere: () => this.hasNumbers(),
    });
    this.width = 0;
    this.wasFull = false;
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(this.root);
    this.root.addEventListener("keydown", (event) => event.key === "Escape" && this.letGo());
  }

  // A view that comes back as it was chosen here may be older than what is chosen by now: it changes nothing.
  /** @type {(bytes: Uint8Array, setStateValue: SetValue) => void} */
  update(bytes, setStateValue) {
    const payload = received(bytes);
    const { header } = payload;
    const isOtherView = !header.is_echo && JSON.stringify(header.view) !== this.givenView;
    if (isOtherView) this.reporting.forget();
    this.reporting.to((view) => setStateValue("commit", view));
    this.givenView = JSON.stringify(header.view);
    this.exact = payload.exact;
    this.served = header.menu.served;
    this.exports?.offer(this.served);
    const hasAside = this.aside.show(header.aside ?? "");
    // It takes the place of the lines, which then have another.
    const isMoved = this.root.classList.contains("has-aside") !== hasAside;
    this.root.classList.toggle("has-aside", hasAside);
    const isMore = this.payload?.header.digest === header.digest && this.take(payload, bytes);
    if (this.look === `${header.digest} ${header.palette.theme}`) {
      if (isOtherView) this.store.set(this.fitted(header.view));
      if (isMore) this.redraw();
      else if (!isOtherView) this.focus();
      if (isMoved) this.fit();
      return;
    }
    const asked = header.view;
    const isOtherRecording = this.payload?.header.digest !== header.digest;
    this.look = `${header.digest} ${header.palette.theme}`;
    if (isOtherRecording) this.reporting.drop();
    this.payload = payload;
    this.bytes = bytes;
    this.fields = payload.recordings.filter((blocks) => blocks.length).map(fieldsOf);
    // Pins are places in one recording: for another, the page says which of them still mean something.
    const kept = isOtherRecording ? { ...this.store?.get(), pins: asked.pins, step: asked.step } : this.store?.get();
    this.build(this.fitted(isOtherView || !this.store ? asked : kept));
  }

  /** @template {ExplorerView} V @param {V} view */
  fitted(view) {
    return fitView(view, this.fields[0], this.payload.header.steps.length);
  }

  /** @type {(view: ExplorerView) => void} */
  build(view) {
    const { header } = this.payload;
    const { text, palette } = header;
    /** @type {Parts} */
    const parts = {
      text,
      header,
      kinds: this.fields[0].kinds,
      hasSpecial: header.rows.some((row) => row.special.some(Boolean)),
      isMeasure: this.fields.some((recording) => recording.kinds.some((kind) => recording.of(kind).top !== 1)),
      hasWords: header.rows.some((row) => row.words.length && row.words.length < row.labels.length),
      tables: colourTables(palette),
      choose: (patch) => this.choose(patch),
      preview: (head) => this.store.set({ preview: head }),
      tallest: () =>
        this.fullScreen.isOn
          ? this.fullScreen.room - AROUND
          : Math.max(LEAST, Math.min(TALLEST, window.innerHeight - ABOVE)),
      hover: (at) => this.hover(at),
      pin: (at) => this.pin(at),
      unpin: (row) => this.unpin(row),
      state: () => this.store.get(),
      comparisons: ["off", "heads", ...(this.fields.length > 1 ? ["recordings"] : [])],
    };
    this.steps?.stop();
    for (const [name, value] of cssColours(palette)) this.root.style.setProperty(name, value);
    this.controls = createControls(parts);
    this.steps = createSteps(parts);
    this.overview = createOverview(parts);
    this.detail = createDetail(parts);
    this.parts = parts;
    this.compared = null;
    this.table = createTable(parts);
    this.exports?.remove();
    this.exports = createExports(parts, this.payload, {
      picture: () => this.view.picture(),
      settings: () => this.settings,
      numbers: () => this.reporting.numbers(),
      page: () => this.page(),
      fullScreen: this.fullScreen,
    });
    this.exports.offer(this.served);
    this.live = element("p", { class: "unseen", "aria-live": "polite" });
    this.views = element("div", { class: "views" }, this.overview.node, ...this.detail.nodes, this.aside.node);
    const nHeads = Math.max(...this.fields[0].kinds.map((kind) => this.fields[0].of(kind).heads));
    this.views.style.setProperty("--overview", `${Math.max(20, 3 + 1.625 * Math.min(nHeads, 12))}rem`);
    const top = element("div", { class: "top-line" }, this.controls.node, this.exports.node, this.controls.rest);
    const head = element("div", { class: "head" }, top, this.steps.node);
    this.root.replaceChildren(head, this.views, this.table.node, this.live);
    const initial = { ...TRANSIENT, ...view };
    this.store = createStore(initial, (state, before) => this.follow(state, before));
    this.follow(initial, {});
    if (this.shown.isReduced) this.commit();
  }

  /** @type {(patch: Partial<State>) => void} */
  choose(patch) {
    this.store.set(this.fitted({ ...this.store.get(), ...patch }));
  }

  get field() {
    return this.fields[0].of(this.store.get().kind);
  }

  // Made when it is first asked for: three more matrices would keep the first picture waiting.
  get comparison() {
    if (!this.compared) {
      this.compared = createComparison(this.parts);
      this.views.append(this.compared.node);
    }
    return this.compared;
  }

  get view() {
    return this.store.get().compare === "off" ? this.detail : this.comparison;
  }

  // What a page of its own is made of.
  /** @type {() => PageParts} */
  page() {
    const { text, palette, menu, page: template } = this.payload.header;
    const around = /** @type {Document | ShadowRoot} */ (this.root.getRootNode());
    const css = [...around.querySelectorAll("style")].at(-1)?.textContent ?? "";
    // Nothing is served to a page of its own.
    const header = {
      view: fieldsOfView(this.store.get()),
      is_echo: false,
      is_alone: true,
      menu: { ...menu, served: [] },
      aside: "",
    };
    const look = { css, title: text["shared title"], surface: palette.surface, template };
    return { bytes: repack(this.bytes, header), ...look };
  }

  /** @type {(state: State, before: Partial<State>) => void} */
  follow(state, before) {
    /** @type {(...names: (keyof State)[]) => boolean} */
    const isNew = (...names) => names.some((name) => state[name] !== before[name]);
    if (isNew("kind", "sort")) this.overview.build(this.field, state.sort);
    if (isNew("kind", "sort", "heads")) this.overview.mark(state);
    if (isNew("heads"))
      this.aside.offer(this.field, state.heads, this.parts.text, (head) => this.choose({ heads: [head] }));
    const isShaped = isNew(...SHAPING);
    if (isShaped) this.shape(state);
    // All sizes are read before any is set, because the page is laid out anew for each that is read after one was set.
    const rooms = isShaped ? this.rooms() : null;
    if (isNew("kind", "sort", "hide_special")) this.overview.draw(this.field, state.hide_special);
    if (isShaped || isNew("threshold", "step")) this.paint(rooms);
    this.focus();
    if (isNew(...FIELDS)) {
      this.controls.show(state);
      this.steps.show(state);
      if (before.kind) this.commit();
    }
  }

  // Maps that were not there when they were chosen have come.
  redraw() {
    const state = this.store.get();
    // Otherwise the tiles stand as they did, and one of them may have the focus.
    if (this.overview.isLate(this.field, state.sort)) {
      this.overview.build(this.field, state.sort);
      this.overview.mark(state);
      this.overview.draw(this.field, state.hide_special);
    }
    this.shape(state);
    this.paint(null);
    this.focus();
  }

  rooms() {
    this.width = this.root.clientWidth;
    return this.view.rooms();
  }

  // What is shown is computed anew: of the heads together, and of each where lines have a colour each.
  /** @type {(state: State) => void} */
  shape(state) {
    const isCompared = state.compare !== "off";
    const heads = state.preview && !isCompared ? [state.preview] : state.heads;
    const options = { ...state, heads };
    this.shown = prepare(this.field, options);
    // No more room than that, so that the lines stand beside it.
    this.views.style.setProperty("--matrix", `${widestMatrix(this.shown)}px`);
    const { text, measure } = this.payload.header;
    const named = [text[`kind ${state.kind}`], headWords(this.field, text, heads, state.combine)];
    if (measure) named.push(scaleName(measure, state, text));
    const words = named.join(" · ");
    this.views.classList.toggle("compared", isCompared);
    if (isCompared) this.comparison.shape(this.fields, options, state.compare);
    else this.detail.shape(this.shown, heads, words);
    this.table.draw(this.view.picture().panels);
  }

  get settings() {
    return { threshold: this.store.get().threshold, lastRow: this.litRow() ?? Infinity };
  }

  /** @type {(rooms: number[] | null) => void} */
  paint(rooms) {
    this.view.paint(this.settings);
    if (rooms) this.view.fit(rooms);
  }

  focus() {
    const state = this.store.get();
    this.view.focus(state, this.exact, this.litRow());
    this.steps.lit(state);
  }

  // The row of the last written token that is shown.
  litRow() {
    const { step } = this.store.get();
    const first = firstWritten(this.field);
    if (step === null || first === null) return null;
    const row = indexOf(this.shown.rows, first + step);
    return row < 0 ? null : row;
  }

  /** @type {(at: At | null) => void} */
  hover(at) {
    const { hover: before } = this.store.get();
    if (before === at || (at && before && PLACE.every((name) => before[name] === at[name]))) return;
    this.store.set({ hover: at });
    if (at?.isByKey) this.live.textContent = this.view.said();
  }

  /** @type {(at: At) => void} */
  pin({ query, key }) {
    const { rows, columns, height, width } = this.shown;
    if (query === null || query >= height || (key ?? 0) >= width) return;
    /** @type {Pin} */
    const pinned = [rows.spans[query][0], key === null ? null : columns.spans[key][0]];
    this.store.set({ pins: togglePin(this.store.get().pins, pinned, this.payload.header.max_pins) });
  }

  /** @type {(row: number) => void} */
  unpin(row) {
    const [start, end] = this.shown.rows.spans[row];
    this.store.set({ pins: this.store.get().pins.filter(([query]) => query < start || query >= end) });
  }

  letGo() {
    this.store.set({ pins: [], hover: null });
  }

  // A row of text that changes width, a sidebar that opens: the matrix takes what room there is.
  resize() {
    const width = this.root.clientWidth;
    const isFull = this.fullScreen.isOn;
    if (!this.store || (Math.abs(width - this.width) < 1 && isFull === this.wasFull)) return;
    this.wasFull = isFull;
    this.fit();
  }

  fit() {
    const rooms = this.rooms();
    if (!this.width) return;
    this.overview.draw(this.field, this.store.get().hide_special);
    this.view.fit(rooms);
    this.focus();
  }

  // A map that is not there yet is waited for.
  commit() {
    this.reporting.commit({ isUrgent: this.shown.isReduced });
  }

  // Whether all that is saved in full precision is there: of a large recording, what is shown.
  hasNumbers() {
    if (!this.payload.header.whole) return hasNumbers(this.payload);
    const shown = this.view.picture().panels.map((panel) => panel.shown);
    return shown.filter((one) => !one.isDifference).every(({ field, options }) => isThere(field, options, readNumbers));
  }

  // Returns whether there is more to draw.
  /** @type {(payload: Payload, bytes: Uint8Array) => boolean} */
  take(payload, bytes) {
    const blocks = this.payload.recordings.flat();
    const isMore = payload.recordings
      .flat()
      .map((given, index) => absorb(blocks[index], given))
      .some(Boolean);
    if (hasNumbers(payload)) this.bytes = bytes;
    this.reporting.arrived();
    return isMore;
  }

  remove() {
    this.reporting.stop();
    this.steps?.stop();
    this.resizing.disconnect();
    this.exports?.remove();
    this.fullScreen.remove();
  }
}
