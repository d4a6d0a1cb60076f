// Lines from each query to the keys it looks at; the darker, the larger the weight. Several heads have a colour each.

import { context2d, sharpness } from "../browser/canvas.js";
import { element, setText } from "../browser/dom.js";
import { placeIn } from "../browser/enlarged.js";
import { clamp } from "../browser/numbers.js";
import { hideUnwritten } from "./matrix.js";
import { indexOf } from "./prepare.js";
import { token } from "./words.js";

/** @import { At, NamedColour, Parts, Pin, Settings, Shown } from "./types" */
/**
 * @typedef {object} LinesView
 * @property {HTMLElement} node
 * @property {(room: number) => void} fit
 * @property {() => number} room
 * @property {() => void} redraw
 * @property {(shown: Shown, chosen: Shown[], colours: NamedColour[], settings: Settings) => void} draw
 * @property {(words: string) => void} describe
 * @property {(hovered: At | null, pins: Pin[], litRow: number | null) => void} focus
 */

const LABEL_SHARE = 0.32;
const LARGEST_PITCH = 20;
const HEIGHT = 560;
const LABEL_PIXELS = 14;
// Steps of opacity: lines of one step are one stroke, because a stroke each would take longer than a frame.
const STEPS = 10;
const FAINTEST = 0.04;
const MOST_LINES = 1000;

// Rows up to the last that is written.
/** @type {(shown: Pick<Shown, "height">, lastRow: number) => number[]} */
export function writtenRows({ height }, lastRow) {
  return Array.from({ length: Math.min(height, lastRow + 1) }, (_, index) => index);
}

// The lines strong enough to be seen, or the strongest of too many: query, key and share of the largest possible weight.
// Where ``only`` is a key, those to it.
/** @type {(shown: Pick<Shown, "values" | "top">, width: number, rows: Iterable<number>, threshold: number, only?: number | null) => [query: number, key: number, share: number][]} */
export function linesOf({ values, top }, width, rows, threshold, only = null) {
  const least = Math.max(FAINTEST, threshold) * top;
  /** @type {[number, number, number][]} */
  const found = [];
  const [first, end] = only === null ? [0, width] : [only, only + 1];
  for (const query of rows) {
    for (let key = first; key < end; key++) {
      const value = values[query * width + key];
      if (value >= least) found.push([query, key, value / top]);
    }
  }
  return found.length > MOST_LINES ? found.sort((a, b) => b[2] - a[2]).slice(0, MOST_LINES) : found;
}

/** @type {(parts: Parts) => LinesView} */
export function createLines({ text, hover, pin }) {
  const all = element("canvas", { class: "all", "aria-hidden": "true" });
  const focused = element("canvas", { class: "focused", "aria-hidden": "true" });
  const queries = element("div", { class: "tokens queries", "aria-hidden": "true" });
  const keys = element("div", { class: "tokens keys", "aria-hidden": "true" });
  const stage = element("div", { class: "stage", role: "img" }, all, focused, queries, keys);
  const legend = element("p", { class: "legend" });
  const title = element("h2", {}, text["lines"]);
  const node = element("section", { class: "lines" }, element("div", { class: "bar-line" }, title, legend), stage);
  const here = { query: element("div", { class: "label here" }), key: element("div", { class: "label here" }) };
  /** @type {{ values: Float32Array; top: number; colour: string }[]} */
  let layers = [];
  /** @type {Shown} */
  let shown;
  /** @type {Settings} */
  let options = { threshold: 0, lastRow: Infinity };
  let pitch = LARGEST_PITCH;
  let width = 0;
  let height = 0;

  /** @type {(index: number) => number} */
  const y = (index) => (index + 0.5) * pitch;

  /** @type {(event: MouseEvent) => At | null} */
  function at(event) {
    const [across, down] = placeIn(stage, event);
    const isQuery = across < stage.clientWidth / 2;
    const count = isQuery ? Math.min(shown.height, options.lastRow + 1) : shown.width;
    const index = Math.floor(down / pitch);
    if (index < 0 || index >= count) return null;
    return isQuery ? { query: index, key: null } : { query: null, key: index };
  }

  stage.addEventListener("pointermove", (event) => hover(at(event)));
  stage.addEventListener("pointerleave", () => hover(null));
  stage.addEventListener("click", (event) => {
    const place = at(event);
    if (place) pin(place);
  });

  /** @type {(canvas: HTMLCanvasElement, tall: number) => void} */
  function size(canvas, tall) {
    const ratio = sharpness(canvas);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(tall * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${tall}px`;
    context2d(canvas).setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** @type {(side: HTMLElement, labels: string[], mark: HTMLElement) => void} */
  function label(side, labels, mark) {
    const every = Math.ceil(LABEL_PIXELS / pitch);
    const made = [];
    for (let index = 0; index < labels.length; index += every) {
      const one = element("div", { class: "label", title: labels[index] }, token(labels[index], text));
      one.style.top = `${y(index) - LABEL_PIXELS / 2}px`;
      one.dataset.index = String(index);
      made.push(one);
    }
    mark.hidden = true;
    side.replaceChildren(...made, mark);
  }

  /** @type {(room: number) => void} */
  function fit(room) {
    if (!shown) return;
    const most = Math.max(shown.width, shown.height);
    pitch = clamp(HEIGHT / most, 1, LARGEST_PITCH);
    width = room;
    height = Math.ceil(most * pitch);
    stage.style.height = `${height}px`;
    size(all, height);
    size(focused, 0);
    label(queries, shown.rows.labels, here.query);
    hideUnwritten(queries, options.lastRow);
    label(keys, shown.columns.labels, here.key);
    drawAll();
  }

  // Each colour and step of opacity is one path.
  /** @type {(canvas: HTMLCanvasElement, rows: number[], only?: number) => void} */
  function stroke(canvas, rows, only) {
    const context = context2d(canvas);
    const ends = [width * LABEL_SHARE, width * (1 - LABEL_SHARE)];
    const middle = (ends[0] + ends[1]) / 2;
    // A line of one pixel is drawn several times faster than a wider one, which counts where there are many.
    context.lineWidth = canvas === all ? 1 : 1.4;
    for (const layer of layers) {
      const paths = Array.from({ length: STEPS }, () => new Path2D());
      for (const [query, key, share] of linesOf(layer, shown.width, rows, options.threshold, only)) {
        const path = paths[Math.min(STEPS - 1, Math.floor(share * STEPS))];
        path.moveTo(ends[0], y(query));
        path.bezierCurveTo(middle, y(query), middle, y(key), ends[1], y(key));
      }
      context.strokeStyle = layer.colour;
      paths.forEach((path, step) => {
        context.globalAlpha = (step + 0.75) / STEPS;
        context.stroke(path);
      });
    }
  }

  const visibleRows = () => writtenRows(shown, options.lastRow);

  function drawAll() {
    if (!shown || !width) return;
    context2d(all).clearRect(0, 0, width, all.height);
    stroke(all, visibleRows());
  }

  /** @type {(name: "query" | "key", labels: string[], index: number | null) => void} */
  function mark(name, labels, index) {
    const made = here[name];
    made.hidden = index === null || index < 0 || index >= labels.length;
    if (index === null || made.hidden) return;
    setText(made, token(labels[index], text));
    made.style.top = `${y(index) - LABEL_PIXELS / 2}px`;
  }

  return {
    node,
    fit,
    room: () => stage.clientWidth,
    redraw: drawAll,
    draw(given, chosen, colours, settings) {
      shown = given;
      options = settings;
      hideUnwritten(queries, options.lastRow);
      layers = chosen.map((one, index) => ({ values: one.values, top: one.top, colour: colours[index].colour }));
      legend.replaceChildren(
        ...(colours.length > 1 ? colours : []).map(({ colour, name }) => {
          const sign = element("span", { class: "sign" });
          sign.style.background = colour;
          return element("span", { class: "named" }, sign, name);
        }),
      );
    },
    describe: (words) => stage.setAttribute("aria-label", words),
    // The lines of what is hovered and pinned, over all others faintly.
    focus(hovered, pins, litRow) {
      const { query = null, key = null } = hovered ?? {};
      // Of a pinned cell the whole row: its own line alone may be too faint to be seen.
      const pinned = pins.map(([row]) => indexOf(shown.rows, row)).filter((row) => row >= 0);
      const rows = new Set([...pinned, ...[litRow, query].filter((row) => row !== null)]);
      const isFocused = rows.size > 0 || key !== null;
      stage.classList.toggle("focused", isFocused);
      // As large as the other only once something is lit: an empty canvas is sent to the screen all the same.
      if (isFocused && focused.height !== all.height) size(focused, height);
      context2d(focused).clearRect(0, 0, width, focused.height);
      if (rows.size) stroke(focused, [...rows]);
      if (key !== null && query === null) stroke(focused, visibleRows(), key);
      mark("query", shown.rows.labels, query);
      mark("key", shown.columns.labels, key);
    },
  };
}
