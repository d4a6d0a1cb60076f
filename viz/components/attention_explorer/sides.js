// A field is one matrix per layer and head: a single kind of attention, or all of them around each other.
//
//            source   target
//   source | encoder |         |
//   target | cross   | decoder |

import { binCount, binsOf } from "./maps.js";

/** @import { MapSide } from "./header" */
/** @import { Block, Field, Fields, Side, Span } from "./types" */

/** @type {(row: MapSide) => Side} */
function sideOf(row) {
  const count = row.labels.length;
  /** @type {Span[]} */
  const spans = row.words.length ? row.words : row.labels.map((_, index) => [index, index + 1]);
  const wordLabels = row.word_labels.length
    ? row.word_labels
    : spans.map(([start, end]) => row.labels.slice(start, end).join(""));
  const special = row.special.length ? row.special : new Array(count).fill(false);
  const nBins = binCount(row);
  return { labels: row.labels, special, spans, wordLabels, segments: [count], bins: binsOf(row), nBins };
}

/** @type {(first: Side, second: Side) => Side} */
function beside(first, second) {
  const shift = first.labels.length;
  return {
    labels: [...first.labels, ...second.labels],
    special: [...first.special, ...second.special],
    spans: [...first.spans, ...second.spans.map((span) => shifted(span, shift))],
    wordLabels: [...first.wordLabels, ...second.wordLabels],
    segments: [shift, shift + second.labels.length],
    bins: Int32Array.from([...first.bins, ...second.bins.map((bin) => bin + first.nBins)]),
    nBins: first.nBins + second.nBins,
  };
}

/** @type {(span: Span, shift: number) => Span} */
function shifted([start, end], shift) {
  return [start + shift, end + shift];
}

/** @type {(kind: string, rows: Side, columns: Side, parts: Field["parts"]) => Field} */
function makeField(kind, rows, columns, parts) {
  const blocks = parts.map((part) => part.block);
  const layers = Math.max(...blocks.map((block) => block.layers));
  return {
    kind,
    rows,
    columns,
    parts,
    layers,
    layerNumbers: blocks[0].layer_numbers ?? Array.from({ length: layers }, (_, layer) => layer),
    heads: Math.max(...blocks.map((block) => block.heads)),
    top: blocks.reduce((most, block) => block.scales.reduce((a, b) => Math.max(a, b), most), 0),
  };
}

/** @type {(block: Block) => Field} */
function singleField(block) {
  return makeField(block.name, sideOf(block.queries), sideOf(block.keys), [{ block, row: 0, column: 0 }]);
}

/** @type {(blocks: Block[]) => Field} */
function wholeField(blocks) {
  /** @type {Partial<Record<string, Block>>} */
  const named = Object.fromEntries(blocks.map((block) => [block.name, block]));
  const { encoder, cross, decoder } = named;
  const target = (cross ?? decoder)?.queries;
  const source = (encoder ?? cross)?.keys;
  const row = encoder && target ? encoder.queries.labels.length : 0;
  const column = source && decoder ? source.labels.length : 0;
  /** @type {(first?: MapSide, second?: MapSide) => Side} */
  const both = (first, second) =>
    first && second ? beside(sideOf(first), sideOf(second)) : sideOf(/** @type {MapSide} */ (first ?? second));
  const parts = [
    encoder && { block: encoder, row: 0, column: 0 },
    cross && { block: cross, row, column: 0 },
    decoder && { block: decoder, row, column },
  ];
  return makeField(
    "all",
    both(encoder?.queries, target),
    both(source, decoder?.keys),
    parts.filter((part) => part !== undefined),
  );
}

// All fields of a recording; each is made when it is first asked for.
/** @type {(blocks: Block[]) => Fields} */
export function fieldsOf(blocks) {
  /** @type {string[]} */
  const kinds = blocks.map((block) => block.name);
  if (blocks.length > 1) kinds.push("all");
  /** @type {Map<string, Field>} */
  const made = new Map();
  return {
    kinds,
    of(kind) {
      const known = made.get(kind);
      if (known) return known;
      const block = blocks.find((one) => one.name === kind);
      const field = block ? singleField(block) : wholeField(blocks);
      made.set(kind, field);
      return field;
    },
  };
}

// Written tokens are the rows that begin here: steps count from the first of them. None in an encoder.
/** @type {(field: Field) => number | null} */
export function firstWritten(field) {
  const part = field.parts.find(({ block }) => block.name !== "encoder");
  return part ? part.row : null;
}
