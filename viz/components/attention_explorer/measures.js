// What tells heads apart, as one number each: a mean over the rows of a map.

import { binCount } from "./maps.js";

/** @import { Size } from "../browser/types" */
/** @import { Block, Field } from "./types" */
/** @typedef {{ layer: number, head: number, value: number }} Measured */

// w · log2 w for each byte over 255, because a logarithm for each weight would take longer than all else.
const PLOGP = Float64Array.from({ length: 256 }, (_, byte) => (byte ? (byte / 255) * Math.log2(byte / 255) : 0));

/** @type {(weights: Uint8Array, start: number, count: number) => number} */
function sumOf(weights, start, count) {
  let sum = 0;
  for (let key = start; key < start + count; key++) sum += weights[key];
  return sum;
}

// The key that lies where the query lies, in a map that need not be square.
/** @type {(query: number, queries: number, keys: number) => number} */
function diagonalKey(query, queries, keys) {
  return queries === keys || queries < 2 ? query : (query * (keys - 1)) / (queries - 1);
}

// Of a row without weight, which is no row to measure, each is NaN.
/** @type {Record<string, (weights: Uint8Array, start: number, count: number, centre: number) => number>} */
const ROW_MEASURES = {
  // The largest weight of the row.
  pointed(weights, start, count) {
    let most = 0;
    let sum = 0;
    for (let key = start; key < start + count; key++) {
      const weight = weights[key];
      sum += weight;
      if (weight > most) most = weight;
    }
    return most / sum;
  },
  // How many bits it takes to say where the row looks: 0 for one key, log2 n for n keys alike.
  entropy(weights, start, count) {
    let total = 0;
    for (let key = 0; key < count; key++) total += PLOGP[weights[start + key]];
    const mass = sumOf(weights, start, count) / 255;
    return Math.max(0, Math.log2(mass) - total / mass);
  },
  // The share of the row that lies at most one token away from the diagonal.
  diagonal(weights, start, count, centre) {
    let near = 0;
    const last = Math.min(count - 1, Math.floor(centre + 1));
    for (let key = Math.max(0, Math.ceil(centre - 1)); key <= last; key++) near += weights[start + key];
    return near / sumOf(weights, start, count);
  },
  // How many tokens away from the diagonal the row looks.
  distance(weights, start, count, centre) {
    let total = 0;
    for (let key = 0; key < count; key++) total += weights[start + key] * Math.abs(key - centre);
    return total / sumOf(weights, start, count);
  },
};

export const MEASURES = Object.keys(ROW_MEASURES);

// Least first where that is what one looks for: a low entropy, a short distance, few errors.
export const ASCENDING = new Set(["entropy", "distance", "alignment"]);

// Every order that the heads of a field can have; alignment where Python has sent it of all of them.
/** @type {(field: Field) => string[]} */
export function ordersOf(field) {
  const isAligned = field.parts.every(({ block }) => Boolean(block.alignment));
  return ["layer", ...MEASURES, ...(isAligned ? ["alignment"] : [])];
}

// The measure of every head of a block where Python has sent it, else nothing.
/** @type {(block: Block, name: string) => ArrayLike<number> | null | undefined} */
function sentOf(block, name) {
  return name === "alignment" ? block.alignment : block.measured?.get(name);
}

/** @type {(field: Field, layer: number, head: number, name: string) => number} */
function measure(field, layer, head, name) {
  const ofRow = ROW_MEASURES[name];
  let total = 0;
  let rows = 0;
  for (const { block } of field.parts) {
    if (layer >= block.layers || head >= block.heads) continue;
    const queries = block.queries.labels.length;
    const keys = block.keys.labels.length;
    const sent = sentOf(block, name);
    if (sent) {
      total += sent[layer * block.heads + head] * queries;
      rows += queries;
      continue;
    }
    const first = (layer * block.heads + head) * queries * keys;
    for (let query = 0; query < queries; query++) {
      const start = first + query * keys;
      const value = ofRow(block.weights, start, keys, diagonalKey(query, queries, keys));
      if (Number.isNaN(value)) continue;
      total += value;
      rows += 1;
    }
  }
  return rows ? total / rows : 0;
}

/** @type {(field: Field, layer: number, head: number) => boolean} */
export function hasHead(field, layer, head) {
  return field.parts.some(({ block }) => layer < block.layers && head < block.heads);
}

// Whether every head can be measured: of a large recording, measures are sent when they are asked for.
/** @type {(field: Field, name: string) => boolean} */
export function isMeasured(field, name) {
  return field.parts.every(({ block }) => Boolean(block.weights || sentOf(block, name)));
}

// The measure of every head of a field; kept, because the bytes of a field do not change.
/** @type {WeakMap<Field, Map<string, Measured[]>>} */
const kept = new WeakMap();

/** @type {(field: Field, name: string) => Measured[]} */
export function measureHeads(field, name) {
  const ofField = kept.get(field) ?? new Map();
  kept.set(field, ofField);
  if (!ofField.has(name)) ofField.set(name, measureEach(field, name));
  return ofField.get(name);
}

/** @type {(field: Field, name: string) => Measured[]} */
function measureEach(field, name) {
  const measured = [];
  for (let layer = 0; layer < field.layers; layer++) {
    for (let head = 0; head < field.heads; head++) {
      if (hasHead(field, layer, head)) measured.push({ layer, head, value: measure(field, layer, head, name) });
    }
  }
  return measured;
}

// The larger of each two weights. Called for every row, it is compiled after the first few, which a loop inside a loop
// would wait for several times as long.
/** @type {(weights: Uint8Array, start: number, largest: Uint8Array) => void} */
function keepLarger(weights, start, largest) {
  for (let key = 0; key < largest.length; key++) {
    const weight = weights[start + key];
    if (weight > largest[key]) largest[key] = weight;
  }
}

/** @type {(largest: Uint8Array, factor: number, placeOf: Int32Array, column: number, pixels: Uint8Array, line: number) => void} */
function keepLargestOfPlaces(largest, factor, placeOf, column, pixels, line) {
  for (let key = 0; key < largest.length; key++) {
    const place = placeOf[key + column];
    const scaled = largest[key] * factor + 0.5;
    if (place >= 0 && scaled > pixels[line + place]) pixels[line + place] = scaled;
  }
}

// The largest weights in squares of a map, as bytes: what a tile of few pixels can show of many tokens. ``rows`` and
// ``columns`` are the squares of the recording that are shown, in most recordings one for each token.
/** @type {(field: Field, layer: number, head: number, rows: number[], columns: number[], room: Size) => Size & { pixels: Uint8Array }} */
export function shrink(field, layer, head, rows, columns, room) {
  const height = Math.max(1, Math.min(rows.length, room.height));
  const width = Math.max(1, Math.min(columns.length, room.width));
  const pixels = new Uint8Array(width * height);
  const lineOf = binOf(rows, field.rows.nBins, height);
  const placeOf = binOf(columns, field.columns.nBins, width);
  for (const { block, row, column } of field.parts) {
    if (layer >= block.layers || head >= block.heads) continue;
    const weights = block.weights ?? block.overview;
    const [queries, keys] = [block.queries, block.keys].map(binCount);
    const [firstLine, firstPlace] = [field.rows.bins[row], field.columns.bins[column]];
    const map = layer * block.heads + head;
    // Blocks of one field may have scales of their own, so their weights meet only as what is shown of them.
    const factor = block.scales[map] / field.top;
    const largest = new Uint8Array(keys);
    for (let query = 0; query < queries; query++) {
      const line = lineOf[query + firstLine];
      if (line < 0) continue;
      keepLarger(weights, (map * queries + query) * keys, largest);
      if (lineOf[query + firstLine + 1] === line && query + 1 < queries) continue;
      keepLargestOfPlaces(largest, factor, placeOf, firstPlace, pixels, line * width);
      largest.fill(0);
    }
  }
  return { pixels, width, height };
}

/** @type {(kept: number[], count: number, bins: number) => Int32Array} */
function binOf(kept, count, bins) {
  const found = new Int32Array(count).fill(-1);
  kept.forEach((piece, index) => {
    found[piece] = Math.floor((index * bins) / kept.length);
  });
  return found;
}
