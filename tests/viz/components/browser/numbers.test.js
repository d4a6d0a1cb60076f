import assert from "node:assert/strict";
import { test } from "node:test";

import {
  clamp,
  dot,
  fixed,
  peakOf,
  percent,
  ticks,
  whole,
  written,
} from "../../../../viz/components/browser/numbers.js";

test("a value is held between its limits", () => {
  assert.deepEqual(
    [-3, 2, 9].map((value) => clamp(value, 0, 5)),
    [0, 2, 5],
  );
});

test("the peak is at the largest value, the first of several", () => {
  assert.equal(peakOf([0.1, 0.4, 0.4, 0.1]), 1);
  assert.equal(peakOf(Float32Array.of(1)), 0);
});

test("products of two rows are summed", () => {
  assert.equal(dot(Float32Array.of(1, 2, 3), [4, 5, 6]), 32);
});

test("a small share has a decimal", () => {
  assert.deepEqual([0, -1e-9, 0.0123, 0.0949, 0.095, 0.5, 1].map(percent), [
    "0.0%",
    "0.0%",
    "1.2%",
    "9.5%",
    "10%",
    "50%",
    "100%",
  ]);
});

test("numbers have four significant digits and a true minus sign", () => {
  assert.deepEqual(
    [0, -0, 1, 2.34567891, -0.5, 123456.7].map((value) => written(value)),
    ["0", "0", "1", "2.346", "−0.5", "123,500"],
  );
  assert.equal(written(2 / 3, 2), "0.67");
});

test("an exponent stands only where zeros would hide the number", () => {
  assert.equal(written(1e-4), "0.0001");
  assert.equal(written(0.00001234), "1.23e−5");
  assert.equal(written(-0.00001234), "−1.23e−5");
  assert.equal(written(-9_999_000), "−9,999,000");
  assert.equal(written(1e7), "1.00e+7");
});

test("decimals are fixed, and zero has no sign", () => {
  assert.deepEqual(
    [1.005, -2.345, -0.001, 0].map((value) => fixed(value, 1)),
    ["1.0", "−2.3", "0.0", "0.0"],
  );
});

test("whole numbers have their thousands apart", () => {
  assert.deepEqual([-1234567, 999, 0.6, -0.2].map(whole), ["−1,234,567", "999", "1", "0"]);
});

test("ticks are round, inside, and never closer than the least step", () => {
  assert.deepEqual(ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ticks(-1, 1, 4), [-1, -0.5, 0, 0.5, 1]);
  assert.deepEqual(ticks(0, 3, 100, 1), [0, 1, 2, 3]);
  assert.ok(!Object.is(ticks(-1, 1, 2)[1], -0));
  for (const [low, high, count] of [
    [3, 97, 7],
    [-0.013, 0.4, 5],
    [1e6, 1.1e6, 3],
  ]) {
    const values = ticks(low, high, count);
    assert.ok(values.length >= 2 && values.length <= count + 1, `${values}`);
    assert.ok(values.every((value) => value >= low && value <= high));
  }
});

test("a range of nothing ends", () => {
  assert.ok(ticks(2, 2, 5).length <= 1);
});
