import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldsOf } from "../../../../viz/components/attention_explorer/sides.js";
import {
  FIELDS,
  createStore,
  fieldsOfView,
  fitOrder,
  fitView,
  toggleHead,
  togglePin,
} from "../../../../viz/components/attention_explorer/view.js";
import { cross, encoder } from "./recording.js";

test("a store tells what is chosen and what was", () => {
  const told = [];
  const store = createStore({ kind: "cross", step: null }, (state, before) => told.push([state.step, before.step]));
  store.set({ step: 2 });
  store.set({ step: 3 });
  assert.deepEqual(told, [
    [2, null],
    [3, 2],
  ]);
  assert.deepEqual(store.get(), { kind: "cross", step: 3 });
});

test("only the fields of the view are sent", () => {
  const view = Object.fromEntries(FIELDS.map((name) => [name, name]));
  assert.deepEqual(fieldsOfView({ ...view, hover: { query: 1 } }), view);
});

test("a pin is set and taken away, and the oldest gives way", () => {
  assert.deepEqual(togglePin([], [1, 2], 2), [[1, 2]]);
  assert.deepEqual(
    togglePin(
      [
        [1, 2],
        [1, null],
      ],
      [1, null],
      2,
    ),
    [[1, 2]],
  );
  assert.deepEqual(
    togglePin(
      [
        [1, 2],
        [3, 4],
      ],
      [5, 6],
      2,
    ),
    [
      [3, 4],
      [5, 6],
    ],
  );
});

test("a head is added and taken away, but for the last", () => {
  assert.deepEqual(toggleHead([[0, 0]], [1, 2]), [
    [0, 0],
    [1, 2],
  ]);
  assert.deepEqual(
    toggleHead(
      [
        [0, 0],
        [1, 2],
      ],
      [0, 0],
    ),
    [[1, 2]],
  );
  assert.deepEqual(toggleHead([[0, 0]], [0, 0]), [[0, 0]]);
});

test("what a recording does not have is left out of its view", () => {
  const view = {
    kind: "cross",
    heads: [
      [0, 1],
      [5, 0],
    ],
    pins: [
      [1, 2],
      [9, 0],
      [2, null],
    ],
    step: 7,
    sort: "entropy",
  };
  assert.deepEqual(fitView(view, fieldsOf([encoder()]), 3), {
    kind: "encoder",
    heads: [[0, 1]],
    pins: [
      [1, 2],
      [2, null],
    ],
    step: null,
    sort: "entropy",
  });
  const other = fitView({ ...view, heads: [[5, 0]], step: 2 }, fieldsOf([encoder()]), 3);
  assert.deepEqual([other.heads, other.step], [[[1, 0]], 2]);
});

test("of all kinds at once, a head is there where one of them has it", () => {
  const short = { ...cross(), layers: 1, heads: 3 };
  const heads = [
    [0, 2],
    [1, 1],
    [1, 2],
  ];
  const view = { kind: "all", heads, pins: [], step: null, sort: "layer" };
  assert.deepEqual(fitView(view, fieldsOf([encoder(), short]), 0).heads, heads.slice(0, 2));
});

test("what fits stays the same list, so that nothing is drawn once more for it", () => {
  const view = { kind: "encoder", heads: [[0, 1]], pins: [[1, 2]], step: null, sort: "layer" };
  const fitted = fitView(view, fieldsOf([encoder()]), 0);
  assert.ok(fitted.heads === view.heads && fitted.pins === view.pins);
});

test("an order by alignment is there only where every map has a rate", () => {
  const field = fieldsOf([encoder(), { ...cross(), alignment: [0.4, 0.3, 0.2, 0.1] }]);
  const orders = ["cross", "encoder", "all"].map((kind) => fitOrder({ kind, sort: "alignment" }, field));
  assert.deepEqual(orders, ["alignment", "layer", "layer"]);
  assert.equal(fitOrder({ kind: "encoder", sort: "entropy" }, field), "entropy");
  assert.equal(
    fitView({ kind: "encoder", heads: [], pins: [], step: null, sort: "alignment" }, field, 0).sort,
    "layer",
  );
});
