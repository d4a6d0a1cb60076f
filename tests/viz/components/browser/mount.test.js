import assert from "node:assert/strict";
import { test } from "node:test";

import { packed } from "../../dom.js";

import { mounted } from "../../../../viz/components/browser/mount.js";

// What a component is given, and the views that it was drawn by: a view is made for the words of one language.
function component() {
  const views = [];
  const parentElement = { childNodes: [], isConnected: true };
  const mount = mounted(() => {
    const view = { updates: [], update: (data) => view.updates.push(data), isRemoved: false };
    views.push(Object.assign(view, { remove: () => (view.isRemoved = true) }));
    return view;
  });
  return { views, show: (data) => mount({ data, parentElement }) };
}

for (const [name, said] of Object.entries({
  bytes: (language) => packed({ language }),
  "an object": (language) => ({ language }),
})) {
  test(`another language makes another view of a component that takes ${name}, and nothing else does`, () => {
    const { views, show } = component();
    for (const language of ["en", "en", "ja"]) show(said(language));
    assert.deepEqual(
      views.map(({ updates, isRemoved }) => [updates.length, isRemoved]),
      [
        [2, true],
        [1, false],
      ],
    );
  });
}

test("a component without words keeps its view", () => {
  const { views, show } = component();
  for (const data of [{ text: "a" }, { text: "b" }, null]) show(data);
  assert.equal(views.length, 1);
});
