import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { FakeElement, newPage } from "../../dom.js";

import { FullScreen, createMenu } from "../../../../viz/components/browser/menu.js";

const LABELS = { "save of": "Save: {name}", "full screen of": "Full screen: {name}", png: "PNG", failed: "No file." };

let page;
beforeEach(() => {
  page = newPage();
  Object.assign(globalThis, { innerWidth: 1600, innerHeight: 1200 });
});

function menu(make) {
  const root = new FakeElement("div");
  const made = createMenu({
    labels: LABELS,
    name: "a picture",
    files: [{ kind: "png", name: () => "picture.png", make }],
    fullScreen: new FullScreen(root),
  });
  root.append(made.node);
  page.append(root);
  return { ...made, root, said: () => made.node.querySelector('[role="alert"]')?.textContent ?? "" };
}

const pick = (node, name) => node.querySelector(`[data-save="${name}"]`).dispatch("click").answer;

for (const [name, make] of Object.entries({
  "throws at once": () => {
    throw new Error("too large");
  },
  "fails later": async () => {
    throw new Error("too large");
  },
  "has no file in the end": async () => null,
}))
  test(`what ${name} is said beside the menu, until another file is chosen`, async (context) => {
    context.mock.method(console, "error", () => {});
    let makes = make;
    const { node, said } = menu(() => makes());
    await pick(node, "png");
    assert.equal(said(), LABELS.failed);
    makes = () => undefined;
    await pick(node, "png");
    assert.equal(said(), "");
  });

test("what is offered stays the same item as long as it is the same", () => {
  const { node, offer } = menu(() => undefined);
  const served = () => node.querySelector('[data-save="served"]');
  offer([{ label: "Numbers", button: "numbers" }]);
  const before = served();
  before.focus();
  offer([{ label: "Numbers", button: "numbers" }]);
  assert.equal(served(), before);
  assert.equal(document.activeElement, before);
  offer([{ label: "Zahlen", button: "numbers" }]);
  assert.equal(served().textContent, "Zahlen");
});

test("while a picture fills the window, the focus stays in it", () => {
  const { node, root } = menu(() => undefined);
  const [inside, covered] = [new FakeElement("button"), new FakeElement("button")];
  root.append(inside);
  page.append(covered);
  const full = node.querySelector("button.full");
  full.dispatch("click");
  for (const [target, expected] of [
    [inside, inside],
    [covered, node.querySelector("summary")],
  ]) {
    target.focus();
    target.dispatch("focusin");
    assert.equal(document.activeElement, expected);
  }
  full.dispatch("click");
  covered.focus();
  covered.dispatch("focusin");
  assert.equal(document.activeElement, covered);
});
