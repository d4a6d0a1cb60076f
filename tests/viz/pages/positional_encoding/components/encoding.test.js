import assert from "node:assert/strict";
import { test } from "node:test";

import { dot } from "../../../../../viz/components/browser/numbers.js";
import {
  blockMeans,
  encodingRow,
  encodingValue,
  frequencies,
  paintEncoding,
  paintValues,
  residual,
  rotation,
  similarities,
} from "../../../../../viz/pages/positional_encoding/components/playground/encoding.js";
import { rotationView } from "../../../../../viz/pages/positional_encoding/components/playground/rotation_view.js";
import { Scene } from "../../../../../viz/pages/positional_encoding/components/playground/scene.js";

const BASE = 10_000;
// With pairs that are a multiple of four, and with one, two and three left over.
const SIZES = [2, 6, 12, 14, 64];

function assertNear(values, expected, by = 1e-9) {
  assert.equal(values.length, expected.length);
  Array.from(values).forEach((value, index) => {
    assert.ok(Math.abs(value - expected[index]) <= by, `${index}: ${value} is not ${expected[index]}`);
  });
}

test("values are those of the formula", () => {
  const omega = frequencies(6, BASE);
  assertNear(omega, [1, BASE ** (-1 / 3), BASE ** (-2 / 3)]);
  assertNear(
    encodingRow(7, omega),
    Array.from(omega).flatMap((frequency) => [Math.sin(7 * frequency), Math.cos(7 * frequency)]),
  );
  assert.equal(encodingValue(7, 3, omega), encodingRow(7, omega)[3]);
});

test("the similarity depends on the distance only, and is the dot product", () => {
  for (const d_model of SIZES) {
    const omega = frequencies(d_model, BASE);
    const sums = similarities(200, omega);
    for (const start of [0, 31]) {
      const row = encodingRow(start, omega);
      assertNear(
        sums,
        Array.from(sums, (_, k) => dot(row, encodingRow(start + k, omega))),
        1e-7,
      );
    }
  }
});

test("a rotation leads from each position to the one so far ahead", () => {
  const omega = frequencies(64, BASE);
  for (const offset of [-5, 0, 12]) {
    assert.ok(residual(encodingRow(20, omega), encodingRow(20 + offset, omega), offset, omega) < 1e-12);
  }
  assert.ok(residual(encodingRow(20, omega), encodingRow(20, omega), 1, omega) > 0.5);
  assertNear(rotation(0, 1), [1, 0, 0, 1]);
});

test("pixels are the means of their runs of positions, whichever row the painting begins with", () => {
  const omega = frequencies(8, BASE);
  const table = Uint32Array.from({ length: 2001 }, (_, index) => index);
  for (const run of [1, 3, 8]) {
    const rows = 6;
    const values = Float64Array.from({ length: rows * run * 8 }, (_, index) =>
      encodingValue(Math.floor(index / 8), index % 8, omega),
    );
    const expected = new Uint32Array(rows * 8);
    paintValues(expected, values, 8, { run, rows, table });
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < 8; column++) {
        let mean = 0;
        for (let index = 0; index < run; index++) mean += values[(row * run + index) * 8 + column] / run;
        assert.ok(Math.abs(expected[row * 8 + column] - 1000 * (1 + mean)) <= 0.5 + 1e-6);
      }
    }
    for (const firstRow of [0, 2]) {
      const pixels = new Uint32Array(rows * 8);
      paintEncoding(pixels, omega, { run, rows, firstRow, table });
      assertNear(pixels.subarray(8 * firstRow), expected.subarray(8 * firstRow), 1);
      assert.ok(pixels.subarray(0, 8 * firstRow).every((pixel) => pixel === 0));
    }
  }
});

test("a block of similarities is the mean over both of its runs", () => {
  const profile = similarities(24, frequencies(12, BASE));
  assertNear(blockMeans(profile, 1, 5), profile.subarray(0, 5));
  const run = 4;
  const expected = Array.from({ length: 5 }, (_, block) => {
    let sum = 0;
    for (let p = 0; p < run; p++) for (let q = 0; q < run; q++) sum += profile[Math.abs(block * run + p - q)];
    return sum / run ** 2;
  });
  assertNear(blockMeans(profile, run, 5), expected);
});

test("a scene takes Python's values where those are for its view, else the formula's", () => {
  const view = { d_model: 4, base: BASE, length: 3, position: 1, offset: 1, pair: 0 };
  const rows = Float32Array.from({ length: 12 }, (_, index) => index);
  const followed = Float32Array.from({ length: 8 }, (_, index) => 100 + index);
  const exact = { view, rows, followed, similarities: Float32Array.from({ length: 9 }, (_, index) => index) };
  const same = new Scene(view, exact, {});
  assert.equal(same.valueAt(1, 2), 6);
  assertNear(same.ends[1], [104, 105, 106, 107]);
  assertNear(same.measured[1], [3, 4, 5]);
  const moved = new Scene({ ...view, position: 0 }, exact, {});
  assert.equal(moved.measured, null);
  assertNear(moved.rowAt(1), [4, 5, 6, 7]);
  assertNear(moved.rowAt(5), encodingRow(5, frequencies(4, BASE)));
  const other = new Scene({ ...view, base: 100 }, exact, {});
  assertNear(other.rowAt(1), encodingRow(1, frequencies(4, 100)));
  assert.ok(other.residual < 1e-12);
});

test("turns within the length are counted", () => {
  const scene = new Scene({ d_model: 6, base: 1000, length: 7, position: 0, offset: 0 }, null, {});
  assert.deepEqual(scene.turns, { whole: 1, barely: 1 });
  assertNear([scene.wavelength(0)], [2 * Math.PI]);
});

test("the columns of a table have names of their own", () => {
  const scene = {
    ends: [
      [0, 0],
      [0, 0],
    ],
    omega: [1],
    offset: 1,
  };
  const [names] = rotationView.table(scene);
  assert.equal(new Set(names).size, names.length);
});
