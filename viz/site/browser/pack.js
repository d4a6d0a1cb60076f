// What components take, packed as Python's viz.components.browser.pack does.

const ALIGNMENT = 4;

/** @type {(header: Record<string, unknown>, blocks: Record<string, { values: Float32Array | Uint8Array, shape: number[] }>) => Uint8Array} */
export function pack(header, blocks) {
  const listed = Object.entries(blocks).map(([name, { values, shape }]) => ({
    name,
    shape,
    ...(values instanceof Uint8Array ? { type: "uint8" } : {}),
  }));
  let head = new TextEncoder().encode(JSON.stringify({ ...header, blocks: listed }));
  const padded = new Uint8Array(Math.ceil(head.length / ALIGNMENT) * ALIGNMENT).fill(32);
  padded.set(head);
  head = padded;
  const parts = Object.values(blocks).map(
    ({ values }) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  );
  const bytes = new Uint8Array(4 + head.length + parts.reduce((sum, { length }) => sum + length, 0));
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  let place = 4 + head.length;
  for (const part of parts) {
    bytes.set(part, place);
    place += part.length;
  }
  return bytes;
}
