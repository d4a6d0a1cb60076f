import assert from "node:assert/strict";
import { test } from "node:test";

import { PendingEdits } from "../../../../../viz/pages/dot_product/components/matrix_editor/pending.js";

function opened(text) {
  const pending = new PendingEdits();
  assert.equal(pending.isAnswer({ X: text, W: "1" }), false);
  return { sends: (X) => pending.add({ X, W: "1" }), hears: (X) => pending.isAnswer({ W: "1", X }) };
}

test("a late answer to an older edit is no other example", () => {
  const { sends, hears } = opened("0");
  for (const text of ["1", "12"]) sends(text);
  assert.ok(hears("1"));
  sends("123");
  assert.ok(hears("12") && hears("123"));
});

test("a page that runs again for something else sends what it has answered already", () => {
  const { sends, hears } = opened("0");
  sends("1");
  assert.ok(hears("0") && hears("1"));
  sends("12");
  assert.ok(hears("1") && hears("1") && hears("12"));
});

test("the page need not answer every edit, and what it has passed over is an example from then on", () => {
  const { sends, hears } = opened("0");
  for (const text of ["1", "12", "123"]) sends(text);
  assert.ok(hears("12"));
  assert.equal(hears("1"), false);
});

test("another example ends the wait for answers", () => {
  const { sends, hears } = opened("0");
  sends("1");
  assert.equal(hears("7"), false);
  assert.ok(hears("7"));
  assert.equal(hears("1"), false);
  assert.equal(hears("0"), false);
});
