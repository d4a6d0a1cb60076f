import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeElement, newPage } from "../../dom.js";

import { createMatrix } from "../../../../viz/components/attention_explorer/matrix.js";
import { createOverview } from "../../../../viz/components/attention_explorer/overview.js";
import { SvgView } from "../../../../viz/components/browser/svg_view.js";
import mountMatrices from "../../../../viz/pages/dot_product/components/matrix_editor/main.js";

const WORDS = new Proxy({}, { get: (_, key) => String(key) });

// Of each component, what has the focus and a key that it has a use for.
const FOCUSED = {
  "a drawing": (page) => {
    const view = new SvgView(page, "drawing");
    view.neighbour = () => 1;
    page.append(view.svg);
    const mark = new FakeElement("g");
    mark.setAttribute("data-number", "0");
    view.svg.append(mark);
    return [mark, "ArrowLeft"];
  },
  "the matrix of the explorer": () => {
    const { cells } = createMatrix({ text: WORDS, hover: () => {}, pin: () => {}, tallest: () => 100 });
    return [cells, "Enter"];
  },
  "the heads of the explorer": () => {
    const { node } = createOverview({ text: WORDS, tables: {}, choose: () => {}, preview: () => {} });
    const mosaic = node.querySelector(".mosaic");
    mosaic.style.gridTemplateColumns = "1px 1px";
    return [mosaic, "ArrowLeft"];
  },
  "a matrix of fields": (page) => {
    mountMatrices({
      data: { language: "en", matrices: { A: "1 2" }, largest: 3, words: WORDS },
      parentElement: page,
      setStateValue: () => {},
    });
    const [, last] = page.querySelectorAll("input");
    Object.assign(last, { selectionStart: 0, selectionEnd: 1 });
    return [last, "ArrowLeft"];
  },
};

for (const [name, focusIn] of Object.entries(FOCUSED))
  test(`${name} takes a key alone, and leaves those of the browser to it`, () => {
    const [node, key] = focusIn(newPage());
    for (const modifier of ["ctrlKey", "altKey", "metaKey"])
      assert.equal(node.dispatch("keydown", { key, [modifier]: true }).defaultPrevented, false, modifier);
    assert.equal(node.dispatch("keydown", { key }).defaultPrevented, true);
  });

test("the selection of a field is made larger by Shift and an arrow", () => {
  const [field, key] = FOCUSED["a matrix of fields"](newPage());
  assert.equal(field.dispatch("keydown", { key, shiftKey: true }).defaultPrevented, false);
});
