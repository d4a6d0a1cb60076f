import assert from "node:assert/strict";
import { test } from "node:test";

import { siteAt } from "./page.js";

import { Chart } from "../../../../viz/site/browser/chart.js";

const FIGURES = { light: { data: [], layout: {} }, dark: { data: [], layout: {} } };
const DRAWN = { name: "bars", alt: "Bars.", figures: FIGURES, table: null };

function chart() {
  const calls = [];
  const note =
    (name) =>
    (_, ...given) =>
      calls.push([name, ...given]) && undefined;
  const loaded = Promise.withResolvers();
  const made = new Chart(siteAt("", { plotly: () => loaded.promise }), DRAWN);
  const plotly = { react: note("react"), purge: note("purge"), toImage: note("toImage") };
  return { made, calls, load: () => loaded.resolve(plotly) };
}

test("a chart that has gone before it could be drawn is not drawn", async () => {
  const { made, calls, load } = chart();
  const drawing = made.draw();
  made.remove();
  load();
  await drawing;
  assert.deepEqual(calls, []);
});

test("from a full screen a chart is saved as large as it is laid out", async () => {
  const { made, calls, load } = chart();
  load();
  await made.draw();
  made.node.classList.add("full-screen");
  document.documentElement.style.setProperty("--enlarged", "2");
  made.drawing.getBoundingClientRect = () => ({ width: 1200, height: 800 });
  await made.blob("svg");
  const [, { width, height }] = calls.at(-1);
  assert.deepEqual([width, height], [600, 400]);
  document.documentElement.style.removeProperty("--enlarged");
});
