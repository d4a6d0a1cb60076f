import assert from "node:assert/strict";
import { test } from "node:test";

import { Reading } from "../../../../../viz/pages/transformer_xl/components/segment_stepper/reading.js";

// Segments 1 to 3 of four characters each, the last one short; two layers; characters are shown from place 2 on.
function reading() {
  const header = {
    text: "cd\n fghijkl🙂no",
    shown_from: 2,
    first: 1,
    segment_length: 4,
    mem_len: 3,
    n_layers: 2,
    series: [{ name: "memory" }],
  };
  const edges = Int32Array.of(4, 1, 0, 8, 5, 2, 12, 9, 6);
  const attention = Float32Array.from({ length: 3 * 2 * 7 }, (_, index) => index);
  return new Reading(header, { attention, edges, memory: new Float32Array(11) });
}

test("a segment's characters end where the text does", () => {
  assert.deepEqual(
    [1, 2, 3].map((segment) => reading().span(segment)),
    [
      { from: 4, to: 8 },
      { from: 8, to: 12 },
      { from: 12, to: 15 },
    ],
  );
});

test("the segment before the first one shown is a border, but for the text's own first", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((segment) => reading().has(segment)),
    [true, false, true, true, false],
  );
});

test("zones follow each other from the start of the text to the end of the segment", () => {
  assert.deepEqual(reading().zones(2), { lost: [0, 2], deeper: [2, 5], memory: [5, 8], segment: [8, 12] });
  assert.deepEqual(reading().zones(1), { lost: [0, 0], deeper: [0, 1], memory: [1, 4], segment: [4, 8] });
});

test("attention is by segment and layer", () => {
  assert.deepEqual(Array.from(reading().attentionOf(2, 1)), [21, 22, 23, 24, 25, 26, 27]);
});

test("what cannot be seen is shown by a sign, and a character outside is empty", () => {
  assert.equal(reading().textOf([2, 6]), "cd↵\n ");
  assert.deepEqual(
    [4, 5, 13, 0, 99].map((place) => reading().shown(place)),
    ["↵", "␣", "🙂", "", ""],
  );
});
