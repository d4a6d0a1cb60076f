// Files made in the browser: tables, NumPy archives, and any blob under a name.

/** @import { SavedArray } from "./types" */
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest >>> 0;
});

/** @type {(blob: Blob, name: string) => void} */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser begins to read after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The byte-order mark without which Excel takes the letters of a table for others. */
export const BYTE_ORDER_MARK = "\ufeff";

// Rows of texts and numbers; a text is quoted where the format needs it.
/** @type {(rows: Iterable<unknown>[]) => Blob} */
export function csv(rows) {
  /** @type {string[]} */
  const lines = [BYTE_ORDER_MARK];
  for (const row of rows) lines.push(`${Array.from(row, cell).join(",")}\r\n`);
  return new Blob(lines, { type: "text/csv" });
}

/** @type {(value: unknown) => string} */
function cell(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Arrays by name, each { values: a typed array, shape }, as numpy.load reads them.
/** @type {(arrays: Record<string, SavedArray>) => Blob} */
export function npz(arrays) {
  return zip(Object.entries(arrays).map(([name, array]) => [`${name}.npy`, npy(array)]));
}

const KINDS = new Map(
  /** @type {[Function, string][]} */ ([
    [Float32Array, "<f4"],
    [Float64Array, "<f8"],
    [Int32Array, "<i4"],
    [Uint8Array, "|u1"],
  ]),
);

// A list of texts as such an array: code points, each text filled up with zeros.
/** @type {(list: string[]) => SavedArray} */
export function texts(list) {
  const points = list.map((text) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0));
  const longest = Math.max(1, ...points.map((text) => text.length));
  const values = new Uint32Array(list.length * longest);
  points.forEach((text, index) => values.set(text, index * longest));
  return { values, shape: [list.length], kind: `<U${longest}` };
}

/** @type {(array: SavedArray) => Bytes} */
export function npy({ values, shape, kind = KINDS.get(values.constructor) }) {
  const shapeText = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '${kind}', 'fortran_order': False, 'shape': ${shapeText}, }`;
  const padding = 63 - ((10 + text.length) % 64);
  // The encoder writes \x93 as two bytes, of which NumPy expects the second.
  const head = new TextEncoder().encode(`\x93NUMPY\x01\x00..${text}${" ".repeat(padding)}\n`).slice(1);
  new DataView(head.buffer).setUint16(8, head.length - 10, true);
  const body = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const file = new Uint8Array(head.length + body.length);
  file.set(head);
  file.set(body, head.length);
  return file;
}

// Stored, not compressed; files are pairs of a name in ASCII and bytes.
/** @type {(files: [name: string, bytes: Bytes][]) => Blob} */
export function zip(files) {
  /** @type {Bytes[]} */
  const parts = [];
  /** @type {Bytes[]} */
  const directory = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const path = new TextEncoder().encode(name);
    const shared = fields([
      [2, 20],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, crc(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, path.length],
      [2, 0],
    ]);
    const local = [fields([[4, 0x04034b50]]), shared, path, bytes];
    parts.push(...local);
    directory.push(
      fields([
        [4, 0x02014b50],
        [2, 20],
      ]),
      shared,
      fields([
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, offset],
      ]),
      path,
    );
    offset += size(local);
  }
  const end = fields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, size(directory)],
    [4, offset],
    [2, 0],
  ]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** @type {(parts: Bytes[]) => number} */
function size(parts) {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** @type {(pairs: [width: number, value: number][]) => Bytes} */
function fields(pairs) {
  const view = new DataView(new ArrayBuffer(pairs.reduce((sum, [width]) => sum + width, 0)));
  let at = 0;
  for (const [width, value] of pairs) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return new Uint8Array(view.buffer);
}

/** @type {(bytes: Uint8Array) => number} */
function crc(bytes) {
  let rest = 0xffffffff;
  for (let index = 0; index < bytes.length; index++) rest = CRC[(rest ^ bytes[index]) & 255] ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}
