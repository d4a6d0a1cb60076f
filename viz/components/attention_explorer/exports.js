// Saving what is shown: as a picture, as numbers, or as a page of its own.

import { element } from "../browser/dom.js";
import { csv, npz, save, texts } from "../browser/save.js";
import { drawing, pngBlob, printed, svgBlob } from "./picture.js";
import { inFull } from "./prepare.js";
import { sharedPage } from "./sharing.js";

// A spreadsheet would run a text that begins like a formula.
function cellText(label) {
  return /^[=+\-@\t\r]/.test(label) ? `'${label}` : label;
}

export function numbersTable({ rows, columns, values, width }) {
  const lines = rows.labels.map((label, row) => {
    const found = values.subarray(row * width, (row + 1) * width);
    // Nine digits tell any two numbers of single precision apart.
    return [cellText(label), ...Array.from(found, (value) => String(Number(value.toPrecision(9))))];
  });
  return csv([["", ...columns.labels.map(cellText)], ...lines]);
}

// What is shown, and every recorded weight.
function numbersArchive(shown, recordings) {
  const arrays = {
    shown: { values: shown.values, shape: [shown.height, shown.width] },
    shown_queries: texts(shown.rows.labels),
    shown_keys: texts(shown.columns.labels),
  };
  recordings.forEach((blocks, index) => {
    for (const { name, layers, heads, numbers, queries, keys } of blocks) {
      const prefix = index ? `other_${name}` : name;
      arrays[prefix] = { values: numbers, shape: [layers, heads, queries.labels.length, keys.labels.length] };
      arrays[`${prefix}_queries`] = texts(queries.labels);
      arrays[`${prefix}_keys`] = texts(keys.labels);
    }
  });
  return npz(arrays);
}

// ``numbers`` resolves when every weight is there in full precision.
export function createExports({ text, header, tables, state }, { recordings }, { picture, numbers, page }) {
  const drawn = () => {
    const { panels, lines } = picture();
    const measure = header.measure || text["scale"];
    return drawing(panels, lines, { text, tables, measure, palette: header.palette, threshold: state().threshold });
  };
  const shown = () => inFull(picture().panels.map((panel) => panel.shown));
  const inNumbers = (make) => async () => {
    await numbers();
    return make();
  };
  const ways = [
    ["svg", "attention", () => svgBlob(drawn())],
    ["png", "attention", () => pngBlob(drawn())],
    ["csv", "attention-shown", inNumbers(() => numbersTable(shown()))],
    ["npz", "attention-explorer", inNumbers(() => numbersArchive(shown(), recordings))],
    ["html", "attention", inNumbers(() => sharedPage(page()))],
  ];
  const action = (way, act) => {
    const button = element("button", { type: "button", "data-save": way }, text[`save ${way}`]);
    button.addEventListener("click", () => {
      close();
      act();
    });
    return button;
  };
  const buttons = ways.map(([ending, name, make]) => action(ending, async () => save(await make(), `${name}.${ending}`)));
  buttons.splice(2, 0, action("print", () => printed(drawn())));
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
