import assert from "node:assert/strict";
import { test } from "node:test";

import { newPage } from "../../dom.js";

import mount from "../../../../viz/components/copy_link/copy_link.js";

const ADDRESS = "https://host/page?text=one";
const refuse = async () => {
  throw new DOMException("not allowed", "NotAllowedError");
};

// What stands on the button, and in the fields beside it, once it has been pressed.
async function pressed(clipboard, isCommanded) {
  const parentElement = newPage();
  const location = { href: ADDRESS, pathname: "/page", hash: "" };
  Object.assign(globalThis, { location, history: {}, MutationObserver: ResizeObserver });
  globalThis.History = class {};
  document.execCommand = () => isCommanded;
  Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
  mount({ data: { label: "Copy", copied: "Copied" }, parentElement });
  const button = parentElement.querySelector("button");
  await button.dispatch("click").answer;
  return [button.textContent, ...parentElement.querySelectorAll("textarea").map(({ textContent }) => textContent)];
}

test("the link is copied by the clipboard, or by a selection where that is refused", async () => {
  assert.deepEqual(await pressed({ writeText: async () => {} }, false), ["Copied"]);
  assert.deepEqual(await pressed({ writeText: refuse }, true), ["Copied"]);
  assert.deepEqual(await pressed(undefined, true), ["Copied"]);
});

test("where the browser refuses both, the link stands there to be copied by hand", async () => {
  assert.deepEqual(await pressed({ writeText: refuse }, false), ["Copy", ADDRESS]);
});
