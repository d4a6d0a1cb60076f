// The run of bytes that pack() in Python makes: a header in JSON, then blocks of float32 or of bytes.

/** @import { Blocks } from "./types" */

/** @type {(bytes: Uint8Array) => any} */
export function jsonOf(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** @type {(bytes: Uint8Array) => { header: any; start: number }} */
function headerOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return { header: jsonOf(bytes.subarray(4, 4 + length)), start: 4 + length };
}

// The language of the words in the header, which begins with it: the rest can be long.
/** @type {(bytes: Uint8Array) => string | undefined} */
export function languageOf(bytes) {
  return /^\{"language":\s*"([^"]*)"/.exec(new TextDecoder().decode(bytes.subarray(4, 40)))?.[1];
}

/** @type {(bytes: Uint8Array) => { header: any; blocks: Blocks }} */
export function unpack(bytes) {
  const { header, start } = headerOf(bytes);
  let offset = start;
  /** @type {Blocks} */
  const blocks = {};
  for (const { name, shape, type } of header.blocks) {
    const width = type === "uint8" ? 1 : 4;
    const size = shape.reduce((/** @type {number} */ product, /** @type {number} */ count) => product * count, width);
    const block = bytes.subarray(offset, offset + size);
    // A copy, because the bytes may begin at an odd address.
    blocks[name] = width === 1 ? block : new Float32Array(block.slice().buffer);
    offset += size;
  }
  return { header, blocks };
}

// The same blocks under a header with ``changes``.
/** @type {(bytes: Uint8Array, changes: Record<string, unknown>) => Uint8Array<ArrayBuffer>} */
export function repack(bytes, changes) {
  const { header, start } = headerOf(bytes);
  const text = new TextEncoder().encode(JSON.stringify({ ...header, ...changes }));
  const packed = new Uint8Array(4 + text.length + bytes.length - start);
  new DataView(packed.buffer).setUint32(0, text.length, true);
  packed.set(text, 4);
  packed.set(bytes.subarray(start), 4 + text.length);
  return packed;
}
