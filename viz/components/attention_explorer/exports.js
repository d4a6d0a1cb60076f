// Saving what is shown: as a picture, as numbers, or as a page of its own.

import { createMenu } from "../browser/menu.js";
import { printed } from "../browser/print.js";
import { csv, npz, texts } from "../browser/save.js";
import { pngBlob, svgBlob } from "../browser/svg_file.js";
import { hasNumbers } from "./payload.js";
import { drawing } from "./picture.js";
import { inFull } from "./prepare.js";
import { sharedPage } from "./sharing.js";

/** @import { Fillable, Menu, SavedArray } from "../browser/types" */
/** @import { Block, Drawn, PageParts, Panel, Parts, Payload, Settings, Shown } from "./types" */
/**
 * @typedef {object} Source
 * @property {() => Drawn} picture
 * @property {() => Settings} settings
 * @property {() => Promise<unknown>} numbers
 * @property {() => PageParts} page
 * @property {Fillable} fullScreen
 */

// The corner of a table: what its rows and its columns are.
const QUERY_BY_KEY = "query \\ key";

// A spreadsheet would run a text that begins like a formula.
/** @type {(label: string) => string} */
function cellText(label) {
  return /^[=+\-@\t\r]/.test(label) ? `'${label}` : label;
}

/** @type {(shown: Shown) => string[][]} */
function tableRows({ rows, columns, values, width }) {
  const lines = rows.labels.map((label, row) => {
    const found = values.subarray(row * width, (row + 1) * width);
    // Nine digits tell any two numbers of single precision apart.
    return [cellText(label), ...Array.from(found, (value) => String(Number(value.toPrecision(9))))];
  });
  return [[QUERY_BY_KEY, ...columns.labels.map(cellText)], ...lines];
}

// A matrix as a table; of several one below the other, each under its caption.
/** @type {(panels: Panel[]) => Blob} */
export function numbersTable(panels) {
  if (panels.length === 1) return csv(tableRows(panels[0].shown));
  return csv(
    panels.flatMap(({ shown, caption }, index) => [...(index ? [[]] : []), [cellText(caption)], ...tableRows(shown)]),
  );
}

// What is shown, and every recorded weight.
/** @type {(panels: Panel[], recordings: Block[][]) => Blob} */
function numbersArchive(panels, recordings) {
  /** @type {Record<string, SavedArray>} */
  const arrays = {};
  panels.forEach(({ shown }, index) => {
    const name = panels.length > 1 ? `shown_${index + 1}` : "shown";
    arrays[name] = { values: shown.values, shape: [shown.height, shown.width] };
    arrays[`${name}_queries`] = texts(shown.rows.labels);
    arrays[`${name}_keys`] = texts(shown.columns.labels);
  });
  recordings.forEach((blocks, index) => {
    for (const { name, layers, heads, numbers, queries, keys } of blocks) {
      const prefix = index ? `other_${name}` : name;
      if (numbers)
        arrays[prefix] = { values: numbers, shape: [layers, heads, queries.labels.length, keys.labels.length] };
      arrays[`${prefix}_queries`] = texts(queries.labels);
      arrays[`${prefix}_keys`] = texts(keys.labels);
    }
  });
  return npz(arrays);
}

// ``numbers`` resolves when every weight is there in full precision.
/** @type {(parts: Parts, payload: Payload, source: Source) => Menu} */
export function createExports({ text, header, tables }, payload, { picture, settings, numbers, page, fullScreen }) {
  const drawn = () => {
    const { panels, lines } = picture();
    const measure = header.measure || text["scale"];
    return drawing(panels, lines, { text, tables, measure, palette: header.palette, ...settings() });
  };
  const panels = () => {
    const drawnPanels = picture().panels;
    const all = inFull(drawnPanels.map((panel) => panel.shown));
    return drawnPanels.map((panel, index) => ({ ...panel, shown: all[index] ?? panel.shown }));
  };
  /** @type {<T>(make: () => T | Promise<T>) => () => Promise<T>} */
  const inNumbers = (make) => async () => {
    await numbers();
    return make();
  };
  /** @type {(name: string, ending: string) => () => string} */
  const named = (name, ending) => () => `${name}.${ending}`;
  const pictures = [
    { kind: "svg", name: named("attention", "svg"), make: () => svgBlob(drawn()) },
    { kind: "png", name: named("attention", "png"), make: () => pngBlob(drawn()) },
    { kind: "print", act: () => printed(drawn()) },
  ];
  const tablesAndArrays = [
    {
      kind: "csv",
      label: text["save csv"],
      name: named("attention-shown", "csv"),
      make: inNumbers(() => numbersTable(panels())),
    },
    {
      kind: "npz",
      label: text["save npz"],
      name: named("attention-explorer", "npz"),
      make: inNumbers(() => numbersArchive(panels(), payload.recordings)),
    },
  ];
  const html = { kind: "html", label: text["save html"], name: named("attention", "html") };
  const sharing = () => sharedPage(page());
  // A page that was made of bytes alone has nobody to ask for more.
  const filesOfAll = () =>
    header.is_alone && !hasNumbers(payload)
      ? [...pictures, { ...html, make: sharing }]
      : [...pictures, ...tablesAndArrays, { ...html, make: inNumbers(sharing) }];
  // Of a large recording the browser has not all: what holds it all is made by Python, if at all.
  const files = header.whole ? [...pictures, tablesAndArrays[0]] : filesOfAll();
  return createMenu({ labels: header.menu.labels, name: text["shared title"], files, fullScreen });
}
