// The run of bytes that pack() in Python makes: a header in JSON, then blocks of float32 or of bytes.

function headerOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return { header: JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))), start: 4 + length };
}

export function unpack(bytes) {
  const { header, start } = headerOf(bytes);
  let offset = start;
  const blocks = {};
  for (const { name, shape, type } of header.blocks) {
    const width = type === "uint8" ? 1 : 4;
    const size = width * shape.reduce((product, count) => product * count, 1);
    const block = bytes.subarray(offset, offset + size);
    // A copy, because the bytes may begin at an odd address.
    blocks[name] = width === 1 ? block : new Float32Array(block.slice().buffer);
    offset += size;
  }
  return { header, blocks };
}

// The same blocks under a header with ``changes``.
export function repack(bytes, changes) {
  const { header, start } = headerOf(bytes);
  const text = new TextEncoder().encode(JSON.stringify({ ...header, ...changes }));
  const packed = new Uint8Array(4 + text.length + bytes.length - start);
  new DataView(packed.buffer).setUint32(0, text.length, true);
  packed.set(text, 4);
  packed.set(bytes.subarray(start), 4 + text.length);
  return packed;
}
