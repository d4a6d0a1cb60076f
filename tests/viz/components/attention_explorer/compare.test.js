import assert from "node:assert/strict";
import { test } from "node:test";

import { ofRecordings } from "../../../../viz/components/attention_explorer/compare.js";
import { haveSameHeads } from "../../../../viz/components/attention_explorer/prepare.js";
import { fieldsOf } from "../../../../viz/components/attention_explorer/sides.js";
import { OPTIONS, cross, encoder, near } from "./recording.js";

const PARTS = {
  text: { "head name": "{layer}.{head}", "mean of": "mean of {heads}", pair: "{before}, {next}" },
  header: { names: ["deep", "flat"] },
};

// Two layers beside one.
function compared(heads) {
  const flat = { ...encoder(), layers: 1 };
  return ofRecordings([fieldsOf([encoder()]), fieldsOf([flat])], { ...OPTIONS, kind: "encoder", heads }, PARTS);
}

test("a recording without the chosen head shows none in its place", () => {
  const pair = compared([[1, 1]]);
  assert.deepEqual(
    pair.map(([, caption]) => caption),
    ["deep · 2.2"],
  );
  assert.equal(haveSameHeads(pair.map(([shown]) => shown)), false);
});

test("of several heads, each recording shows and names those that it has", () => {
  const pair = compared([
    [0, 1],
    [1, 1],
  ]);
  assert.deepEqual(
    pair.map(([, caption]) => caption),
    ["deep · mean of 1.2, 2.2", "flat · 1.2"],
  );
  const [first, second] = pair.map(([shown]) => shown);
  assert.ok(near(first.values, second.values));
  assert.equal(haveSameHeads([first, second]), false);
});

test("heads that both have can be subtracted", () => {
  assert.ok(haveSameHeads(compared([[0, 1]]).map(([shown]) => shown)));
});

test("heads of a kind that one recording has in fewer blocks are not the same", () => {
  const heads = [[1, 0]];
  const flat = fieldsOf([encoder(), { ...cross(), layers: 1 }]);
  const pair = ofRecordings([fieldsOf([encoder(), cross()]), flat], { ...OPTIONS, kind: "all", heads }, PARTS);
  assert.equal(haveSameHeads(pair.map(([shown]) => shown)), false);
});

test("heads of two kinds are not the same, as many as there may be", () => {
  const ofCross = fieldsOf([{ ...encoder(), name: "cross" }]);
  const pair = ofRecordings([fieldsOf([encoder()]), ofCross], { ...OPTIONS, kind: "encoder", heads: [[0, 1]] }, PARTS);
  assert.equal(pair.length, 2);
  assert.equal(haveSameHeads(pair.map(([shown]) => shown)), false);
});
