// What Python's side packs, in the shape that the views take: recordings of blocks, and rows in full precision.

import { unpack } from "../browser/payload.js";
import { mapName } from "./maps.js";
import { MEASURES } from "./measures.js";

/** @import { Blocks } from "../browser/types" */
/** @import { ExplorerHeader, WholeMap } from "./header" */
/** @import { Block, Exact, Payload } from "./types" */

/** @type {(kind: string, layer: number, head: number, query: number) => string} */
export function exactName(kind, layer, head, query) {
  return `${kind}.${layer}.${head}.${query}`;
}

/** @type {(bytes: Uint8Array) => Payload} */
export function received(bytes) {
  /** @type {{ header: ExplorerHeader, blocks: Blocks }} */
  const { header, blocks } = unpack(bytes);
  /** @type {Exact} */
  const exact = new Map();
  header.exact.forEach(([kind, layer, head, query], index) => {
    exact.set(exactName(kind, layer, head, query), blocks[`exact ${index}`]);
  });
  const recordings = header.recordings.map((kinds, index) =>
    kinds.map(
      (kind) =>
        /** @type {Block} */ ({
          ...kind,
          queries: header.rows[kind.queries],
          keys: header.rows[kind.keys],
          scales: blocks[`scales ${index} ${kind.name}`],
          weights: blocks[`weights ${index} ${kind.name}`],
          numbers: blocks[`numbers ${index} ${kind.name}`],
          ...(header.whole ? reducedParts(header.whole, blocks, `${index} ${kind.name}`) : {}),
        }),
    ),
  );
  return { header, recordings, exact };
}

// Of a large recording: every map reduced, what measures them, and those that were sent whole.
/** @type {(sent: WholeMap[], blocks: Blocks, of: string) => Pick<Block, "overview" | "measured" | "whole" | "wholeNumbers">} */
function reducedParts(sent, blocks, of) {
  const own = sent
    .map((one, index) => ({ ...one, index, name: mapName(one.heads, one.combine) }))
    .filter((one) => one.of === of);
  const numbered = own.filter(({ index }) => blocks[`numbers ${index}`]);
  return {
    overview: blocks[`overview ${of}`],
    measured: new Map(
      MEASURES.filter((name) => blocks[`${name} ${of}`]).map((name) => [name, blocks[`${name} ${of}`]]),
    ),
    whole: new Map(
      own.map(({ name, index, scale }) => [name, { values: blocks[`whole ${index}`], factor: scale / 255 }]),
    ),
    wholeNumbers: new Map(numbered.map(({ name, index }) => [name, { values: blocks[`numbers ${index}`], factor: 1 }])),
  };
}

/** @type {(payload: Pick<Payload, "recordings">) => boolean} */
export function hasNumbers({ recordings }) {
  return recordings.flat().every(({ numbers }) => Boolean(numbers));
}
