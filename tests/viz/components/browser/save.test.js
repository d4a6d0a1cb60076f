import assert from "node:assert/strict";
import { test } from "node:test";

import { csv, npy, texts, zip } from "../../../../viz/components/browser/save.js";

const decode = (bytes) => String.fromCharCode(...bytes);

async function bytesOf(blob) {
  return new Uint8Array(await blob.arrayBuffer());
}

test("a table quotes what its format needs quoted", async () => {
  const table = csv([
    ["a", 'say "b"', "c,d"],
    ["line\nbreak", 1, -0.5],
  ]);
  assert.equal(table.type, "text/csv");
  assert.equal(await table.text(), 'a,"say ""b""","c,d"\r\n"line\nbreak",1,-0.5\r\n');
});

test("an array's head says its type and shape, and its numbers begin at a multiple of 64", () => {
  for (const [values, kind] of [
    [Float32Array.of(1, 2), "<f4"],
    [Float64Array.of(1, 2), "<f8"],
    [Int32Array.of(1, 2), "<i4"],
    [Uint8Array.of(1, 2), "|u1"],
  ]) {
    for (const shape of [[2], [1, 2], [2, 1, 1]]) {
      const file = npy({ values, shape });
      const size = new DataView(file.buffer).getUint16(8, true);
      const head = decode(file.subarray(10, 10 + size));
      assert.equal(decode(file.subarray(0, 8)), "\x93NUMPY\x01\x00");
      assert.equal((10 + size) % 64, 0);
      assert.ok(head.endsWith("\n"));
      assert.ok(head.includes(`'descr': '${kind}'`));
      assert.ok(head.includes(`'shape': (${shape.length === 1 ? `${shape[0]},` : shape.join(", ")})`));
      assert.deepEqual(file.subarray(10 + size), new Uint8Array(values.buffer));
    }
  }
});

test("a part of a larger buffer is written without the rest", () => {
  const file = npy({ values: Float32Array.of(1, 2, 3, 4).subarray(1, 3), shape: [2] });
  assert.deepEqual(new Float32Array(file.slice(-8).buffer), Float32Array.of(2, 3));
});

test("texts are code points, filled up with zeros", () => {
  const { values, shape, kind } = texts(["ab", "🙂", ""]);
  assert.deepEqual(Array.from(values), [97, 98, 0x1f642, 0, 0, 0]);
  assert.deepEqual(shape, [3]);
  assert.equal(kind, "<U2");
  assert.equal(texts([""]).kind, "<U1");
});

test("an archive has its files, their checksums, and a directory that leads to them", async () => {
  const check = new TextEncoder().encode("123456789");
  const blob = zip([
    ["first", check],
    ["second", Uint8Array.of(7)],
  ]);
  const archive = await bytesOf(blob);
  const view = new DataView(archive.buffer);
  const end = archive.length - 22;
  assert.equal(blob.type, "application/zip");
  assert.equal(view.getUint32(end, true), 0x06054b50);
  assert.equal(view.getUint16(end + 10, true), 2);
  let at = view.getUint32(end + 16, true);
  assert.equal(at + view.getUint32(end + 12, true), end);
  for (const [name, content] of [
    ["first", check],
    ["second", Uint8Array.of(7)],
  ]) {
    assert.equal(view.getUint32(at, true), 0x02014b50);
    const local = view.getUint32(at + 42, true);
    assert.equal(view.getUint32(local, true), 0x04034b50);
    const start = local + 30 + name.length;
    assert.equal(decode(archive.subarray(local + 30, start)), name);
    assert.deepEqual(archive.subarray(start, start + content.length), content);
    at += 46 + name.length;
  }
  // The check value of CRC-32.
  assert.equal(view.getUint32(14, true), 0xcbf43926);
});
