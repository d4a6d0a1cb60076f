// One matrix with its tokens: a pixel for each cell, made larger by the browser; labels, bands and frames lie over it.

import { element, fill, isPlain, setAttribute, setText } from "../browser/dom.js";
import { placeIn } from "../browser/enlarged.js";
import { clamp } from "../browser/numbers.js";
import { columnsOf, standsUpright } from "../browser/scripts.js";
import { matrixPicture, paint } from "./colours.js";
import { indexOf } from "./prepare.js";
import { place, quoted, token } from "./words.js";
import { LARGEST_CELL, Zoom } from "./zoom.js";

/** @import { Words } from "../browser/types" */
/** @import { At, MatrixSettings, Parts, Pin, Shown } from "./types" */
/** @typedef {"row" | "column"} Axis */
/**
 * @typedef {object} MatrixView
 * @property {HTMLElement} node
 * @property {HTMLElement} cells
 * @property {(shown: Shown, settings: MatrixSettings) => void} draw
 * @property {(room?: number) => void} fit
 * @property {() => number} room
 * @property {(words: string, reading?: string) => void} caption
 * @property {(words: string) => void} describe
 * @property {(pinned: Pin[], litRow: number | null) => void} pin
 * @property {(at: At | null) => void} hover
 */

const LABEL_PIXELS = 13;
const SMALL_CELL = 10;
const LABEL_LIMIT = 118;
const CHARACTER_PIXELS = 7.8;
/** @type {Record<string, [rows: number, columns: number]>} */
const KEY_STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

/** @type {(parts: Parts) => MatrixView} */
export function createMatrix({ text, hover, pin, tallest }) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  const rowBand = element("div", { class: "band" });
  const columnBand = element("div", { class: "band" });
  const hovered = element("div", { class: "frame" });
  const pins = element("div", { class: "pins" });
  const cells = element(
    "div",
    { class: "cells", tabindex: 0, role: "application", "aria-roledescription": text["matrix role"] },
    canvas,
    rowBand,
    columnBand,
    pins,
    hovered,
  );
  const top = element("div", { class: "top labels", "aria-hidden": "true" });
  const left = element("div", { class: "left labels", "aria-hidden": "true" });
  const corner = element("div", { class: "corner" });
  const grid = element("div", { class: "grid" }, corner, top, left, cells);
  const scroll = element("div", { class: "scroll" }, grid);
  const smaller = element(
    "button",
    { type: "button", class: "zoom", "aria-label": text["zoom out"], title: text["zoom out"] },
    "−",
  );
  const larger = element(
    "button",
    { type: "button", class: "zoom", "aria-label": text["zoom in"], title: text["zoom in"] },
    "+",
  );
  const caption = element("figcaption");
  const hint = element("p", { class: "hint" });
  const node = element(
    "figure",
    { class: "matrix" },
    element("div", { class: "bar-line" }, caption, element("span", { class: "zooms" }, smaller, larger)),
    hint,
    scroll,
  );
  const hoverLabels = { row: element("div", { class: "label here" }), column: element("div", { class: "label here" }) };
  /** @type {Shown} */
  let shown;
  const zoom = new Zoom();
  let { cell } = zoom;
  let cursor = [0, 0];
  // The last row that is written; rows after it are not there yet.
  let last = Infinity;

  // The largest cell with which all is in sight; below one pixel the box scrolls instead.
  function fit(given = scroll.clientWidth) {
    if (!shown) return;
    const room = given - labelWidth(shown.rows.labels) - 2;
    zoom.fit(Math.min(room / shown.width, tallest() / shown.height));
    cell = zoom.cell;
    const box = { width: shown.width * cell, height: shown.height * cell };
    grid.style.gridTemplateColumns = `${labelWidth(shown.rows.labels)}px ${box.width}px`;
    grid.style.gridTemplateRows = `${labelWidth(shown.columns.labels) + 4}px ${box.height}px`;
    canvas.style.width = `${box.width}px`;
    canvas.style.height = `${box.height}px`;
    label(left, shown.rows.labels, hoverLabels.row, "row");
    label(top, shown.columns.labels, hoverLabels.column, "column");
    smaller.disabled = zoom.isSmallest;
    larger.disabled = zoom.isLargest;
  }

  // Where cells are smaller than letters, only every so manieth token is written.
  /** @type {(side: HTMLElement, labels: string[], here: HTMLElement, axis: Axis) => void} */
  function label(side, labels, here, axis) {
    const every = Math.ceil(LABEL_PIXELS / cell);
    const written = [];
    for (let index = 0; index < labels.length; index += every) {
      const name = token(labels[index], text);
      const made = element("div", { class: "label", title: labels[index] }, name);
      made.classList.toggle("upright", axis === "column" && standsUpright(name));
      put(made, index, axis);
      made.dataset.index = String(index);
      written.push(made);
    }
    here.hidden = true;
    side.replaceChildren(...written, here);
    if (axis === "row") hideUnwritten(left, last);
  }

  /** @type {(made: HTMLElement, index: number, axis: Axis) => void} */
  function put(made, index, axis) {
    const middle = (index + 0.5) * cell;
    made.style[axis === "row" ? "top" : "left"] = `${Math.max(0, middle - LABEL_PIXELS / 2 - 1)}px`;
  }

  /** @type {(event: MouseEvent) => [row: number, column: number]} */
  function cellAt(event) {
    const [column, row] = placeIn(cells, event).map((place) => Math.floor(place / cell));
    return [clamp(row, 0, lastShown()), clamp(column, 0, shown.width - 1)];
  }

  const lastShown = () => Math.min(shown.height - 1, last);

  /** @type {(event: MouseEvent, axis: Axis) => number} */
  function labelAt(event, axis) {
    const [x, y] = placeIn(cells, event);
    const [place, most] = axis === "row" ? [y, lastShown()] : [x, shown.width - 1];
    return clamp(Math.floor(place / cell), 0, most);
  }

  // What is in the middle of the box stays there. Returns whether anything has changed.
  /** @type {(change: (zoom: Zoom) => boolean) => boolean} */
  function setZoom(change) {
    if (!shown || !change(zoom)) return false;
    const before = cell;
    const middle = [scroll.scrollLeft + scroll.clientWidth / 2, scroll.scrollTop + scroll.clientHeight / 2];
    fit();
    const [x, y] = middle.map((place) => (place * cell) / before);
    scroll.scrollTo(x - scroll.clientWidth / 2, y - scroll.clientHeight / 2);
    node.dispatchEvent(new Event("laidout"));
    return true;
  }

  const enlarge = () => setZoom((own) => own.times(2));
  const reduce = () => setZoom((own) => own.times(0.5));
  smaller.addEventListener("click", reduce);
  larger.addEventListener("click", enlarge);
  scroll.addEventListener(
    "wheel",
    (event) => {
      // Where nothing is left to enlarge, the browser enlarges its page.
      if (event.ctrlKey && setZoom((own) => own.byWheel(event.deltaY))) event.preventDefault();
    },
    { passive: false },
  );
  cells.addEventListener("pointermove", (event) => hover({ query: cellAt(event)[0], key: cellAt(event)[1] }));
  left.addEventListener("pointermove", (event) => hover({ query: labelAt(event, "row"), key: null }));
  top.addEventListener("pointermove", (event) => hover({ query: null, key: labelAt(event, "column") }));
  grid.addEventListener("pointerleave", () => hover(null));
  cells.addEventListener("click", (event) => {
    cursor = cellAt(event);
    pin({ query: cursor[0], key: cursor[1] });
  });
  left.addEventListener("click", (event) => pin({ query: labelAt(event, "row"), key: null }));
  cells.addEventListener("focus", () => cells.matches(":focus-visible") && moveCursor([0, 0]));
  cells.addEventListener("keydown", (event) => {
    if (!isPlain(event)) return;
    if (KEY_STEPS[event.key]) moveCursor(KEY_STEPS[event.key]);
    else if (event.key === "Enter") pin({ query: cursor[0], key: cursor[1] });
    else if (event.key === " ") pin({ query: cursor[0], key: null });
    else if (event.key === "+") enlarge();
    else if (event.key === "-") reduce();
    else return;
    event.preventDefault();
  });

  /** @type {(step: [rows: number, columns: number]) => void} */
  function moveCursor([rows, columns]) {
    cursor = [clamp(cursor[0] + rows, 0, lastShown()), clamp(cursor[1] + columns, 0, shown.width - 1)];
    hover({ query: cursor[0], key: cursor[1], isByKey: true });
    keepInSight();
  }

  // The labels stay in place while the cells scroll under them.
  function keepInSight() {
    const x = cursor[1] * cell;
    const y = cursor[0] * cell;
    const room = [scroll.clientWidth - left.offsetWidth, scroll.clientHeight - top.offsetHeight];
    scroll.scrollLeft = clamp(scroll.scrollLeft, x + cell - room[0], x);
    scroll.scrollTop = clamp(scroll.scrollTop, y + cell - room[1], y);
  }

  /** @type {(here: HTMLElement, labels: string[], index: number | null, axis: Axis) => void} */
  function showHere(here, labels, index, axis) {
    here.hidden = index === null || index >= labels.length;
    if (index === null || here.hidden) return;
    const name = token(labels[index], text);
    setText(here, name);
    here.classList.toggle("upright", axis === "column" && standsUpright(name));
    put(here, index, axis);
  }

  /** @type {(pinned: Pin) => HTMLElement} */
  function pinFrame(pinned) {
    const row = indexOf(shown.rows, pinned[0]);
    const column = pinned[1] === null ? null : indexOf(shown.columns, pinned[1]);
    const frame = element("div", { class: column === null ? "pin of-row" : "pin" });
    if (row < 0 || column === -1) return frame;
    // Around a cell too small to hold a frame and still be seen.
    const pad = cell < SMALL_CELL ? 2 : 0;
    const [x, width] = column === null ? [0, shown.width * cell] : [column * cell, cell];
    place(frame, x - pad, row * cell - pad, width + 2 * pad, cell + 2 * pad);
    return frame;
  }

  return {
    node,
    cells,
    draw(given, settings) {
      const isOther = !shown || shown.width !== given.width || shown.height !== given.height;
      if (isOther) zoom.reset();
      shown = given;
      last = settings.lastRow;
      hideUnwritten(left, last);
      cursor = [clamp(cursor[0], 0, lastShown()), clamp(cursor[1], 0, shown.width - 1)];
      paint(canvas, matrixPicture(shown, settings), shown.width, shown.height);
    },
    fit,
    room: () => scroll.clientWidth,
    caption(words, reading = "") {
      setText(caption, words);
      setText(hint, reading);
      hint.hidden = !reading;
    },
    describe: (words) => setAttribute(cells, "aria-label", words),
    pin(pinned, litRow) {
      const frames = pinned.map(pinFrame);
      if (litRow !== null) {
        const lit = element("div", { class: "pin lit" });
        place(lit, 0, litRow * cell, shown.width * cell, cell);
        frames.unshift(lit);
      }
      pins.replaceChildren(...frames);
    },
    hover(at) {
      const { query = null, key = null } = at ?? {};
      rowBand.hidden = query === null;
      columnBand.hidden = key === null;
      hovered.hidden = query === null || key === null;
      if (query !== null) place(rowBand, 0, query * cell, shown.width * cell, cell);
      if (key !== null) place(columnBand, key * cell, 0, cell, shown.height * cell);
      if (query !== null && key !== null) place(hovered, key * cell, query * cell, cell, cell);
      showHere(hoverLabels.row, shown.rows.labels, query, "row");
      showHere(hoverLabels.column, shown.columns.labels, key, "column");
    },
  };
}

// Labels keep their place, so that nothing moves while a translation is written.
/** @type {(side: HTMLElement, last: number) => void} */
export function hideUnwritten(side, last) {
  for (const made of /** @type {HTMLCollectionOf<HTMLElement>} */ (side.children)) {
    if (made.dataset.index !== undefined) made.classList.toggle("unwritten", Number(made.dataset.index) > last);
  }
}

// What the matrix takes where its cells are as large as they become.
/** @type {(shown: Shown) => number} */
export const widestMatrix = ({ rows, width }) => labelWidth(rows.labels) + 2 + width * LARGEST_CELL;

/** @type {(labels: string[]) => number} */
function labelWidth(labels) {
  const longest = labels.reduce((most, label) => Math.max(most, columnsOf(label)), 1);
  return Math.min(LABEL_LIMIT, Math.ceil(longest * CHARACTER_PIXELS) + 8);
}

/** @type {(text: Words, shown: Shown, cell: { query: number; key: number }, value: string) => string} */
export function cellSentence(text, shown, { query, key }, value) {
  const names = { query: quoted(shown.rows.labels[query], text), key: quoted(shown.columns.labels[key], text) };
  return fill(text["cell"], { ...names, weight: value });
}
