// From recorded weights to what is shown: heads combined, pieces joined to words, special tokens left out, rows made to
// add up to 1 again. A row in full precision takes the same way.

import { readBytes, readNumbers, reducedReader } from "./maps.js";
import { exactName } from "./payload.js";

/** @import { Block, Exact, Field, Head, Pin, Reader, Shaping, Shown, Side, Span, Tokens } from "./types" */

/** @type {(exact: Exact) => Reader} */
export function readExact(exact) {
  return (block, heads, combine, query) => {
    const rows = heads.map(([layer, head]) => exact.get(exactName(block.name, layer, head, query)));
    return rows.every((values) => values !== undefined)
      ? rows.map((values) => ({ values, factor: 1 }))
      : readNumbers(block, heads, combine, query);
  };
}

/** @type {(block: Block, heads: Head[]) => Head[]} */
function headsIn(block, heads) {
  return heads.filter(([layer, head]) => layer < block.layers && head < block.heads);
}

// Whether what is shown of ``field`` can be read.
/** @type {(field: Field, options: Pick<Shaping, "heads" | "combine">, read: Reader) => boolean} */
export function isThere(field, { heads, combine }, read) {
  return field.parts.every(({ block }) => read(block, headsIn(block, heads), combine, 0) !== null);
}

// One row of pieces, its heads combined; null where a part of it cannot be read.
/** @type {(field: Field, options: Shaping, row: number, read: Reader) => Float64Array | null} */
function combinedRow(field, { heads, combine }, row, read) {
  const combined = new Float64Array(field.columns.labels.length);
  for (const { block, row: top, column } of field.parts) {
    const query = row - top;
    if (query < 0 || query >= block.queries.labels.length) continue;
    const found = read(block, headsIn(block, heads), combine, query);
    if (!found) return null;
    for (const { values, factor } of found) {
      const share = combine === "mean" ? factor / found.length : factor;
      for (let key = 0; key < values.length; key++) {
        const weight = values[key] * share;
        if (combine === "mean") combined[column + key] += weight;
        else if (weight > combined[column + key]) combined[column + key] = weight;
      }
    }
  }
  return combined;
}

/** @type {(values: Float64Array, spans: Span[]) => Float64Array} */
function sumsOver(values, spans) {
  return Float64Array.from(spans, ([start, end]) => {
    let sum = 0;
    for (let index = start; index < end; index++) sum += values[index];
    return sum;
  });
}

/** @type {(values: Float64Array, segments: number[]) => void} */
function normalise(values, segments) {
  let start = 0;
  for (const end of segments) {
    let sum = 0;
    for (let index = start; index < end; index++) sum += values[index];
    if (sum > 0) for (let index = start; index < end; index++) values[index] /= sum;
    start = end;
  }
}

// Whether each piece of a side is left out: a special one, unless nothing would be left.
/** @type {(side: Side, hide_special: boolean) => boolean[]} */
export function hiddenPieces({ special }, hide_special) {
  return hide_special && !special.every(Boolean) ? special : special.map(() => false);
}

// The tokens of one side that are shown, each as the span of pieces that it is.
/** @type {(side: Side, options: Shaping) => Tokens} */
function shownTokens(side, { grain, hide_special }) {
  const isWords = grain === "words";
  /** @type {Span[]} */
  const spans = isWords ? side.spans : side.labels.map((_, index) => [index, index + 1]);
  const labels = isWords ? side.wordLabels : side.labels;
  const hidden = hiddenPieces(side, hide_special);
  /** @type {(span: Span) => boolean} */
  const isHidden = ([start, end]) => hidden.slice(start, end).every(Boolean);
  const kept = spans.map((span, index) => ({ span, label: labels[index] })).filter(({ span }) => !isHidden(span));
  return {
    labels: kept.map(({ label }) => label),
    spans: kept.map(({ span }) => span),
    segments: side.segments.map((end) => kept.filter(({ span }) => span[1] <= end).length),
  };
}

/** @type {(field: Field, options: Shaping, span: Span, columns: Tokens, read: Reader) => Float64Array | null} */
function preparedRow(field, options, span, columns, read) {
  const [start, end] = span;
  const sum = new Float64Array(field.columns.labels.length);
  for (let row = start; row < end; row++) {
    const combined = combinedRow(field, options, row, read);
    if (!combined) return null;
    for (let key = 0; key < sum.length; key++) sum[key] += combined[key];
  }
  // A word gives the mean of what its pieces give, and receives the sum of what they receive.
  for (let key = 0; key < sum.length; key++) sum[key] /= end - start;
  const shown = columns.spans.length === sum.length ? sum : sumsOver(sum, columns.spans);
  if (options.normalise) normalise(shown, columns.segments);
  return shown;
}

/** @type {(field: Field, options: Shaping, read?: Reader) => Shown} */
export function prepare(field, options, read = readBytes) {
  const isReduced = read === readBytes && !isThere(field, options, read);
  const reader = isReduced ? reducedReader() : read;
  const rows = shownTokens(field.rows, options);
  const columns = shownTokens(field.columns, options);
  const width = columns.labels.length;
  const values = new Float32Array(rows.labels.length * width);
  rows.spans.forEach((span, index) => {
    const row = preparedRow(field, options, span, columns, reader);
    if (row) values.set(row, index * width);
  });
  const top = topOf(field, options, columns, values);
  return { field, options, rows, columns, values, width, height: rows.labels.length, top, isReduced };
}

// What the deepest colour stands for: a share of 1, or the largest value of all heads. A sum over a word may be larger
// than both; what only the rounding to bytes has added is none.
/** @type {(field: Field, options: Shaping, columns: Tokens, values: Float32Array) => number} */
function topOf(field, options, columns, values) {
  if (options.normalise) return 1;
  const nJoined = columns.spans.reduce((most, [start, end]) => Math.max(most, end - start), 1);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  return largest > field.top * (1 + nJoined / 510) ? largest : field.top;
}

// Matrices that are compared: a colour means the same in each.
/** @type {(all: Shown[]) => Shown[]} */
export function onOneScale(all) {
  const top = Math.max(...all.map((shown) => shown.top));
  return all.map((shown) => ({ ...shown, top }));
}

// Whether two recordings are both there with the same heads of the same blocks.
/** @type {(pair: Shown[]) => boolean} */
export function haveSameHeads(pair) {
  const [first, second] = pair.map(({ field, options }) =>
    JSON.stringify(field.parts.map(({ block }) => [block.name, headsIn(block, options.heads)])),
  );
  return first === second;
}

// The first minus the second, where their tokens fit each other.
/** @type {(pair: Shown[]) => Shown | null} */
export function difference([first, second]) {
  if (first.width !== second.width || first.height !== second.height) return null;
  const values = first.values.map((value, index) => value - second.values[index]);
  const isReduced = first.isReduced || second.isReduced;
  return { ...onOneScale([first, second])[0], values, isDifference: true, isReduced };
}

// What is shown, in full precision: one matrix, or several, the third of which is the difference of the others.
/** @type {(all: Shown[]) => (Shown | null)[]} */
export function inFull(all) {
  /** @type {(shown: Shown) => Shown} */
  const inNumbers = (shown) => prepare(shown.field, shown.options, readNumbers);
  const numbers = all.filter((shown) => !shown.isDifference).map(inNumbers);
  return all.map((shown, index) => (shown.isDifference ? difference(numbers) : numbers[index]));
}

// A row of ``shown`` in full precision, or null where the exact rows that it takes are not there.
/** @type {(shown: Shown, index: number, exact: Exact) => Float64Array | null} */
export function exactRow(shown, index, exact) {
  return preparedRow(shown.field, shown.options, shown.rows.spans[index], shown.columns, readExact(exact));
}

/** @type {(shown: Shown, index: number) => Float32Array} */
export function rowValues(shown, index) {
  return shown.values.subarray(index * shown.width, (index + 1) * shown.width);
}

// Where a piece is on a shown side; −1 where it is hidden.
/** @type {(tokens: Pick<Tokens, "spans">, piece: number) => number} */
export function indexOf(tokens, piece) {
  return tokens.spans.findIndex(([start, end]) => start <= piece && piece < end);
}

// The column of the last pin in a row, of those that are shown; null where that is the whole row, or none is.
/** @type {(shown: Pick<Shown, "rows" | "columns">, row: number, pins: Pin[]) => number | null} */
export function pinnedColumn({ rows, columns }, row, pins) {
  const pinned = pins
    .filter(([piece]) => indexOf(rows, piece) === row)
    .map(([, piece]) => (piece === null ? null : indexOf(columns, piece)));
  return pinned.filter((column) => column !== -1).at(-1) ?? null;
}
