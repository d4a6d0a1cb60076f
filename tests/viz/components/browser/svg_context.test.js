import assert from "node:assert/strict";
import { test } from "node:test";

import "../../dom.js";

import { svgNodeOf } from "../../../../viz/components/browser/svg_context.js";

// In the fake page a letter is seven pixels wide.
test("a text that is wider than its room is made narrower, as on a canvas", () => {
  const drawn = svgNodeOf(
    (context) => {
      context.fillText("ten letter", 0, 0, 35);
      context.fillText("ten letter", 0, 0, 80);
      context.fillText("ten letter", 0, 0);
    },
    100,
    100,
    "white",
  );
  const lengths = drawn.querySelectorAll("text").map((node) => node.getAttribute("textLength"));
  assert.deepEqual(lengths, ["35", null, null]);
});
