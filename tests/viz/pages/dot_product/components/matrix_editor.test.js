import assert from "node:assert/strict";
import { test } from "node:test";

import { newPage } from "../../../dom.js";

import mount from "../../../../../viz/pages/dot_product/components/matrix_editor/main.js";

const WORDS = { size: "{name}: {rows} × {columns}", cell: "{name} {row} {column}" };
for (const name of ["remove_row", "add_row", "remove_column", "add_column"]) WORDS[name] = `${name} {name}`;

// The values of the fields, after each of the texts has come.
function shown(...texts) {
  const parentElement = newPage();
  for (const text of texts)
    mount({
      data: { language: "en", matrices: { A: text }, largest: 3, words: WORDS },
      parentElement,
      setStateValue: () => {},
    });
  return {
    values: parentElement.querySelectorAll("input").map(({ value }) => value),
    labels: parentElement.querySelectorAll("input").map((input) => input.getAttribute("aria-label")),
    legend: parentElement.querySelector("legend")?.textContent,
    buttons: parentElement
      .querySelectorAll("button")
      .map((one) => [one.getAttribute("title"), one.hasAttribute("disabled")]),
  };
}

test("a matrix of one empty field is drawn, too", () => {
  assert.deepEqual(shown("_").values, [""]);
  assert.deepEqual(shown("1 2; 3 4", "_").values, [""]);
});

test("every field and every button says what it is of", () => {
  const { legend, labels, buttons } = shown("1 2 3; 4 5 6");
  assert.equal(legend, "A: 2 × 3");
  assert.equal(labels[4], "A 2 2");
  assert.deepEqual(buttons, [
    ["remove_row A", false],
    ["add_row A", false],
    ["remove_column A", false],
    ["add_column A", true],
  ]);
});
