// Two heads, or the same heads in two recordings, side by side; and where their tokens fit each other, the difference.

import { element, fill, setText } from "../browser/dom.js";
import { cellSentence, createMatrix } from "./matrix.js";
import { hasHead } from "./measures.js";
import { difference, haveSameHeads, indexOf, onOneScale, prepare } from "./prepare.js";
import { headWords } from "./summary.js";
import { number } from "./words.js";

/** @import { Words } from "../browser/types" */
/** @import { At, Drawn, Fields, Parts, Pin, Settings, Shaping, Shown, State, Tokens } from "./types" */
/**
 * @typedef {object} Comparison
 * @property {HTMLElement} node
 * @property {(fields: Fields[], options: Options, compare: string) => void} shape
 * @property {(settings: Settings) => void} paint
 * @property {() => number[]} rooms
 * @property {(rooms: number[]) => void} fit
 * @property {(state: State) => void} focus
 * @property {() => string} said
 * @property {() => Drawn} picture
 */

/** @typedef {[shown: Shown, caption: string][]} Captioned */
/** @typedef {Shaping & Pick<State, "kind">} Options */

// The chosen heads in each recording, of those that it has; a recording that has none of them is left out.
/** @type {(fields: Fields[], options: Options, parts: Pick<Parts, "text" | "header">) => Captioned} */
export function ofRecordings(fields, options, { text, header }) {
  return fields.slice(0, 2).flatMap((recording, index) => {
    const field = recording.of(recording.kinds.includes(options.kind) ? options.kind : recording.kinds[0]);
    const heads = options.heads.filter(([layer, head]) => hasHead(field, layer, head));
    if (!heads.length) return [];
    const caption = `${header.names[index]} · ${headWords(field, text, heads, options.combine)}`;
    return /** @type {Captioned} */ ([[prepare(field, { ...options, heads }), caption]]);
  });
}

/** @type {(recording: Fields, options: Options, text: Words) => Captioned} */
function ofHeads(recording, options, text) {
  const field = recording.of(options.kind);
  return options.heads
    .slice(0, 2)
    .map((head) => [prepare(field, { ...options, heads: [head] }), headWords(field, text, [head], options.combine)]);
}

/** @type {(one: Tokens, other: Tokens) => boolean} */
function isSame(one, other) {
  return one === other || JSON.stringify([one.labels, one.spans]) === JSON.stringify([other.labels, other.spans]);
}

/** @type {(shown: Shown[], at: At) => boolean} */
function isInside(shown, { query, key, matrix = 0 }) {
  return matrix < shown.length && (query ?? 0) < shown[matrix].height && (key ?? 0) < shown[matrix].width;
}

// What a place in one matrix is in another: among other tokens it is none.
/** @type {(shown: Shown[], at: At, index: number) => At} */
export function samePlace(shown, at, index) {
  const [own, one] = [shown[at.matrix ?? 0], shown[index]];
  const query = isSame(own.rows, one.rows) ? at.query : null;
  return { ...at, query, key: isSame(own.columns, one.columns) ? at.key : null };
}

// Pins are places in the first recording.
/** @type {(shown: Shown[], pins: Pin[], index: number) => Pin[]} */
export function pinsIn(shown, pins, index) {
  const [first, one] = [shown[0], shown[index]];
  const hasColumns = isSame(first.columns, one.columns);
  if (!isSame(first.rows, one.rows)) return [];
  return pins.filter(([query, key]) => (key === null || hasColumns) && indexOf(one.rows, query) >= 0);
}

// A cell in words: its own weight, or with a difference those of both.
/** @type {(text: Words, shown: Shown[], at: At) => string | null} */
export function comparedCell(text, shown, at) {
  const { query, key, matrix = 0 } = at;
  if (query === null || key === null || !isInside(shown, at)) return null;
  const all = shown.length === 3 ? shown : [shown[matrix]];
  const values = all.map((one) => one.values[query * one.width + key]);
  const [first, second, between] = values.map((value) => number(Math.abs(value), false));
  const sign = Number(between) && values[2] < 0 ? "−" : "+";
  const weight =
    values.length === 3 ? fill(text["two weights"], { first, second, difference: `${sign}${between}` }) : first;
  return cellSentence(text, shown[matrix], { query, key }, weight);
}

/** @type {(parts: Parts) => Comparison} */
export function createComparison(parts) {
  const { text, header, tables } = parts;
  const readout = element("p", { class: "readout" });
  const note = element("p", { class: "hint" });
  const matrices = ["first", "second", "difference"].map((_, matrix) =>
    createMatrix({
      ...parts,
      hover: (at) => parts.hover(at && { ...at, matrix }),
      pin: (at) => pin({ ...at, matrix }),
    }),
  );
  const sides = element("div", { class: "sides" }, ...matrices.map(({ node }) => node));
  const node = element("section", { class: "comparison", "aria-label": text["compare"] }, sides, readout, note);
  /** @type {Shown[]} */
  let shown = [];
  /** @type {string[]} */
  let captions = [];
  /** @type {State | null} */
  let last = null;
  for (const { node: one } of matrices) one.addEventListener("laidout", () => last && focus(last));

  /** @type {(compare: string) => string} */
  function reason(compare) {
    if (shown.length === 3) return text["compare hint"];
    if (shown.length < 2 && compare === "heads") return text["compare needs two"];
    return text[haveSameHeads(shown) ? "no difference" : "not in both"];
  }

  /** @type {(state: State) => void} */
  function focus(state) {
    last = state;
    const at = state.hover && isInside(shown, state.hover) ? state.hover : null;
    shown.forEach((_, index) => {
      matrices[index].pin(pinsIn(shown, state.pins, index), null);
      matrices[index].hover(at && samePlace(shown, at, index));
    });
    setText(readout, words(at ?? placeOf(state.pins.at(-1))) ?? " ");
  }

  // What has no place in the first recording is answered for, and not kept.
  /** @type {(at: At) => void} */
  function pin(at) {
    const { query, key } = samePlace(shown, at, 0);
    if (query === at.query && key === at.key) parts.pin(at);
    else parts.hover(at);
  }

  // Where the last pin is: a finger leaves nothing that is pointed at.
  /** @type {(pin?: Pin) => At | null} */
  function placeOf(pin) {
    if (!pin || pin[1] === null) return null;
    const [query, key] = [indexOf(shown[0].rows, pin[0]), indexOf(shown[0].columns, pin[1])];
    return query < 0 || key < 0 ? null : { query, key };
  }

  /** @type {(at: At | null) => string | null} */
  function words(at) {
    if (shown.some(({ isReduced }) => isReduced)) return text["reduced"];
    return at && comparedCell(text, shown, at);
  }

  return {
    node,
    shape(fields, options, compare) {
      const pair = compare === "recordings" ? ofRecordings(fields, options, parts) : ofHeads(fields[0], options, text);
      shown = onOneScale(pair.map(([one]) => one));
      const isFit = compare === "heads" || (header.subtracts && haveSameHeads(shown));
      const between = shown.length === 2 && isFit ? difference(shown) : null;
      if (between) shown.push(between);
      captions = [...pair.map(([, caption]) => caption), text["difference"]];
      matrices.forEach((matrix, index) => {
        matrix.node.hidden = index >= shown.length;
        if (matrix.node.hidden) return;
        const { height: rows, width: columns } = shown[index];
        matrix.caption(captions[index]);
        matrix.describe(fill(text["matrix label"], { rows, columns, caption: captions[index] }));
      });
      setText(note, reason(compare));
    },
    paint(settings) {
      shown.forEach((one, index) => {
        const isSigned = Boolean(one.isDifference);
        matrices[index].draw(one, { ...settings, isSigned, table: isSigned ? tables.diverging : tables.sequential });
      });
    },
    rooms: () => shown.map((_, index) => matrices[index].room()),
    fit: (rooms) => rooms.forEach((room, index) => matrices[index].fit(room)),
    focus,
    said: () => readout.textContent,
    picture() {
      const panels = shown.map((one, index) => ({
        shown: one,
        caption: captions[index],
        isSigned: Boolean(one.isDifference),
      }));
      return { panels, lines: null };
    },
  };
}
