// A stretch of the text as Python read it, by the number of the segment and of the character.

const INVISIBLE = new Map([
  ["\n", "↵"],
  ["\t", "⇥"],
  [" ", "␣"],
]);

export class Reading {
  /** @param {any} header @param {any} blocks */
  constructor(header, { attention, edges, ...bits }) {
    this.first = header.first;
    this.shown_from = header.shown_from;
    this.segment_length = header.segment_length;
    this.mem_len = header.mem_len;
    this.n_layers = header.n_layers;
    this.total = header.total;
    this.characters = Array.from(header.text);
    this.start = header.first * header.segment_length;
    this.series = header.series.map((one) => ({ ...one, bits: bits[one.name] }));
    this.n = edges.length / (header.n_layers + 1);
    this.attention = attention;
    this.edges = edges;
  }

  // What comes before a border belongs to its picture.
  has(segment) {
    return segment < this.first + this.n && (segment > this.first || segment === 0);
  }

  // The characters that a segment reads, the last one excluded.
  span(segment) {
    const from = segment * this.segment_length;
    return { from, to: Math.min(from + this.segment_length, this.start + this.series[0].bits.length) };
  }

  edgesOf(segment) {
    const depths = this.n_layers + 1;
    return this.edges.subarray((segment - this.first) * depths, (segment - this.first + 1) * depths);
  }

  // Of a layer from 0, to memory and segment.
  attentionOf(segment, layer) {
    const keys = this.mem_len + this.segment_length;
    const row = (segment - this.first) * this.n_layers + layer;
    return this.attention.subarray(row * keys, (row + 1) * keys);
  }

  zones(segment) {
    const { from, to } = this.span(segment);
    const edges = this.edgesOf(segment);
    const remembered = Math.max(0, from - this.mem_len);
    const farthest = Math.min(remembered, edges[edges.length - 1]);
    return { lost: [0, farthest], deeper: [farthest, remembered], memory: [remembered, from], segment: [from, to] };
  }

  textOf([from, to]) {
    const shown = this.characters.slice(from - this.shown_from, to - this.shown_from);
    return shown.map((character) => (character === "\n" ? "↵\n" : character)).join("");
  }

  shown(place) {
    const character = this.characters[place - this.shown_from] ?? "";
    return INVISIBLE.get(character) ?? character;
  }
}
