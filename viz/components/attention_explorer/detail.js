// One matrix in detail: its cells, its lines and its rows as bars, all with the same query and key lit.

import { element, fill, setText } from "../browser/dom.js";
import { headColours } from "./colours.js";
import { createLines } from "./lines.js";
import { cellSentence, createMatrix } from "./matrix.js";
import { exactRow, indexOf, onOneScale, pinnedColumn, prepare, rowValues } from "./prepare.js";
import { createRow } from "./row.js";
import { headNumber, strongest } from "./summary.js";
import { touchedPin } from "./view.js";
import { number } from "./words.js";

/** @import { At, Drawn, Exact, Head, NamedColour, Parts, Pin, Settings, Shown, State } from "./types" */
/**
 * @typedef {object} Detail
 * @property {HTMLElement[]} nodes
 * @property {(shown: Shown, heads: Head[], caption: string) => void} shape
 * @property {(settings: Settings) => void} paint
 * @property {() => number[]} rooms
 * @property {(rooms: number[]) => void} fit
 * @property {(state: State, exact: Exact, litRow: number | null) => void} focus
 * @property {() => string} said
 * @property {() => Drawn} picture
 */

/** @type {(parts: Parts) => Detail} */
export function createDetail(parts) {
  const { text, header, tables } = parts;
  const matrix = createMatrix(parts);
  const lines = createLines(parts);
  const row = createRow(parts);
  const readout = element("p", { class: "readout" });
  matrix.node.append(readout);
  matrix.node.addEventListener("laidout", () => last && focus(...last));
  /** @type {Shown} */
  let shown;
  /** @type {Shown[]} */
  let chosen = [];
  /** @type {NamedColour[]} */
  let colours = [];
  let captionText = "";
  /** @type {number | null} */
  let lastQuery = null;
  /** @type {Pin | null} */
  let touched = null;
  /** @type {[state: State, exact: Exact, litRow: number | null] | null} */
  let last = null;

  // The row that is shown while none is pointed at: the first that is not a special token.
  function usualRow() {
    const index = shown.rows.spans.findIndex(([piece]) => !shown.field.rows.special[piece]);
    return Math.max(0, index);
  }

  /** @type {(state: State, exact: Exact, litRow: number | null) => void} */
  function focus(state, exact, litRow) {
    touched = touchedPin(touched, state, last?.[0]);
    last = [state, exact, litRow];
    const hovered = within(state.hover);
    const { query = null, key = null } = hovered ?? {};
    if (query !== null) [lastQuery, touched] = [query, null];
    if (lastQuery !== null && lastQuery >= shown.height) lastQuery = null;
    const pinnedRows = state.pins.map(([piece]) => indexOf(shown.rows, piece)).filter((index) => index >= 0);
    const touchedRow = pinnedRows.find((row) => touched && row === indexOf(shown.rows, touched[0]));
    const focused = query ?? touchedRow ?? litRow ?? lastQuery ?? pinnedRows.at(-1) ?? usualRow();
    matrix.pin(state.pins, litRow);
    matrix.hover(hovered);
    lines.focus(hovered, state.pins, litRow);
    row.focus(focused, state.pins, { exact, threshold: state.threshold });
    row.highlight(key);
    const pinned = query === null ? pinnedColumn(shown, focused, state.pins) : null;
    setText(readout, words(focused, pinned ?? key, exact));
  }

  /** @type {(hover: At | null) => At | null} */
  function within(hover) {
    if (!hover || (hover.query ?? 0) >= shown.height || (hover.key ?? 0) >= shown.width) return null;
    return hover;
  }

  /** @type {(query: number, key: number | null, exact: Exact) => string} */
  function words(query, key, exact) {
    if (shown.isReduced) return text["reduced"];
    const precise = exactRow(shown, query, exact);
    const values = precise ?? rowValues(shown, query);
    const [at] = key === null ? strongest(values, 1) : [key];
    const value = number(values[at], precise !== null);
    return cellSentence(text, shown, { query, key: at }, value);
  }

  return {
    nodes: [matrix.node, lines.node, row.node],
    shape(given, heads, caption) {
      shown = given;
      captionText = caption;
      // More heads than colours are drawn as one, which is what the matrix shows of them.
      const used = heads.length <= header.palette.heads.length ? heads : [];
      // Of a reduced map nothing is known cell by cell.
      for (const node of [lines.node, row.node]) node.classList.toggle("reduced", shown.isReduced);
      chosen =
        used.length > 1 && !shown.isReduced
          ? onOneScale(used.map((head) => prepare(shown.field, { ...shown.options, heads: [head] })))
          : [shown];
      colours =
        chosen.length > 1
          ? headColours(used, header.palette.heads).map((colour, index) => ({
              colour,
              name: headNumber(given.field, used[index]),
            }))
          : [{ colour: `rgb(${header.palette.hue.join(" ")})`, name: "" }];
      const sizes = { rows: shown.height, columns: shown.width };
      const state = parts.state();
      matrix.caption(caption, text[`reading ${state.kind}`]);
      matrix.describe(fill(text["matrix label"], { ...sizes, caption }));
      lines.describe(fill(text["lines label"], { ...sizes, caption }));
      row.draw(shown);
    },
    paint(settings) {
      matrix.draw(shown, { ...settings, table: tables.sequential });
      lines.draw(shown, shown.isReduced ? [] : chosen, shown.isReduced ? [] : colours, settings);
      lines.redraw();
    },
    rooms: () => [matrix.room(), lines.room()],
    fit([matrixRoom, linesRoom]) {
      matrix.fit(matrixRoom);
      lines.fit(linesRoom);
    },
    focus,
    said: () => readout.textContent,
    picture: () => ({ panels: [{ shown, caption: captionText }], lines: { shown, chosen, colours } }),
  };
}
