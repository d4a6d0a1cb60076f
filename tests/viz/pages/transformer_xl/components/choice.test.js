import assert from "node:assert/strict";
import { test } from "node:test";

import { Choice } from "../../../../../viz/pages/transformer_xl/components/memory_text/choice.js";

const SHOWN = { place: 9, source: 2, head: null };

function choice() {
  const made = new Choice();
  made.answer({ ...SHOWN, labels: ["a"] });
  return made;
}

test("a second choice holds the first, which the page has not answered yet", () => {
  const made = choice();
  assert.deepEqual(made.change({ place: 5 }), { place: 5, source: 2, head: null });
  assert.deepEqual(made.change({ head: [1, 3] }), { place: 5, source: 2, head: [1, 3] });
});

test("the answer to the first takes nothing of the second away", () => {
  const made = choice();
  made.change({ place: 5 });
  made.change({ head: [1, 3] });
  made.answer({ ...SHOWN, place: 5 });
  assert.deepEqual(made.change({ source: 1 }), { place: 5, source: 1, head: [1, 3] });
});

test("the page that draws the same once more has answered nothing", () => {
  const made = choice();
  made.change({ place: 5 });
  made.answer(SHOWN);
  assert.deepEqual(made.now, { ...SHOWN, place: 5 });
});

test("a choice that is taken back at once is answered by what was there", () => {
  const made = choice();
  made.change({ head: [1, 1] });
  made.change({ head: null });
  made.answer(SHOWN);
  made.answer({ ...SHOWN, head: [1, 1] });
  assert.deepEqual(made.now.head, [1, 1]);
});

test("what the page makes of a choice, or chooses itself, counts", () => {
  const made = choice();
  made.change({ place: 1 });
  made.answer({ place: 1, source: 0, head: null });
  assert.deepEqual(made.change({ head: [0, 0] }), { place: 1, source: 0, head: [0, 0] });
  made.answer({ place: 8, source: 7, head: null });
  assert.deepEqual(made.now, { place: 8, source: 7, head: null });
});
