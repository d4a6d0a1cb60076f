import assert from "node:assert/strict";
import { test } from "node:test";

import { columnsOf, overColumn, shortened, standsUpright } from "../../../../viz/components/browser/scripts.js";

test("an East Asian letter is as wide as two Latin ones", () => {
  assert.deepEqual(["dog", "\u72ac", "\ub2e8\uc5b4a", ""].map(columnsOf), [3, 2, 5, 0]);
});

test("a text of too many letters ends in an ellipsis, and no letter is cut in two", () => {
  assert.deepEqual(
    ["dog", "dogs", "dogged", "a\u{1f642}\u{1f642}b", "ab\u{1f642}\u{1f642}b"].map((text) => shortened(text, 4)),
    ["dog", "dogs", "dog…", "a\u{1f642}\u{1f642}b", "ab\u{1f642}…"],
  );
});

test("Japanese stands upright over its column, and Latin letters are turned", () => {
  assert.deepEqual(["\u6628\u65e5", "\u30ec\u30b9", "\ud55c", "dog", "\u27e8end\u27e9"].map(standsUpright), [
    true,
    true,
    true,
    false,
    false,
  ]);
  assert.equal(overColumn("\u6628\u65e5", 5, 9)["writing-mode"], "vertical-rl");
  assert.equal(overColumn("dog", 5, 9).transform, "rotate(-90 5 9)");
});
