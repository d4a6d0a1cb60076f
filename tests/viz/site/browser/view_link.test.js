import assert from "node:assert/strict";
import { test } from "node:test";

import { siteAt } from "./page.js";

import { linkOf, readView } from "../../../../viz/site/browser/view_link.js";

const SHAPE = { n_encoder_layers: 30, n_decoder_layers: 30, n_heads: 20 };

function read(query) {
  const site = siteAt(query);
  return { view: readView(site, SHAPE), refused: site.refused };
}

test("a switch takes 0 and 1 alone", () => {
  for (const text of ["constructor", "toString", "__proto__", "2", "", "01"]) {
    const { view, refused } = read(`kind=cross&hide=${text}`);
    assert.deepEqual([view.hide_special, refused], [false, ["hide"]], text);
    assert.equal(linkOf(view)["hide"], null);
  }
  assert.equal(read("hide=1").view.hide_special, true);
  assert.equal(read("hide=0").view.hide_special, false);
});

test("a head or a pin counts once, and no more heads are taken than in the app", () => {
  const { view, refused } = read("kind=cross&heads=1.1-2.1-1.1&pins=3-3-4.2-3");
  assert.deepEqual(view.heads, [
    [0, 0],
    [1, 0],
  ]);
  assert.deepEqual(view.pins, [
    [2, null],
    [3, 1],
  ]);
  assert.deepEqual(refused, []);
  const all = Array.from({ length: 401 }, (_, place) => `${Math.floor(place / 20) + 1}.${(place % 20) + 1}`);
  assert.equal(read(`heads=${all.slice(0, 400).join("-")}`).view.heads.length, 400);
  assert.deepEqual(read(`heads=${all.join("-")}`).refused, ["heads"]);
  assert.deepEqual(read(`heads=${[...all.slice(0, 400), "1.1"].join("-")}`).refused, []);
});

test("a threshold is a number", () => {
  for (const text of ["", " ", "0x1", "a"]) assert.deepEqual(read(`threshold=${text}`).refused, ["threshold"], text);
  assert.deepEqual(read("threshold=2e-1").view.threshold, 0.2);
});
