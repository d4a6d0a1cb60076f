// One head and one row, from the query and the keys to what is added: a column for each step.

import { element, fill } from "../../../../components/browser/dom.js";
import { clamp, fixed, written } from "../../../../components/browser/numbers.js";
import { mapOf } from "./heads.js";
import { isNarrow } from "./layout.js";
import { bar, largest, limitOf, stripes, tell } from "./marks.js";
import { rowIn } from "./row.js";
import { rowChoice } from "./row_choice.js";

// The steps of a head; only where later words are hidden, a mask has something to do.
export function stepsOf(part) {
  return ["products", "scaled", ...(part === "decoder" ? ["mask"] : []), "softmax", "values", "output"];
}

// Where there is room for one step alone, that is the first to begin with.
export const shownStep = (context, step) => (isNarrow(context) ? (step ?? "products") : step);

export function stepName({ header, words }, step) {
  return fill(words[`column ${step}`], { root: fixed(Math.sqrt(header.sizes.d_model / header.sizes.n_heads), 2) });
}

export function headView(context, state, act) {
  const { part, layer, head, row, step } = state;
  const { header, blocks, words, tables } = context;
  const map = mapOf(blocks, header, { part, layer, head });
  const { queries, keys } = map;
  const isSmall = isNarrow(context);
  const steps = stepsOf(part);
  const current = shownStep(context, step);
  const computed = rowIn(context, state, map);
  const weights = computed?.weights ?? keys.map((_, key) => map.at(row, key));
  const high = clamp(Math.floor(330 / (keys.length + 2)), 14, 30);

  const columns = [
    { step: "products", name: "keys", width: "minmax(56px, 1.3fr)", cell: keyStripes, foot: null },
    { step: "products", name: "products", width: "minmax(76px, 1fr)", cell: (key) => signed(computed?.products, key) },
    {
      step: "scaled",
      name: "scaled",
      width: "minmax(76px, 1fr)",
      cell: (key) => signed(computed?.scaled, key, !isShown("mask")),
    },
    ...(part === "decoder" ? [{ step: "mask", name: "mask", width: "44px", cell: masked }] : []),
    { step: "softmax", name: "softmax", width: "minmax(76px, 1fr)", cell: weightBar },
    { step: "values", name: "values", width: "minmax(76px, 1.5fr)", cell: valueBand },
  ].filter(({ step: its }) => !isSmall || its === current || (current === "output" && its === "values"));
  const place = current === null ? steps.length : steps.indexOf(current);

  function isShown(name) {
    return steps.indexOf(name) <= place;
  }

  const named = (name) => (column, value) => fill(words["dimension"], { name, n: column + 1, value: written(value) });
  const keyLimit = computed ? limitOf([...computed.query, ...computed.keys.flatMap((key) => [...key])]) : 1;
  const valueLimit = computed ? limitOf(computed.values.flatMap((value) => [...value])) : 1;
  const line = (values, limit, name) =>
    stripes(values, { table: tables.signed, limit, named: named(name), label: name });

  function keyStripes(key) {
    return computed ? line(computed.keys[key], keyLimit, `k ${keys[key]}`) : waiting();
  }
  function signed(values, key, isMasked = false) {
    if (!values) return waiting();
    const products = { value: fixed(values[key], 2), n: computed.d };
    const node = element(
      "button",
      { type: "button", class: "into", "data-key": key, "aria-label": fill(words["open cell"], products) },
      bar(values[key], { limit: largest(values), isSigned: true }),
    );
    node.addEventListener("click", () => act.openCell(key));
    node.classList.toggle("masked", isMasked && !computed.isSeen[key]);
    const value = fill(words["read off"], { query: queries[row], key: keys[key], value: written(values[key]) });
    return tell(node, () => fill(words["click for products"], { value, n: computed.d }));
  }
  function masked(key) {
    if (!computed) return waiting();
    return element("span", { class: computed.isSeen[key] ? "seen" : "hidden-key" }, computed.isSeen[key] ? "✓" : "−∞");
  }
  function weightBar(key) {
    return bar(weights[key], {
      limit: 1,
      note: fill(words["cell"], { query: queries[row], key: keys[key], weight: written(weights[key]) }),
    });
  }
  function valueBand(key) {
    if (!computed) return waiting();
    const node = line(computed.values[key], valueLimit, `v ${keys[key]}`);
    node.style.height = `${Math.max(1.5, weights[key] * (high - 4))}px`;
    return element("span", { class: "band" }, node);
  }
  function waiting() {
    return element("span", { class: "waiting" }, "…");
  }

  const rows = [];
  const addRow = () => rows.push(element("div", { class: "calc-row" }));
  const add = (node, column, classes = "") => {
    const its = column ? steps.indexOf(column.step) : -1;
    node.className = `${node.className} calc-cell ${classes}`.trim();
    if (column) {
      node.dataset.step = column.step;
      node.classList.toggle("later", its > place && !(current === "output"));
      node.classList.toggle("current", column.step === current);
    }
    rows[rows.length - 1].append(node);
  };
  addRow();
  add(element("span", {}, words["step keys"]), null, "head-cell");
  for (const column of columns) {
    const button = element(
      "button",
      { type: "button", "aria-pressed": String(column.step === current) },
      column.name === "keys" ? words["column keys"] : stepName(context, column.step),
    );
    button.addEventListener("click", () => act.step(column.step));
    add(element("span", {}, button), column, "head-cell");
  }
  addRow();
  add(element("span", { class: "token" }, fill(words["query"], { query: queries[row] })), null, "row-name query");
  columns.forEach((column) => {
    const node = element("span", {});
    if (column.name === "keys" && computed) node.append(line(computed.query, keyLimit, `q ${queries[row]}`));
    if (column.name === "softmax") node.append(element("span", { class: "sum" }, words["sums to"]));
    add(node, column, "query");
  });
  keys.forEach((label, key) => {
    addRow();
    add(
      element("span", { class: "token" }, label),
      null,
      `row-name${computed && !computed.isSeen[key] ? " masked" : ""}`,
    );
    for (const column of columns) add(element("span", {}, column.cell(key)), column);
  });
  if (columns.some(({ name }) => name === "softmax" || name === "values")) addTotals();
  const calculation = element("div", { class: "calculation" }, ...rows);
  calculation.style.gridTemplateColumns = ["max-content", ...columns.map((column) => column.width)].join(" ");
  calculation.style.setProperty("--row", `${high}px`);

  const output = element("div", { class: "output-line" });
  output.classList.toggle("current", current === "output");
  output.classList.toggle("later", place < steps.indexOf("output"));
  const outputButton = element(
    "button",
    { type: "button", "aria-pressed": String(current === "output") },
    words["column output"],
  );
  outputButton.addEventListener("click", () => act.step("output"));
  output.append(
    element("span", { class: "head-cell" }, outputButton),
    computed ? line(computed.output, limitOf(computed.output), words["column output"]) : waiting(),
    element("span", { class: "aside" }, computed ? fill(words["head adds"], { length: fixed(computed.added, 2) }) : ""),
  );
  const choice = rowChoice(context, state, (its) => act.row(its));
  return [element("div", { class: "head-view" }, choice, element("div", { class: "steps" }, calculation, output))];

  // The weights add up to 1, and the values that they weigh to z.
  function addTotals() {
    const hasValues = columns.some(({ name }) => name === "values");
    addRow();
    add(element("span", { class: "token" }, words[hasValues ? "z" : "sum"]), null, "row-name total");
    columns.forEach((column) => {
      const node = element("span", {});
      if (column.name === "softmax")
        node.append(
          bar(
            weights.reduce((sum, one) => sum + one, 0),
            { limit: 1 },
          ),
        );
      if (column.name === "values" && computed) {
        const z = line(computed.z, limitOf(computed.z), "z");
        z.dataset.z = "";
        node.append(z);
      }
      add(node, column, "total");
    });
  }
}
