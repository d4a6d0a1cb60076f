import assert from "node:assert/strict";
import { test } from "node:test";

import { repack, unpack } from "../../../../viz/components/browser/payload.js";

const BLOCKS = [
  { name: "weights", shape: [2, 3], type: "uint8" },
  { name: "scales", shape: [2] },
];
const WEIGHTS = [0, 1, 2, 253, 254, 255];
const SCALES = [0.5, -2];

// The layout that pack() in viz/components/browser describes.
function packed(header) {
  const text = new TextEncoder().encode(JSON.stringify({ ...header, blocks: BLOCKS }));
  const bytes = new Uint8Array(4 + text.length + WEIGHTS.length + 4 * SCALES.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(WEIGHTS, 4 + text.length);
  SCALES.forEach((scale, index) => view.setFloat32(4 + text.length + WEIGHTS.length + 4 * index, scale, true));
  return bytes;
}

function assertBlocks({ blocks }) {
  assert.deepEqual(Array.from(blocks.weights), WEIGHTS);
  assert.deepEqual(Array.from(blocks.scales), SCALES);
  assert.ok(blocks.scales instanceof Float32Array);
}

test("a header and its blocks are read", () => {
  const read = unpack(packed({ title: "·lo ⟨end⟩" }));
  assert.equal(read.header.title, "·lo ⟨end⟩");
  assertBlocks(read);
});

test("bytes that begin at any address are read", () => {
  const bytes = packed({ title: "a" });
  for (let shift = 0; shift < 4; shift++) {
    const larger = new Uint8Array(bytes.length + shift);
    larger.set(bytes, shift);
    assertBlocks(unpack(larger.subarray(shift)));
  }
});

test("another header keeps what is not changed in it, and the blocks", () => {
  const bytes = packed({ title: "a", view: { kind: "cross" } });
  const read = unpack(repack(bytes, { view: { kind: "encoder – longer than before" }, is_echo: false }));
  assert.equal(read.header.title, "a");
  assert.equal(read.header.is_echo, false);
  assert.deepEqual(read.header.view, { kind: "encoder – longer than before" });
  assertBlocks(read);
  assertBlocks(unpack(bytes));
});
