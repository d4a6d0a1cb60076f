import assert from "node:assert/strict";
import { test } from "node:test";

import { exactName } from "../../../../viz/components/attention_explorer/payload.js";
import {
  exactRow,
  indexOf,
  onOneScale,
  pinnedColumn,
  prepare,
  rowValues,
} from "../../../../viz/components/attention_explorer/prepare.js";
import { fieldsOf, firstWritten } from "../../../../viz/components/attention_explorer/sides.js";
import { OPTIONS, cross, decoder, encoder, near } from "./recording.js";

const ENCODER = [1, 0, 0, 0, 0.2, 0.8, 1 / 3, 1 / 3, 1 / 3];

function shown(block, options) {
  return prepare(fieldsOf([block]).of(block.name), { ...OPTIONS, ...options });
}

function assertNear(values, expected) {
  assert.ok(near(values, expected), `${Array.from(values)} is not ${expected}`);
}

test("bytes become weights by the scale of their map", () => {
  assertNear(shown(encoder()).values, ENCODER);
  assertNear(
    shown(encoder([0.5, 1, 1, 1])).values,
    ENCODER.map((weight) => weight / 2),
  );
});

test("heads are combined by their mean or by the largest weight", () => {
  const heads = [
    [0, 0],
    [1, 1],
  ];
  const block = encoder([1, 1, 1, 0.5]);
  assertNear(
    shown(block, { heads }).values,
    ENCODER.map((weight) => 0.75 * weight),
  );
  assertNear(shown(block, { heads, combine: "max" }).values, ENCODER);
});

test("a head that is not there takes no part", () => {
  assertNear(
    shown(encoder(), {
      heads: [
        [0, 0],
        [2, 0],
        [0, 7],
      ],
    }).values,
    ENCODER,
  );
});

test("a word gives the mean of what its pieces give, and receives the sum of what they receive", () => {
  const words = shown(encoder(), { grain: "words" });
  assert.deepEqual(words.rows.labels, ["ab", "⟨end⟩"]);
  assertNear(words.values, [(1 + 0.2) / 2, 0.8 / 2, 2 / 3, 1 / 3]);
});

test("special tokens are left out, and rows may add up to 1 again", () => {
  const hidden = shown(encoder(), { hide_special: true });
  assert.deepEqual(
    [hidden.rows.labels, hidden.columns.labels],
    [
      ["a", "b"],
      ["a", "b"],
    ],
  );
  assertNear(hidden.values, [1, 0, 0, 0.2]);
  assertNear(shown(encoder(), { hide_special: true, normalise: true }).values, [1, 0, 0, 1]);
});

test("a side of special tokens alone keeps them all, since nothing would be left of it", () => {
  for (const grain of ["pieces", "words"]) {
    const block = cross();
    block.queries = { ...block.queries, special: [true, true] };
    const hidden = shown(block, { grain, hide_special: true });
    assert.deepEqual([hidden.rows.labels, hidden.columns.labels.includes("⟨end⟩")], [["x", "y"], false]);
  }
});

test("a row without weight stays without it", () => {
  assertNear(shown(cross(), { hide_special: true, normalise: true }).values, [1, 0, 0, 0]);
});

test("all kinds stand around each other, each side normalised by itself", () => {
  const fields = fieldsOf([encoder(), decoder(), cross()]);
  assert.deepEqual(fields.kinds, ["encoder", "decoder", "cross", "all"]);
  const all = fields.of("all");
  const { values, width, height } = prepare(all, OPTIONS);
  assert.deepEqual([width, height, firstWritten(all)], [5, 5, 3]);
  assertNear(values.slice(0, 15), [1, 0, 0, 0, 0, 0, 0.2, 0.8, 0, 0, 1 / 3, 1 / 3, 1 / 3, 0, 0]);
  assertNear(values.slice(15), [1, 0, 0, 1, 0, 0, 0, 1, 0, 1]);
  assertNear(prepare(all, { ...OPTIONS, normalise: true }).values, Array.from(values));
  assert.equal(fields.of("all"), all);
});

test("an encoder writes no tokens", () => {
  assert.equal(firstWritten(fieldsOf([encoder()]).of("encoder")), null);
});

test("a row in full precision goes the same way, or is null while a part of it is missing", () => {
  const words = shown(encoder(), { grain: "words" });
  const exact = new Map([[exactName("encoder", 0, 0, 0), Float32Array.of(0.9, 0.1, 0)]]);
  assert.equal(exactRow(words, 0, exact), null);
  exact.set(exactName("encoder", 0, 0, 1), Float32Array.of(0, 0.25, 0.75));
  assertNear(exactRow(words, 0, exact), [(1 + 0.25) / 2, 0.75 / 2]);
  assert.equal(exactRow(words, 1, exact), null);
});

test("a row and a place of what is shown are there by number", () => {
  const hidden = shown(encoder(), { grain: "words", hide_special: true });
  assertNear(rowValues(hidden, 0), [0.6]);
  assert.deepEqual(
    [0, 1, 2].map((piece) => indexOf(hidden.rows, piece)),
    [0, 0, -1],
  );
});

test("the pinned column of a row is that of its last pin, of those that are shown", () => {
  const pins = [
    [0, 0],
    [1, 1],
    [1, 0],
    [1, 2],
  ];
  const hidden = shown(encoder(), { hide_special: true });
  assert.equal(pinnedColumn(shown(encoder()), 1, pins), 2);
  assert.equal(pinnedColumn(hidden, 1, pins), 0);
  assert.equal(pinnedColumn(hidden, 1, [[1, 2]]), null);
  assert.equal(pinnedColumn(hidden, 1, [...pins, [1, null]]), null);
});

// A measure of two words of two pieces, whose second passes on as much from each of its pieces.
function measure() {
  const side = {
    labels: ["a", "b", "c", "d"],
    special: [true, false, false, false],
    words: [
      [0, 1],
      [1, 4],
    ],
    word_labels: ["a", "bcd"],
  };
  const weights = Uint8Array.from([255, 0, 0, 0, 0, 255, 255, 255, 51, 51, 0, 0, 0, 0, 0, 0]);
  const two = Uint8Array.from([...weights, ...weights]);
  return {
    ...{ name: "encoder", layers: 1, heads: 2, queries: side, keys: side },
    ...{ weights: two, scales: Float32Array.of(8, 4) },
  };
}

function each(options) {
  return Object.entries(options).reduce(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

const SHAPINGS = each({
  heads: [
    [[0, 0]],
    [
      [0, 0],
      [0, 1],
    ],
  ],
  combine: ["mean", "max"],
  grain: ["pieces", "words"],
  hide_special: [false, true],
  normalise: [false, true],
});

test("no value is above the scale, however a matrix is shaped", () => {
  for (const options of SHAPINGS) {
    for (const block of [measure(), encoder()]) {
      const { values, top, columns } = shown(block, options);
      const byRounding = Math.max(...columns.spans.map(([start, end]) => end - start)) / 510;
      assert.ok(Math.max(...values) <= top * (1 + byRounding), `${JSON.stringify(options)}: ${values} of ${top}`);
    }
  }
});

test("rows that add up to 1 have the scale of shares, whatever was measured", () => {
  const options = { normalise: true };
  assert.equal(shown(measure(), options).top, 1);
  assertNear(shown(measure(), options).values.slice(0, 8), [1, 0, 0, 0, 0, 1 / 3, 1 / 3, 1 / 3]);
  assert.equal(shown(measure(), {}).top, 8);
});

test("weights that add up to more than 1 by rounding alone keep their scale", () => {
  const block = { ...measure(), weights: Uint8Array.from([0, 86, 85, 85]), scales: Float32Array.of(1) };
  block.queries = { labels: ["x"], special: [], words: [], word_labels: [] };
  assert.equal(shown({ ...block, heads: 1 }, { grain: "words" }).top, 1);
});

test("matrices side by side are on one scale", () => {
  const pair = [measure(), encoder()].map((block) => shown(block, { grain: "words" }));
  assert.notEqual(pair[0].top, pair[1].top);
  assert.deepEqual(
    onOneScale(pair).map(({ top }) => top),
    [pair[0].top, pair[0].top],
  );
});
