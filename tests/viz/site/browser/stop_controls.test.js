import assert from "node:assert/strict";
import { test } from "node:test";

import { siteAt } from "./page.js";

import { StopControls } from "../../../../viz/site/browser/stop_controls.js";

const WIDTH = { key: "mask-n", old_keys: ["n"], kind: "row", label: "Tokens", allowed: "4, 8", opens_at: "8" };

function opened(query) {
  const site = siteAt(query, {});
  const control = { ...WIDTH, values: ["4", "8", "16"], labels: ["4", "8", "16"] };
  return { site, controls: new StopControls(site, [control], () => {}) };
}

test("a control is set by its old name, until it is moved or its stop is left", () => {
  const { site, controls } = opened("stop=6&n=4");
  assert.deepEqual(controls.values, ["4"]);
  controls.node.querySelectorAll("button")[2].listeners.click();
  assert.equal(site.link.toString(), "stop=6&mask-n=16");
  assert.deepEqual(controls.values, ["16"]);
  assert.deepEqual(controls.nothing, { "mask-n": null, n: null });
});

test("its name goes before its old name", () => {
  assert.deepEqual(opened("mask-n=16&n=4").controls.values, ["16"]);
  assert.deepEqual(opened("").controls.values, ["8"]);
});
