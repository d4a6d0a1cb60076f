import assert from "node:assert/strict";
import { test } from "node:test";

import { pressKey } from "../../../../../viz/pages/start/components/architecture/keys.js";

const PAGE = { name: "body" };
const ROOT = { name: "root" };
globalThis.document = { body: PAGE };

// What a key does that is pressed on the page, at an opened part: whether the page scrolls by it, and the new row.
function pressed(key, { path = [PAGE], ...picture } = {}) {
  const done = { scrolls: true, row: 1 };
  const architecture = {
    root: ROOT,
    state: { part: "source", head: null, key: null, row: 1 },
    header: { source: ["a", "b", "c"], written: [] },
    isPointedAt: false,
    fullScreen: { isOn: false },
    change: ({ row }) => (done.row = row),
    ...picture,
  };
  const event = { key, composedPath: () => path, preventDefault: () => (done.scrolls = false) };
  pressKey(architecture, event);
  return done;
}

test("arrow keys scroll the page, unless they are for the picture", () => {
  assert.deepEqual(pressed("ArrowDown"), { scrolls: true, row: 1 });
  const isFor = { scrolls: false, row: 2 };
  assert.deepEqual(pressed("ArrowDown", { path: [{ type: "button" }, ROOT, PAGE] }), isFor);
  assert.deepEqual(pressed("ArrowDown", { isPointedAt: true }), isFor);
  assert.deepEqual(pressed("ArrowDown", { fullScreen: { isOn: true } }), isFor);
});

test("no key is taken from another part of the page", () => {
  const path = [{ type: "text" }, PAGE];
  assert.deepEqual(pressed("ArrowDown", { path, isPointedAt: true }), { scrolls: true, row: 1 });
});
