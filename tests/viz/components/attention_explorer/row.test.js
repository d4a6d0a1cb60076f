import assert from "node:assert/strict";
import { test } from "node:test";

import { newPage } from "../../dom.js";

import { prepare } from "../../../../viz/components/attention_explorer/prepare.js";
import { createRow } from "../../../../viz/components/attention_explorer/row.js";
import { fieldsOf } from "../../../../viz/components/attention_explorer/sides.js";
import { OPTIONS, encoder } from "./recording.js";

const WORDS = new Proxy({}, { get: (_, key) => String(key) });

test("a click on a bar pins the row that it is of, whatever row is pointed at", () => {
  newPage();
  const pinned = [];
  const row = createRow({ text: WORDS, hover: () => {}, pin: (at) => pinned.push(at), unpin: () => {} });
  row.draw(prepare(fieldsOf([encoder()]).of("encoder"), OPTIONS));
  row.focus(2, [[0, 1]], { exact: new Map(), threshold: 0 });
  const [, line] = row.node.querySelectorAll("tbody tr");
  const [name, ofPinned, ofPointed] = line.children;
  for (const cell of [ofPinned, ofPointed, name]) cell.dispatch("click");
  assert.deepEqual(pinned, [
    { query: 0, key: 1 },
    { query: 2, key: 1 },
    { query: 2, key: 1 },
  ]);
});
