import assert from "node:assert/strict";
import { test } from "node:test";

import { colourTable, css, inkOn } from "../../../../viz/components/browser/colours.js";

const channels = (pixel) => [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255, pixel >>> 24];

test("a scale goes from the surface to its colour, opaque throughout", () => {
  const table = colourTable(
    [
      [0, "rgba(0, 0, 255, 0)"],
      [1, "rgba(0, 0, 255, 1)"],
    ],
    "#ffffff",
    256,
  );
  assert.deepEqual(channels(table[0]), [255, 255, 255, 255]);
  assert.deepEqual(channels(table[255]), [0, 0, 255, 255]);
  assert.deepEqual(channels(table[51]), [204, 204, 255, 255]);
  assert.ok(Array.from(table).every((pixel) => channels(pixel)[3] === 255));
});

test("on both sides of a transparent middle nothing is darker than the surface and the colour mixed", () => {
  const stops = [
    [0, "rgba(255, 0, 0, 1)"],
    [0.5, "rgba(0, 0, 0, 0)"],
    [1, "rgba(0, 0, 255, 1)"],
  ];
  const table = colourTable(stops, "#ffffff", 5);
  assert.deepEqual(
    Array.from(table, (pixel) => channels(pixel).slice(0, 3)),
    [
      [255, 0, 0],
      [255, 128, 128],
      [255, 255, 255],
      [128, 128, 255],
      [0, 0, 255],
    ],
  );
});

test("a colour is written as CSS", () => {
  assert.equal(css([1, 2, 3]), "rgb(1 2 3 / 1)");
  assert.equal(css([1, 2, 3], 0.25), "rgb(1 2 3 / 0.25)");
});

test("letters are black on light grounds and white on dark ones", () => {
  assert.equal(inkOn([255, 255, 255]), "#000000");
  assert.equal(inkOn([130, 180, 255]), "#000000");
  assert.equal(inkOn([134, 153, 194]), "#000000");
  assert.equal(inkOn([84, 115, 161]), "#ffffff");
  assert.equal(inkOn([0, 0, 0]), "#ffffff");
});
