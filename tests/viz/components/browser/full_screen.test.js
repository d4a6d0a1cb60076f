import assert from "node:assert/strict";
import { test } from "node:test";

import { FullScreen } from "../../../../viz/components/browser/menu.js";

// As much of a page as a full screen needs: what listens, and the factor that the style sheets read.
function page() {
  const listening = new Set();
  const variables = new Map();
  const hears = {
    addEventListener: (_, listener) => listening.add(listener),
    removeEventListener: (_, listener) => listening.delete(listener),
  };
  const style = {
    setProperty: (name, value) => variables.set(name, value),
    removeProperty: (name) => variables.delete(name),
  };
  const root = {
    isOpen: false,
    offsetHeight: 400,
    classList: new Set(),
    setAttribute() {},
    removeAttribute() {},
    matches: () => root.isOpen,
    showPopover: () => (root.isOpen = true),
    hidePopover: () => (root.isOpen = false),
  };
  root.classList.remove = root.classList.delete;
  Object.assign(globalThis, {
    ...{ document: { ...hears, documentElement: { style } }, window: hears, innerWidth: 1600, innerHeight: 1200 },
    ...{ requestAnimationFrame: () => 1, cancelAnimationFrame: () => {} },
  });
  return { root, listening, variables };
}

test("a full screen that is left takes back what it has set", () => {
  const { root, listening, variables } = page();
  const full = new FullScreen(root);
  full.toggle();
  assert.ok(full.isOn && listening.size && variables.size);
  full.toggle();
  assert.deepEqual([full.isOn, listening.size, variables.size], [false, 0, 0]);
});

test("so does one whose picture leaves the page, where the browser closes it", () => {
  const { root, listening, variables } = page();
  const full = new FullScreen(root);
  full.toggle();
  root.isOpen = false;
  full.remove();
  assert.deepEqual([listening.size, variables.size], [0, 0]);
});

test("a picture that never filled the window leaves the full screen of another one alone", () => {
  const { root, variables } = page();
  new FullScreen(root).toggle();
  new FullScreen({ ...root, matches: () => false }).remove();
  assert.ok(variables.size);
});
