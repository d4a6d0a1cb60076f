import assert from "node:assert/strict";
import { test } from "node:test";

import { ended, listed, sentences } from "../../../../viz/components/browser/dom.js";

const ENGLISH = { "full stop": "{sentence}.", sentences: "{before} {next}" };
const JAPANESE = { "full stop": "{sentence}\u3002", sentences: "{before}{next}" };

test("a list is written as its words say", () => {
  assert.equal(listed(["a", "b", "c"], "{before}\u3001{next}"), "a\u3001b\u3001c");
  assert.equal(listed([], "{before}, {next}"), "");
});

test("parts become sentences of their language, and one that has its mark gets no other", () => {
  assert.equal(sentences(["One", "Two?", "3"], ENGLISH), "One. Two? 3");
  assert.equal(sentences(["\u7532", "\u4e59\u3002", "\u4e19"], JAPANESE), "\u7532\u3002\u4e59\u3002\u4e19");
});

test("a sentence ends in a mark of its language", () => {
  assert.deepEqual(
    ["Failed to fetch", "graph: 404.", "Why?"].map((text) => ended(text, ENGLISH)),
    ["Failed to fetch.", "graph: 404.", "Why?"],
  );
  assert.equal(ended("\u7532", JAPANESE), "\u7532\u3002");
});
