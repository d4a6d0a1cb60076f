// What the other parts hold: the numbers of a token, hidden units, what each block adds, and the candidates.

import { element, fill } from "../../../../components/browser/dom.js";
import { fixed, percent, written } from "../../../../components/browser/numbers.js";
import { bar, largest, limitOf, rowTokens, stripes } from "./marks.js";

const UNITS = 10;
const ACROSS = 32;

// The numbers of one token, those of its position, and their sum; another position can be tried.
export function embeddingView(context, { part, row, position }, act) {
  const { header, inside, words, tables } = context;
  if (!inside) return [waiting()];
  const labels = part === "source" ? header.source : header.read;
  const wide = header.sizes.d_model;
  const take = (name, index) => inside.blocks[name].subarray(index * wide, (index + 1) * wide);
  const place = position ?? row;
  const token = take(`${part} embedding values`, row);
  const wave = take(`${part} positions values`, place);
  const sum = Float32Array.from(token, (value, index) => value + wave[index]);
  const limit = limitOf(sum);
  const line = (name, values, sign) =>
    element(
      "div",
      { class: "sum-line" },
      element("span", { class: "sign" }, sign),
      element("span", { class: "name" }, name),
      stripes(values, {
        table: tables.signed,
        limit,
        label: name,
        named: (column, value) => fill(words["dimension"], { name, n: column + 1, value: written(value) }),
      }),
    );
  const slider = element("input", {
    type: "range",
    min: 1,
    max: labels.length,
    value: place + 1,
    "aria-label": words["position"],
  });
  slider.addEventListener("input", () => act.position(Number(slider.value) - 1));
  const twin = labels.findIndex((label, index) => index !== row && label.toLowerCase() === labels[row].toLowerCase());
  return [
    tokenChoice(labels, row, words["choose token"], act),
    element(
      "div",
      { class: "sum-lines" },
      line(fill(words["token numbers"], { token: labels[row] }), token, ""),
      line(fill(words["position numbers"], { n: place + 1 }), wave, "+"),
      line(words["sum numbers"], sum, "="),
    ),
    element("label", { class: "slider" }, words["position"], slider, element("output", {}, String(place + 1))),
    twin < 0 ? null : element("p", { class: "aside" }, fill(words["twin"], { token: labels[row], n: twin + 1 })),
  ].filter(Boolean);
}

// One row of numbers for each token that the decoder can look up.
export function memoryView({ header, inside, words, tables }) {
  if (!inside) return [waiting()];
  const wide = header.sizes.d_model;
  const values = inside.blocks["memory values"];
  const limit = limitOf(values);
  const lines = header.source.map((label, row) =>
    element(
      "div",
      { class: "sum-line" },
      element("span", { class: "name token" }, label),
      stripes(values.subarray(row * wide, (row + 1) * wide), {
        table: tables.signed,
        limit,
        label,
        named: (column, value) => fill(words["dimension"], { name: label, n: column + 1, value: written(value) }),
      }),
    ),
  );
  return [element("div", { class: "sum-lines many", style: `--n:${lines.length}` }, ...lines)];
}

// The hidden units of one token: which are on, and the strongest.
export function feedForwardView(context, { part, layer, row }, act) {
  const { header, inside, words, tables } = context;
  const stack = part.startsWith("encoder") ? "encoder" : "decoder";
  const labels = stack === "encoder" ? header.source : header.written.map(({ label }) => label);
  if (!inside) return [waiting()];
  const { d_ff } = header.sizes;
  const start = (layer * labels.length + row) * d_ff;
  const scale = inside.header.hidden[stack] / 255;
  const units = Float32Array.from(
    inside.blocks[`hidden ${stack}`].subarray(start, start + d_ff),
    (byte) => byte * scale,
  );
  const strongest = Array.from(units.keys())
    .sort((a, b) => units[b] - units[a])
    .slice(0, UNITS);
  const most = units[strongest[0]] || 1;
  const nOn = units.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  const raised = inside.header.raised[stack][layer];
  const grid = stripes(units, {
    table: tables.weights,
    limit: most,
    rows: d_ff / ACROSS,
    isSigned: false,
    label: fill(words["units on"], { n: nOn, of: d_ff }),
    named: (column, value, line) => fill(words["unit"], { n: line * ACROSS + column + 1, value: written(value, 3) }),
  });
  grid.classList.add("units");
  grid.style.aspectRatio = `${ACROSS} / ${d_ff / ACROSS}`;
  const lines = strongest.map((unit) =>
    element(
      "div",
      { class: raised ? "unit-line" : "unit-line short" },
      element("span", { class: "name" }, String(unit + 1)),
      bar(units[unit], { limit: most }),
      raised ? element("span", { class: "token raised" }, (raised[unit] ?? []).join("  ")) : null,
    ),
  );
  return [
    tokenChoice(labels, row, words[stack === "encoder" ? "choose token" : "choose word"], act),
    element(
      "div",
      { class: "two" },
      element("div", {}, element("p", { class: "head-cell" }, fill(words["units on"], { n: nOn, of: d_ff })), grid),
      element(
        "div",
        {},
        element("p", { class: "head-cell" }, words[raised ? "strongest raise" : "strongest"]),
        ...lines,
      ),
    ),
  ];
}

// What each block adds to the stream of one token, and the word that the stream would already write.
export function residualView(context, { part, row }, act) {
  const { header, inside, words } = context;
  if (!inside) return [waiting()];
  const stack = part.startsWith("encoder") ? "encoder" : "decoder";
  const labels = stack === "encoder" ? header.source : header.written.map(({ label }) => label);
  const { blocks, lengths, words: lens } = inside.header.residual[stack];
  const most = largest(lengths.map((values) => values[row]));
  const names = [
    words["adds input"],
    ...blocks.map(([layer, block]) =>
      fill(words["adds block"], { layer: layer + 1, block: words[`block ${stack} ${block}`] }),
    ),
  ];
  const lines = names.map((name, point) => {
    const [word, probability] = lens[point]?.[row] ?? [];
    return element(
      "div",
      { class: lens.length ? "stream-line" : "stream-line short" },
      element("span", { class: "name" }, name),
      bar(lengths[point][row], {
        limit: most,
        note: fill(words["length of"], { name, value: written(lengths[point][row]) }),
      }),
      word === undefined
        ? null
        : element("span", { class: "lens" }, element("span", { class: "token" }, word), ` ${percent(probability)}`),
    );
  });
  return [
    tokenChoice(labels, row, words[stack === "encoder" ? "choose token" : "choose word"], act),
    element(
      "div",
      { class: "stream-lines", style: `--n:${lines.length}` },
      element(
        "div",
        { class: lens.length ? "stream-line head-cell" : "stream-line short head-cell" },
        element("span", {}, words["adds"]),
        element("span", {}, words["length"]),
        lens.length ? element("span", {}, words["would write"]) : null,
      ),
      ...lines,
    ),
  ];
}

// The ten most probable tokens, at a temperature.
export function outputView(context, { row, temperature }, act) {
  const { header, inside, words } = context;
  if (!inside) return [waiting()];
  const { labels, tokens, logs, totals, temperatures } = inside.header.candidates;
  const writtenToken = header.tokens[row];
  const place = temperatures.findIndex((one) => Math.abs(one - temperature) < 1e-6);
  const shares = logs[row].map((log) => Math.exp(log / temperature - totals[row][place]));
  const lines = labels[row].map((label, index) => {
    const token = tokens[row][index];
    return element(
      "div",
      { class: "candidate" },
      element("span", { class: "name token" }, label),
      bar(shares[index], {
        limit: 1,
        text: percent(shares[index]),
        note: fill(words["candidate"], { token: label, value: written(shares[index]) }),
      }),
      token === writtenToken ? element("span", { class: "aside" }, words["is written"]) : instead(token, label),
    );
  });
  function instead(token, label) {
    const button = element(
      "button",
      { type: "button", class: "instead", "aria-label": fill(words["instead of"], { token: label }) },
      words["instead"],
    );
    button.addEventListener("click", () => act.begin([...header.tokens.slice(0, row), token]));
    return button;
  }
  const own = element("button", { type: "button", class: "instead" }, words["its own"]);
  own.addEventListener("click", () => act.begin([]));
  const slider = element("input", {
    type: "range",
    min: 1,
    max: temperatures.length,
    value: place + 1,
    "aria-label": words["temperature"],
    class: "temperature",
  });
  slider.addEventListener("input", () => act.temperature(temperatures[Number(slider.value) - 1]));
  return [
    tokenChoice(
      header.written.map(({ label }) => label),
      row,
      words["choose word"],
      act,
    ),
    element(
      "label",
      { class: "slider" },
      words["temperature"],
      slider,
      element("output", {}, fixed(temperature, 1)),
      element(
        "span",
        { class: "aside" },
        words[temperature < 1 ? "colder" : temperature > 1 ? "warmer" : "as trained"],
      ),
    ),
    element("div", { class: "candidates" }, ...lines),
    header.begin.length ? own : "",
    element(
      "p",
      { class: "aside" },
      fill(words["others"], {
        n: header.sizes.vocabulary_size - labels[row].length,
        share: percent(1 - shares.reduce((sum, one) => sum + one, 0)),
      }),
    ),
  ];
}

function tokenChoice(labels, row, name, act) {
  const buttons = rowTokens(labels, row, act.row);
  return element(
    "div",
    { class: "token-choice", role: "group", "aria-label": name },
    element("span", { class: "head-cell" }, name),
    ...buttons,
  );
}

function waiting() {
  return element("p", { class: "waiting" }, "…");
}
