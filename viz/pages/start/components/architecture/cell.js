// One cell: the products of a query and a key, dimension by dimension, their sum, and the weight that it becomes.

import { element, fill } from "../../../../components/browser/dom.js";
import { fixed, written } from "../../../../components/browser/numbers.js";
import { stepName, stepsOf } from "./head.js";
import { sidesOf } from "./heads.js";
import { columnBars, limitOf, rowTokens, stripes } from "./marks.js";
import { productsOf, rowIn } from "./row.js";
import { rowChoice } from "./row_choice.js";

const ROUNDED_AWAY = 0.005; // what two decimals show as 0

export function cellView(context, state, act) {
  const { header, words } = context;
  const sides = sidesOf(header, state.part);
  const { queries, keys } = sides;
  const computed = rowIn(context, state, sides);
  const choice = element(
    "div",
    { class: "token-choice" },
    element("span", { class: "head-cell" }, words["choose key"]),
    ...rowTokens(keys, state.key, (key) => act.cell({ key })),
  );
  const labels = { query: queries[state.row], key: keys[state.key] };
  const calculation = computed
    ? [productLines(context, computed, state.key, labels), sumLine(context, computed, state, labels)]
    : [element("span", { class: "waiting" }, "…")];
  return [
    element(
      "div",
      { class: "head-view" },
      rowChoice(context, state, (row, key) => act.cell(key === undefined ? { row } : { row, key })),
      element("div", { class: "steps" }, choice, ...calculation),
    ),
  ];
}

// The query, the key under it, and under each pair of numbers their product and the sum so far.
function productLines({ words, tables }, computed, key, labels) {
  const { query, keys } = computed;
  const { products, sums } = productsOf(query, keys[key]);
  const limit = limitOf([...query, ...keys.flatMap((one) => [...one])]);
  const told = (column) =>
    fill(words["product"], {
      n: column + 1,
      q: written(query[column]),
      k: written(keys[key][column]),
      product: written(products[column]),
      sum: written(sums[column]),
    });
  const strip = (values, label) => stripes(values, { table: tables.signed, limit, named: told, label });
  const bars = (values, starts, label) => {
    const ends = [Math.max(0, ...values), Math.min(0, ...values)];
    return [
      columnBars(values, { starts, high: ends[0], low: ends[1], told, label }),
      element("span", { class: "ends" }, ...ends.map((end) => element("span", {}, fixed(end, 1)))),
    ];
  };
  const [q, k] = [fill(words["query"], labels), fill(words["times key"], labels)];
  const lines = [
    [q, strip(query, q)],
    [k, strip(keys[key], k)],
    [words["products"], ...bars(products, new Float64Array(products.length), words["products"])],
    [words["running sum"], ...bars(sums, [0, ...sums.slice(0, -1)], words["running sum"])],
  ];
  return element(
    "div",
    { class: "product-lines" },
    ...lines.flatMap(([label, picture, ends]) => [
      element("span", { class: "token row-name" }, label),
      picture,
      ends ?? element("span", {}),
    ]),
  );
}

// From the sum to the one number of the pattern, named as the steps of the head are.
function sumLine(context, computed, { part, key }, labels) {
  const { words, tables } = context;
  const isSeen = computed.isSeen[key];
  const weight = computed.weights[key];
  const swatch = stripes([weight], {
    table: tables.weights,
    limit: 1,
    isSigned: false,
    named: () => fill(words["cell"], { ...labels, weight: written(weight) }),
    label: words["key weight"],
  });
  const values = {
    products: fixed(computed.products[key], 2),
    scaled: fixed(computed.scaled[key], 2),
    mask: isSeen ? "✓" : "−∞",
    softmax: weight > 0 && weight < ROUNDED_AWAY ? written(weight, 2) : fixed(weight, 2),
  };
  const pieces = stepsOf(part)
    .filter((step) => step in values)
    .map((step) =>
      element(
        "span",
        { class: "piece", "data-piece": step },
        element("span", { class: "head-cell" }, stepName(context, step)),
        element("span", { class: "result" }, values[step], step === "softmax" ? swatch : null),
      ),
    );
  const arrow = () => element("span", { class: "to", "aria-hidden": "true" }, "→");
  const powers = computed.scaled.map((score, place) => (computed.isSeen[place] ? Math.exp(score) : 0));
  const becomes = fill(words["becomes"], {
    score: isSeen ? fixed(computed.scaled[key], 2) : "−∞",
    power: written(powers[key]),
    n: computed.keys.length,
    total: written(powers.reduce((sum, power) => sum + power, 0)),
    weight: written(weight),
  });
  return element(
    "div",
    {},
    element(
      "div",
      { class: "sum-of-products" },
      ...pieces.flatMap((piece, place) => (place ? [arrow(), piece] : [piece])),
    ),
    element("p", { class: "aside" }, becomes),
  );
}
