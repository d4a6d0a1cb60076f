import assert from "node:assert/strict";
import { test } from "node:test";

import {
  STEPS,
  isLater,
  numbersOf,
  placeAt,
  sizeAt,
} from "../../../../../viz/pages/transformer_xl/components/relative_shift/steps.js";

const SIZES = [
  [3, 3],
  [2, 5],
  [4, 7],
];

test("after every step each number that is there has a place of its own in a full matrix", () => {
  for (const [queries, keys] of SIZES) {
    for (const step of STEPS) {
      const [rows, columns] = sizeAt(step, queries, keys);
      const places = numbersOf(queries, keys)
        .map((number) => placeAt(step, number, queries, keys))
        .filter(({ isThere }) => isThere);
      assert.equal(places.length, rows * columns);
      assert.equal(new Set(places.map(({ row, column }) => row * columns + column)).size, rows * columns);
      assert.ok(places.every(({ row, column }) => row >= 0 && row < rows && column >= 0 && column < columns));
    }
  }
});

test("at the end every number that is not masked stands at the distance it is for", () => {
  for (const [queries, keys] of SIZES) {
    const there = numbersOf(queries, keys).map((number) => ({ ...number, ...placeAt("mask", number, queries, keys) }));
    const open = there.filter((number) => number.isThere && !isLater(number, queries, keys));
    assert.equal(open.length, queries * keys - (queries * (queries - 1)) / 2);
    for (const { query, isPad, distance, row, column } of open) {
      assert.equal(isPad, false);
      assert.equal(row, query);
      assert.equal(distance, keys - queries + row - column);
    }
  }
});
