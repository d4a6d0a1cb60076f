import assert from "node:assert/strict";
import { test } from "node:test";

import { siteAt } from "./page.js";

import { DotProductPage } from "../../../../viz/site/browser/dot_product.js";

const SQUARE = "1 0; 0 1";
const WAYS = { scale: true, subtract_maximum: true, precision: "float64" };
const OPTIONS = { n_heads: 1, mask: "none", n_padding: 1, ...WAYS };
const FIRST = { matrices: { X: SQUARE, W_Q: SQUARE, W_K: SQUARE, W_V: SQUARE, W_O: SQUARE }, options: OPTIONS };

function opened(query) {
  const byHand = {
    examples: { first: FIRST, heads: { ...FIRST, options: { ...OPTIONS, n_heads: 2 } } },
    ...{ opening: "heads", first: "first", heads: [1, 2, 4], masks: ["none"] },
    ...{ precisions: { float64: {} }, limits: { size: 8, cell: 9 } },
  };
  const site = siteAt(query);
  site.words.byHand = byHand;
  const page = new DotProductPage(site);
  const heads = () => page.steps.querySelectorAll("button").map((one) => one.getAttribute("aria-pressed"));
  const link = () => site.link.get("shown-head");
  return { page, site, heads, link };
}

test("the head that is shown is in the link, and the link's is shown", () => {
  const { page, site, heads, link } = opened("n_heads=2&X=1 0");
  assert.deepEqual([heads(), link()], [["true", "false"], null]);
  page.steps.querySelectorAll("button")[1].listeners.click();
  assert.deepEqual([heads(), link()], [["false", "true"], "2"]);
  site.write({ "shown-head": null });
  page.follow();
  assert.deepEqual(heads(), ["true", "false"]);
  assert.deepEqual(opened("n_heads=2&X=1 0&shown-head=2").heads(), ["false", "true"]);
  assert.deepEqual(opened("shown-head=2").heads(), ["false", "true"]);
});

test("a head that is not there is refused, and leaves the link with the others", () => {
  const { site, heads, link } = opened("n_heads=2&X=1 0&shown-head=3");
  assert.deepEqual([heads(), link(), site.refused], [["true", "false"], null, ["shown-head"]]);
  const { page, ...other } = opened("n_heads=2&X=1 0&shown-head=2");
  page.take({ matrices: page.matrices, options: { ...page.options, n_heads: 1 } });
  assert.deepEqual([other.heads(), other.link()], [[], null]);
});
