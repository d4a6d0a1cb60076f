import assert from "node:assert/strict";
import { test } from "node:test";

import { Notes } from "../../../../viz/site/browser/notes.js";

// An element that counts how often what it holds is replaced.
function made() {
  return {
    times: 0,
    texts: [],
    getAttribute: () => null,
    setAttribute: () => {},
    append(...texts) {
      this.texts.push(...texts);
    },
    replaceChildren(...children) {
      this.times += 1;
      this.texts = children.flatMap(({ texts }) => texts);
    },
  };
}

const drawn = () => new Promise((resolve) => setTimeout(resolve));

test("a sentence that stays is not spoken again", async () => {
  globalThis.document = { createElement: made };
  const notes = new Notes();
  const set = async (...sentences) => {
    for (const [key, sentence] of sentences) notes.set(key, sentence);
    await drawn();
    return [notes.node.texts.map(String), notes.node.times];
  };
  assert.deepEqual(await set(["heads", "No heads."], ["kind", "No kind."]), [["No heads.", "No kind."], 1]);
  assert.deepEqual(await set(["heads", "No heads."]), [["No heads.", "No kind."], 1]);
  assert.deepEqual(await set(["file", null]), [["No heads.", "No kind."], 1]);
  notes.clear();
  assert.deepEqual(await set(["heads", "No heads."], ["kind", "No kind."]), [["No heads.", "No kind."], 1]);
  assert.deepEqual(await set(["file", "No file."], ["kind", null]), [["No heads.", "No file."], 2]);
  notes.clear();
  assert.deepEqual(await set(), [[], 3]);
});
