import assert from "node:assert/strict";
import { test } from "node:test";

import { copied } from "../../../../viz/components/browser/copying.js";

const refuse = async () => {
  throw new DOMException("not allowed", "NotAllowedError");
};

for (const [name, clipboard, isCommanded, isCopied] of [
  ["by the clipboard", { writeText: async () => {} }, false, true],
  ["by a field where the clipboard is refused", { writeText: refuse }, true, true],
  ["by a field where there is no clipboard", undefined, true, true],
  ["by hand where nothing else is allowed", { writeText: refuse }, false, false],
])
  test(`a link is copied ${name}`, async () => {
    const beside = new Set();
    Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
    globalThis.document = {
      execCommand: () => isCommanded,
      createElement: () => ({
        append: () => {},
        setAttribute: () => {},
        getAttribute: () => null,
        select: () => {},
        addEventListener: () => {},
        remove() {
          beside.delete(this);
        },
      }),
    };
    const button = { textContent: "Copy link", after: (field) => beside.add(field), focus: () => {} };
    assert.equal(await copied("https://host/a/", button), isCopied);
    assert.equal(beside.size, isCopied ? 0 : 1);
  });
