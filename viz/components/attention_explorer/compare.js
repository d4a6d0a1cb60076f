// Two heads, or the same heads in two recordings, side by side; and where their tokens fit each other, the difference.

import { element, fill, setText } from "../browser/dom.js";
import { cellSentence, createMatrix } from "./matrix.js";
import { hasHead } from "./measures.js";
import { difference, haveSameHeads, indexOf, onOneScale, prepare } from "./prepare.js";
import { headWords } from "./summary.js";
import { number } from "./words.js";

/** @import { Words } from "../browser/types" */
/** @import { At, Drawn, Fields, Parts, Settings, Shaping, Shown, State } from "./types" */
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

/** @type {(parts: Parts) => Comparison} */
export function createComparison(parts) {
  const { text, header, tables } = parts;
  const readout = element("p", { class: "readout" });
  const note = element("p", { class: "hint" });
  const matrices = ["first", "second", "difference"].map(() => createMatrix(parts));
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
    shown.forEach((one, index) => {
      const { query = null, key = null } = state.hover ?? {};
      const isInside = (query ?? 0) < one.height && (key ?? 0) < one.width;
      matrices[index].pin(
        state.pins.filter(([piece]) => indexOf(one.rows, piece) >= 0),
        null,
      );
      matrices[index].hover(isInside ? state.hover : null);
    });
    setText(readout, words(state.hover) ?? " ");
  }

  /** @type {(hover: At | null) => string | null} */
  function words(hover) {
    if (shown.some(({ isReduced }) => isReduced)) return text["reduced"];
    if (!hover || hover.query === null || hover.key === null || shown.length < 3) return null;
    const { query, key } = hover;
    const values = shown.flatMap((one) => one.values[query * one.width + key] ?? []);
    if (values.length < 3) return null;
    const [first, second, between] = values.map((value) => number(Math.abs(value), false));
    const sign = values[2] < 0 ? "−" : "+";
    return cellSentence(
      text,
      shown[0],
      { query, key },
      fill(text["two weights"], { first, second, difference: `${sign}${between}` }),
    );
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
