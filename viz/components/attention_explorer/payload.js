// What Python's side packs, in the shape that the views take: recordings of blocks, and rows in full precision.

import { unpack } from "../browser/payload.js";

export function exactName(kind, layer, head, query) {
  return `${kind}.${layer}.${head}.${query}`;
}

export function received(bytes) {
  const { header, blocks } = unpack(bytes);
  const exact = new Map();
  header.exact.forEach(([kind, layer, head, query], index) => {
    exact.set(exactName(kind, layer, head, query), blocks[`exact ${index}`]);
  });
  const recordings = header.recordings.map((kinds, index) =>
    kinds.map((kind) => ({
      ...kind,
      queries: header.rows[kind.queries],
      keys: header.rows[kind.keys],
      scales: blocks[`scales ${index} ${kind.name}`],
      weights: blocks[`weights ${index} ${kind.name}`],
      numbers: blocks[`numbers ${index} ${kind.name}`],
    })),
  );
  return { header, recordings, exact };
}

export function hasNumbers({ recordings }) {
  return recordings.flat().every(({ numbers }) => numbers);
}
