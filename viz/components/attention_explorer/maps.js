// Where the maps of a recording are read. Of a large one, each map is there reduced, with the largest weight of each
// square, and whole only once it was sent. A reader returns the rows to be combined, with the factor that makes them
// weights; null where one of them is not there.

/** @import { MapSide } from "./header" */
/** @import { Block, Combine, Head, Reader, Scaled, Values } from "./types" */

// The rows of ``query`` as bytes.
/** @type {Reader} */
export function readBytes(block, heads, combine, query) {
  /** @type {(map: number) => number} */
  const factorOf = (map) => block.scales[map] / 255;
  return block.weights
    ? rowsOf(block, block.weights, factorOf, heads, query)
    : wholeRows(block, block.whole, heads, combine, query);
}

// The same in full precision, where the page has sent it.
/** @type {Reader} */
export function readNumbers(block, heads, combine, query) {
  if (block.weights) return block.numbers ? rowsOf(block, block.numbers, () => 1, heads, query) : null;
  return wholeRows(block, block.wholeNumbers, heads, combine, query);
}

/** @type {(block: Block, values: Values, factorOf: (map: number) => number, heads: Head[], query: number) => Scaled[]} */
function rowsOf(block, values, factorOf, heads, query) {
  const count = block.keys.labels.length;
  return heads.map(([layer, head]) => {
    const map = layer * block.heads + head;
    const start = (map * block.queries.labels.length + query) * count;
    return { values: values.subarray(start, start + count), factor: factorOf(map) };
  });
}

// One map that Python has combined, or one of each head.
/** @type {(block: Block, known: Map<string, Scaled>, heads: Head[], combine: Combine, query: number) => Scaled[] | null} */
function wholeRows(block, known, heads, combine, query) {
  const count = block.keys.labels.length;
  const all = known.get(mapName(heads, combine));
  const maps = all ? [all] : heads.map((head) => known.get(mapName([head], combine)));
  if (!maps.every((map) => map !== undefined)) return null;
  return maps.map(({ values, factor }) => ({ values: values.subarray(query * count, (query + 1) * count), factor }));
}

/** @type {(heads: Head[], combine: Combine) => string} */
export function mapName(heads, combine) {
  const names = heads.map(([layer, head]) => `${layer}.${head}`).join("-");
  return heads.length === 1 ? names : `${combine} ${names}`;
}

// Reads reduced maps: a row has the largest weight of the square that each of its weights lies in.
/** @type {() => Reader} */
export function reducedReader() {
  /** @type {Map<Block, Float32Array>} */
  const kept = new Map();
  return (block, heads, combine, query) => {
    if (block.weights) return readBytes(block, heads, combine, query);
    const joined = kept.get(block) ?? joinReduced(block, heads, combine);
    kept.set(block, joined);
    const [rowOf, columnOf] = [block.queries, block.keys].map(binsOf);
    const width = binCount(block.keys);
    const line = joined.subarray(rowOf[query] * width, (rowOf[query] + 1) * width);
    return [{ values: spread(line, columnOf), factor: 1 }];
  };
}

/** @type {(line: Float32Array, columnOf: Int32Array) => Float32Array} */
function spread(line, columnOf) {
  const values = new Float32Array(columnOf.length);
  for (let key = 0; key < values.length; key++) values[key] = line[columnOf[key]];
  return values;
}

/** @type {(block: Block, heads: Head[], combine: Combine) => Float32Array} */
function joinReduced(block, heads, combine) {
  const size = binCount(block.queries) * binCount(block.keys);
  const joined = new Float32Array(size);
  for (const [layer, head] of heads) {
    const map = layer * block.heads + head;
    const factor = block.scales[map] / 255;
    for (let index = 0; index < size; index++) {
      const weight = block.overview[map * size + index] * factor;
      if (combine === "mean") joined[index] += weight / heads.length;
      else if (weight > joined[index]) joined[index] = weight;
    }
  }
  return joined;
}

/** @type {WeakMap<number[], Int32Array>} */
const bins = new WeakMap();

// The square of each token along a side: of maps that are not reduced, one each.
/** @type {(row: MapSide) => Int32Array} */
export function binsOf({ labels, starts }) {
  if (!starts) return Int32Array.from(labels, (_, index) => index);
  const known = bins.get(starts);
  if (known) return known;
  const binOf = new Int32Array(labels.length);
  starts.forEach((start, bin) => binOf.fill(bin, start));
  bins.set(starts, binOf);
  return binOf;
}

// How many squares a side has.
/** @type {(row: MapSide) => number} */
export function binCount({ labels, starts }) {
  return (starts ?? labels).length;
}

// Takes what was sent later of the same recording; returns whether it can be drawn.
/** @type {(block: Block, given: Block) => boolean} */
export function absorb(block, given) {
  if (given.numbers) block.numbers = given.numbers;
  if (!block.whole) return false;
  let isNew = false;
  for (const [name, map] of given.whole) {
    isNew ||= !block.whole.has(name);
    block.whole.set(name, map);
  }
  for (const [name, map] of given.wholeNumbers) block.wholeNumbers.set(name, map);
  for (const [name, values] of given.measured) {
    isNew ||= !block.measured.has(name);
    block.measured.set(name, values);
  }
  return isNew;
}
