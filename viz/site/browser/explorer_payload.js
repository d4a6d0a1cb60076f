// What the attention explorer takes, as viz/components/attention_explorer/payload.py packs it.

import { asBytes, at } from "./arrays.js";
import { kindsOf } from "./passage.js";
import { pack } from "./pack.js";

/** @import { Seen, TargetToken, Translation } from "../engine/types" */
/** @import { Labels } from "./labels.js" */
/** @import { ExplorerView, Step } from "../../components/attention_explorer/header" */

const MAX_PINS = 16;

/** @typedef {{ translation: Translation, seen: Seen }} Recording */

// ``fixed`` is what Python wrote once: words, the menu, the page of the shared file, and a palette.
/**
 * @param {Recording} recording
 * @param {{ labels: Labels, other: Recording | null, view: ExplorerView, alignment: number[][] | null, digest: string, isEcho: boolean, fixed: Record<string, any> }} options
 */
export function explorerPayload(recording, { labels, other, view, alignment, digest, isEcho, fixed }) {
  /** @type {any[]} */
  const rows = [];
  /** @type {Record<string, any>} */
  const blocks = {};
  const rowNumber = (/** @type {any} */ tokens) => rows.push({ ...labels.row(tokens), starts: null }) - 1;
  const recordings = [recording, other].map((one, index) => {
    if (!one) return [];
    const [source, read, target] = [one.translation.source, one.translation.read, one.translation.target].map(
      rowNumber,
    );
    return Object.entries(kindsOf(one.seen)).map(([name, weights]) => {
      const [layers, heads] = weights.shape;
      blocks[`scales ${index} ${name}`] = { values: new Float32Array(layers * heads).fill(1), shape: [layers, heads] };
      blocks[`weights ${index} ${name}`] = { values: asBytes(weights.values), shape: weights.shape };
      blocks[`numbers ${index} ${name}`] = weights;
      return {
        name,
        layers,
        heads,
        queries: name === "encoder" ? source : target,
        keys: name === "decoder" ? read : source,
        alignment: name === "cross" && alignment ? alignment.flat() : null,
      };
    });
  });
  const { exact, numbers } = exactRows(recording.seen, view);
  const header = {
    ...fixed,
    view,
    max_pins: MAX_PINS,
    is_echo: isEcho,
    subtracts: true,
    measure: "",
    aside: "",
    rows,
    recordings,
    steps: stepsOf(recording.translation.tokens, labels),
    digest,
    exact,
    whole: null,
  };
  return pack(header, { ...numbers, ...blocks });
}

/** @type {(tokens: TargetToken[], labels: Labels) => Step[]} */
export function stepsOf(tokens, labels) {
  return tokens.map(({ id, piece, alternatives }) => {
    const chosen = alternatives.findIndex((one) => one.id === id);
    return {
      label: labels.shown(piece),
      alternatives: alternatives.map((one) => [labels.alone(one.piece), one.probability]),
      chosen: chosen < 0 ? null : chosen,
    };
  });
}

// Pinned rows in full precision: one for each chosen head.
/** @type {(seen: Seen, view: ExplorerView) => { exact: any[], numbers: Record<string, any> }} */
function exactRows(seen, view) {
  const kinds = kindsOf(seen);
  if (!(view.kind in kinds)) return { exact: [], numbers: {} };
  const weights = kinds[view.kind];
  const exact = view.pins.flatMap(([query]) =>
    view.heads
      .filter(([layer, head]) => layer < weights.shape[0] && head < weights.shape[1] && query < weights.shape[2])
      .map(([layer, head]) => [view.kind, layer, head, query]),
  );
  const rows = exact.map(([, layer, head, query], index) => [
    `exact ${index}`,
    at(at(at(weights, Number(layer)), Number(head)), Number(query)),
  ]);
  return { exact, numbers: Object.fromEntries(rows) };
}
