import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeElement, newPage } from "../../../dom.js";

import { Opened } from "../../../../../viz/pages/start/components/architecture/opened.js";

const [ROWS, KEYS] = ["row-tokens", "token-choice"];

// The tokens of a sentence as buttons, of which one is chosen.
function tokens(name, chosen) {
  const list = new FakeElement("div");
  list.setAttribute("class", name);
  ["the", "cat", "the"].forEach((label, place) => {
    const button = new FakeElement("button");
    button.setAttribute("aria-pressed", place === chosen);
    button.append(label);
    list.append(button);
  });
  return list;
}

for (const [name, other] of [
  [ROWS, KEYS],
  [KEYS, ROWS],
])
  test(`the focus comes back to the list that it was in: ${name}`, () => {
    const stage = newPage();
    const opened = new Opened({ stage, box: new FakeElement("div"), tooltip: {}, act: {} });
    const before = tokens(name, 0);
    opened.content.append(tokens(ROWS, 2), tokens(KEYS, 2));
    document.activeElement = null;
    opened.focusAgain(before.children[2]);
    assert.equal(document.activeElement, opened.content.querySelector(`.${name}`).children[2]);
    assert.ok(!opened.content.querySelector(`.${other}`).contains(document.activeElement));
  });
