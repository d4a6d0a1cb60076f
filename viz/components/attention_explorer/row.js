// Rows of the matrix as bars with numbers, side by side: each pinned one, then the one under the pointer.

import { element, fill, setAttribute, setText } from "../browser/dom.js";
import { exactRow, indexOf, rowValues } from "./prepare.js";
import { number, token } from "./words.js";

/** @import { Exact, Parts, Pin, Shown } from "./types" */
/** @typedef {{ cell: HTMLElement, label: HTMLElement, release: HTMLElement, query: number }} Heading */
/** @typedef {{ item: HTMLElement, label: HTMLElement, values: HTMLElement[], key: number }} Line */
/** @typedef {{ query: number, values: Float32Array | Float64Array, isExact: boolean }} Row */
/**
 * @typedef {object} RowView
 * @property {HTMLElement} node
 * @property {(shown: Shown) => void} draw
 * @property {(query: number, pins: Pin[], options: { exact: Exact, threshold: number }) => void} focus
 * @property {(key: number | null) => void} highlight
 */

const MOST_BARS = 32;

/** @type {(parts: Parts) => RowView} */
export function createRow({ text, hover, pin, unpin }) {
  const head = element("tr");
  const body = element("tbody");
  const title = element("h2", {}, text["row"]);
  const note = element("p", { class: "hint" });
  const table = element("table", { class: "bars" }, element("thead", {}, head), body);
  const node = element(
    "section",
    { class: "row-view" },
    title,
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": text["row"] }, table),
    note,
  );
  /** @type {Heading[]} */
  const columns = [];
  /** @type {Line[]} */
  const lines = [];
  /** @type {Shown} */
  let shown;
  let focused = 0;

  /** @type {() => Heading} */
  function heading() {
    const label = element("span", { class: "label", translate: "no" });
    const release = element("button", { type: "button", class: "release" }, "×");
    /** @type {Heading} */
    const made = { cell: element("th", { scope: "col" }, label, release), label, release, query: 0 };
    release.addEventListener("click", () => unpin(made.query));
    return made;
  }

  /** @type {() => Line} */
  function line() {
    const label = element("th", { scope: "row", class: "label", translate: "no" });
    /** @type {Line} */
    const made = { item: element("tr", {}, label), label, values: [], key: 0 };
    made.item.addEventListener("pointerenter", () => hover({ query: focused, key: made.key }));
    made.item.addEventListener("pointerleave", () => hover(null));
    made.item.addEventListener("click", ({ target }) => {
      const column = made.values.indexOf(/** @type {HTMLElement} */ (target));
      pin({ query: columns[column]?.query ?? focused, key: made.key });
    });
    return made;
  }

  // As many columns and lines as there are rows and keys to show; kept while the pointer moves.
  /** @type {(nColumns: number, nLines: number) => void} */
  function resize(nColumns, nLines) {
    while (columns.length < nColumns) columns.push(heading());
    columns.length = nColumns;
    if (head.childElementCount !== nColumns + 1) {
      head.replaceChildren(element("td"), ...columns.map(({ cell }) => cell));
    }
    while (lines.length < nLines) lines.push(line());
    lines.length = nLines;
    if (body.childElementCount !== nLines) body.replaceChildren(...lines.map(({ item }) => item));
    for (const { item, values } of lines) {
      while (values.length < nColumns) values.push(item.appendChild(element("td")));
      while (values.length > nColumns) values.pop()?.remove();
    }
  }

  /** @type {(query: number, exact: Exact) => Row} */
  function read(query, exact) {
    const precise = exactRow(shown, query, exact);
    return { query, values: precise ?? rowValues(shown, query), isExact: precise !== null };
  }

  /** @type {(column: Heading, row: Row, isPinned: boolean) => void} */
  function fillHeading(column, { query, isExact }, isPinned) {
    const label = token(shown.rows.labels[query], text);
    column.query = query;
    column.release.hidden = !isPinned;
    setText(column.label, label);
    setAttribute(column.cell, "title", `${label} · ${text[isExact ? "exact" : "rounded"]}`);
    setAttribute(column.cell, "data-exact", isExact);
    setAttribute(column.cell, "class", isPinned ? "pinned" : "");
    setAttribute(column.release, "aria-label", fill(text["release"], { query: label }));
  }

  /** @type {(cell: HTMLElement, value: number, isExact: boolean, least: number) => void} */
  function fillCell(cell, value, isExact, least) {
    const share = value / shown.top;
    cell.style.setProperty("--share", String(Math.min(1, share)));
    setText(cell, number(value, isExact));
    setAttribute(cell, "data-weight", value);
    setAttribute(cell, "class", share < least ? "below" : "");
  }

  // In the order of the tokens, or the strongest first where there are too many to see at once.
  /** @type {(values: ArrayLike<number>) => number[]} */
  function order(values) {
    const keys = Array.from(values, (_, index) => index);
    return keys.length <= MOST_BARS ? keys : keys.sort((a, b) => values[b] - values[a]).slice(0, MOST_BARS);
  }

  return {
    node,
    draw: (given) => {
      shown = given;
    },
    focus(query, pins, { exact, threshold }) {
      const pinned = [...new Set(pins.map(([row]) => indexOf(shown.rows, row)))].filter((row) => row >= 0);
      // Last, so that what is pinned stays in its place.
      const rows = [...new Set([...pinned, query])].map((row) => read(row, exact));
      const keys = order(rows[0].values);
      focused = query;
      resize(rows.length, keys.length);
      rows.forEach((row, index) => fillHeading(columns[index], row, index < pinned.length));
      keys.forEach((key, index) => {
        const made = lines[index];
        made.key = key;
        setText(made.label, token(shown.columns.labels[key], text));
        setAttribute(made.item, "data-key", key);
        rows.forEach(({ values, isExact }, column) => fillCell(made.values[column], values[key], isExact, threshold));
      });
      setText(
        note,
        keys.length < shown.width ? fill(text["strongest only"], { count: keys.length, all: shown.width }) : "",
      );
    },
    highlight(key) {
      for (const { item, key: own } of lines) item.classList.toggle("here", own === key);
    },
  };
}
