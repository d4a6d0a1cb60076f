import assert from "node:assert/strict";
import { test } from "node:test";

import "../../../dom.js";

import { drawGrid, layOut } from "../../../../../viz/pages/interventions/components/head_grid/drawing.js";

const PALETTE = { hue: [0, 0, 255], opposite: [255, 128, 0], ink: "#000000", surface: "#ffffff", line: "#888888" };

// The ends of the scale as the legend writes them, and the numbers of the cells that are marked as beyond it.
function drawn(scale, effects, places) {
  const grid = {
    ...{ rows: ["1"], columns: effects.map(String), palette: PALETTE, scale, words: { unit: "nats", rule: "" } },
    look: { places, least_written: 0, blue: 1 },
    cells: effects.map((effect, column) => ({ effect, column, row: 0, span: 1, code: String(column), tooltip: [] })),
  };
  const nodes = drawGrid({ grid, layout: layOut(grid, 2000), focused: 0 });
  const [, low, high] = nodes
    .map(({ textContent }) => /^(?:≤ )?−?([\d.]+) … (?:≥ )?([\d.]+) nats$/.exec(textContent))
    .find(Boolean);
  const cut = nodes
    .filter((node) => node.tag === "g" && node.querySelector(".cut"))
    .map(({ textContent }) => textContent);
  return { low, high, cut };
}

for (const scale of [0.04, 0.14, 0.96, 7])
  for (const places of [1, 2, 3])
    test(`exactly the numbers beyond the ends of the legend are marked: ${scale}, ${places} places`, () => {
      const effects = [0.5, 0.8, 0.99, 1, 1.04, 1.3, 2].flatMap((share) => [share * scale, -share * scale]);
      const { low, high, cut } = drawn(scale, effects, places);
      const isBeyond = (effect) => Number(Math.abs(effect).toFixed(places)) > Number(high);
      assert.equal(low, high);
      assert.equal(high, scale.toFixed(places));
      assert.equal(cut.length, effects.filter(isBeyond).length);
    });
