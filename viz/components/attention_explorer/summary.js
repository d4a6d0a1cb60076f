// The matrix in words: what is shown as a caption, and its strongest weights as a table, made when it is opened.

import { element, fill, listed } from "../browser/dom.js";
import { rowValues } from "./prepare.js";
import { number, quoted, token } from "./words.js";

/** @import { Words } from "../browser/types" */
/** @import { Combine, Field, Head, Panel, Parts, Shown } from "./types" */

const STRONGEST = 3;
const MOST_NAMED = 8;

/** @typedef {Pick<Field, "layerNumbers">} Numbered */

// What people call a layer: its number in the model, from 1.
/** @type {(field: Numbered, layer: number) => number} */
export function layerName(field, layer) {
  return (field.layerNumbers[layer] ?? layer) + 1;
}

// The short name of a head: its layer, a point, its number.
/** @type {(field: Numbered, head: Head) => string} */
export function headNumber(field, [layer, head]) {
  return `${layerName(field, layer)}.${head + 1}`;
}

/** @type {(field: Numbered, text: Words, heads: Head[], combine: Combine) => string} */
export function headWords(field, text, heads, combine) {
  const [[layer, head]] = heads;
  if (heads.length === 1) return fill(text["head name"], { layer: layerName(field, layer), head: head + 1 });
  if (heads.length > MOST_NAMED) return fill(text[`${combine} of many`], { count: heads.length });
  return fill(text[`${combine} of`], {
    heads: listed(
      heads.map((one) => headNumber(field, one)),
      text["pair"],
    ),
  });
}

/** @type {(values: ArrayLike<number>, count: number) => number[]} */
export function strongest(values, count) {
  return Array.from(values, (_, key) => key)
    .sort((a, b) => values[b] - values[a])
    .slice(0, count);
}

/** @type {(parts: Pick<Parts, "text">) => { node: HTMLElement; draw(panels: Panel[]): void }} */
export function createTable({ text }) {
  const label = { tabindex: 0, role: "region", "aria-label": text["table"] };
  const scroll = element("div", { class: "scroll", ...label });
  const node = element("details", { class: "table" }, element("summary", {}, text["table"]), scroll);
  /** @type {Panel[]} */
  let current = [];

  /** @type {(shown: Shown, row: number) => Node} */
  function line(shown, row) {
    const values = rowValues(shown, row);
    const found = strongest(values, STRONGEST).map((key) =>
      fill(text["key and weight"], {
        key: quoted(shown.columns.labels[key], text),
        weight: number(values[key], false),
      }),
    );
    return element(
      "tr",
      {},
      element("th", { scope: "row", translate: "no" }, token(shown.rows.labels[row], text)),
      element("td", { translate: "no" }, listed(found, text["pair apart"])),
    );
  }

  /** @type {(panel: Panel) => HTMLElement} */
  function table({ shown, caption }) {
    const names = [text["query"], text["strongest keys"]].map((name) => element("th", { scope: "col" }, name));
    return element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...names)),
      element("tbody", {}, ...Array.from({ length: shown.height }, (_, row) => line(shown, row))),
    );
  }

  function build() {
    if (node.open) scroll.replaceChildren(...current.map(table));
  }

  node.addEventListener("toggle", build);
  return {
    node,
    draw(panels) {
      if (panels.some(({ shown }) => shown.isReduced)) return;
      current = panels;
      build();
    },
  };
}
