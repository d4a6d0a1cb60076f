import assert from "node:assert/strict";
import { test } from "node:test";

import { matrixPicture } from "../../../../viz/components/attention_explorer/colours.js";

const SETTINGS = { threshold: 0.2, lastRow: Number.POSITIVE_INFINITY };

test("a row that is not written yet has no colour, and keeps its place", () => {
  const shown = { values: Float32Array.of(0.1, 1, 1, 0.5, 1, 1), width: 2, top: 1 };
  const table = Uint32Array.from({ length: 256 }, (_, byte) => byte);
  assert.deepEqual([...matrixPicture(shown, { ...SETTINGS, table })], [0, 255, 255, 128, 255, 255]);
  assert.deepEqual([...matrixPicture(shown, { ...SETTINGS, table, lastRow: 0 })], [0, 255, 0, 0, 0, 0]);
});

test("a difference has a colour for each sign", () => {
  const shown = { values: Float32Array.of(-1, 0.1, 0.5, 1), width: 2, top: 1 };
  const table = Uint32Array.from({ length: 511 }, (_, index) => index);
  const picture = (lastRow) => [...matrixPicture(shown, { ...SETTINGS, table, lastRow, isSigned: true })];
  assert.deepEqual(picture(Number.POSITIVE_INFINITY), [0, 0, 383, 510]);
  assert.deepEqual(picture(0), [0, 0, 0, 0]);
});
