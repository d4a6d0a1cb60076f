// The translation as a line of tokens, shaded by their probability, over what it was made from.

import { element, fill } from "../../components/browser/dom.js";
import { percent } from "../../components/browser/numbers.js";
import { at } from "./arrays.js";
import { kindsOf } from "./passage.js";

/** @import { Seen, Translation } from "../engine/types" */
/** @import { Labels } from "./labels.js" */

const LEAST_READ = 0.05;

/** @type {(translation: Translation, seen: Seen, labels: Labels, text: Record<string, string>) => HTMLElement} */
export function tokenLines(translation, seen, labels, text) {
  const written = element("div", {
    class: "token-line",
    translate: "no",
    role: "group",
    "aria-label": text["translation"],
  });
  const source = element("div", { class: "source-line", translate: "no", role: "group", "aria-label": text["source"] });
  const sources = translation.source.pieces.slice(0, -1).map((piece, index) => {
    const node = element("span", { class: "source-token" }, labels.shown(piece));
    source.append(index && labels.startsWord(piece) ? " " : "", node);
    return node;
  });
  translation.tokens.forEach((token, index) => {
    const label = labels.shown(token.piece);
    const rows = token.alternatives.map((one) => {
      const row = element(
        "span",
        { class: one.id === token.id ? "alternative chosen" : "alternative" },
        element("span", { class: "label" }, labels.alone(one.piece)),
        " ",
        element("span", { class: "bar" }),
        element("span", { class: "percent" }, percent(one.probability)),
      );
      row.style.setProperty("--p", one.probability.toFixed(3));
      return row;
    });
    const id = `token-${index}-alternatives`;
    const name = fill(text["token"], { token: label, percent: percent(token.probability) });
    const node = element(
      "span",
      { class: "line-token", tabindex: 0, role: "group", "aria-label": name, "aria-describedby": id },
      label,
      element("span", { class: "alternatives", id }, ...rows),
    );
    node.style.setProperty("--p", token.probability.toFixed(3));
    const shade = (/** @type {boolean} */ isOn) => shadeSources(sources, isOn ? readWeights(seen, index) : null);
    for (const [event, isOn] of /** @type {[string, boolean][]} */ ([
      ["pointerenter", true],
      ["focus", true],
      ["pointerleave", false],
      ["blur", false],
    ]))
      node.addEventListener(event, () => shade(isOn));
    written.append(index && labels.startsWord(token.piece) ? " " : "", node);
  });
  return element("div", { class: "reading" }, written, source);
}

/** @type {(sources: HTMLElement[], weights: Float32Array | null) => void} */
function shadeSources(sources, weights) {
  const most = weights ? Math.max(...weights) : 1;
  sources.forEach((node, index) => {
    const share = weights ? weights[index] / most : 0;
    node.style.setProperty("--read", share > LEAST_READ ? share.toFixed(2) : "0");
  });
}

// How much a written token reads each source token but the end: the mean of the heads of the last layer but one.
/** @type {(seen: Seen, step: number) => Float32Array} */
function readWeights(seen, step) {
  const cross = kindsOf(seen).cross;
  const [layers, heads, queries, keys] = cross.shape;
  const { values } = at(cross, Math.max(0, layers - 2));
  return Float32Array.from({ length: keys - 1 }, (_, key) => {
    let sum = 0;
    for (let head = 0; head < heads; head += 1) sum += values[(head * queries + step) * keys + key];
    return sum / heads;
  });
}
