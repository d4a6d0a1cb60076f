// Saving what is shown: as a picture, as numbers, or as a page of its own.

import { element } from "../browser/dom.js";
import { csv, npz, save, texts } from "../browser/save.js";
import { drawing, pngBlob, svgBlob } from "./picture.js";
import { exactRow, rowValues } from "./prepare.js";
import { sharedPage } from "./sharing.js";

// A spreadsheet would run a text that begins like a formula.
function cellText(label) {
  return /^[=+\-@\t\r]/.test(label) ? `'${label}` : label;
}

export function numbersTable(shown, exact) {
  const lines = shown.rows.labels.map((label, row) => {
    const precise = shown.isDifference ? null : exactRow(shown, row, exact);
    const values = precise ?? rowValues(shown, row);
    return [cellText(label), ...Array.from(values, (value) => String(Number(value.toPrecision(precise ? 9 : 4))))];
  });
  return csv([["", ...shown.columns.labels.map(cellText)], ...lines]);
}

// What is shown, and every recorded weight as its byte and its map's scale.
function numbersArchive(shown, recordings) {
  const arrays = {
    shown: { values: shown.values, shape: [shown.height, shown.width] },
    shown_queries: texts(shown.rows.labels),
    shown_keys: texts(shown.columns.labels),
  };
  recordings.forEach((blocks, index) => {
    for (const { name, layers, heads, weights, scales, queries, keys } of blocks) {
      const prefix = index ? `other_${name}` : name;
      const shape = [layers, heads, queries.labels.length, keys.labels.length];
      // A copy, because the bytes of a message are a part of a larger buffer.
      arrays[`${prefix}_bytes`] = { values: weights.slice(), shape };
      arrays[`${prefix}_scales`] = { values: scales, shape: [layers, heads] };
      arrays[`${prefix}_queries`] = texts(queries.labels);
      arrays[`${prefix}_keys`] = texts(keys.labels);
    }
  });
  return npz(arrays);
}

export function createExports({ text, header, tables, state }, { recordings }, { picture, exact, page }) {
  const drawn = () => {
    const { panels, lines } = picture();
    return drawing(panels, lines, { text, tables, palette: header.palette, threshold: state().threshold });
  };
  const shown = () => picture().panels.at(-1).shown;
  const ways = [
    ["svg", () => svgBlob(drawn())],
    ["png", () => pngBlob(drawn())],
    ["csv", () => numbersTable(shown(), exact())],
    ["npz", () => numbersArchive(shown(), recordings)],
    ["html", () => sharedPage(page())],
  ];
  const buttons = ways.map(([ending, make]) => {
    const button = element("button", { type: "button", "data-save": ending }, text[`save ${ending}`]);
    button.addEventListener("click", async () => {
      close();
      save(await make(), `attention.${ending}`);
    });
    return button;
  });
  const summary = element("summary", {}, text["save"]);
  const node = element("details", { class: "exports" }, summary, element("div", { class: "menu" }, ...buttons));
  node.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !node.contains(relatedTarget) && (node.open = false));

  // Whether there was something to close.
  function close() {
    const wasOpen = node.open;
    if (wasOpen) summary.focus();
    node.open = false;
    return wasOpen;
  }

  return { node, close };
}
