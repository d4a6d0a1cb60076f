import assert from "node:assert/strict";
import { test } from "node:test";

import { markRect } from "../../../../viz/components/browser/plot.js";

test("a mark is ink beside surface, so that no colour of the data hides it", () => {
  const drawn = [];
  const context = {
    setLineDash() {},
    strokeRect() {
      drawn.push([this.strokeStyle, this.lineWidth]);
    },
  };
  markRect(context, { ink: "#1b1f24", surface: "#ffffff", hue: "#0d3485" }, 0, 0, 4, 4);
  const [[under, wide], [over, narrow]] = drawn;
  assert.deepEqual([under, over, drawn.length], ["#ffffff", "#1b1f24", 2]);
  assert.ok(wide > narrow);
});
