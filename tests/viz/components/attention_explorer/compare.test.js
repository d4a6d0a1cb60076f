import assert from "node:assert/strict";
import { test } from "node:test";

import {
  comparedCell,
  ofRecordings,
  pinsIn,
  samePlace,
} from "../../../../viz/components/attention_explorer/compare.js";
import { numbersTable } from "../../../../viz/components/attention_explorer/exports.js";
import { difference, haveSameHeads, inFull } from "../../../../viz/components/attention_explorer/prepare.js";
import { fieldsOf } from "../../../../viz/components/attention_explorer/sides.js";
import { OPTIONS, cross, encoder, near } from "./recording.js";

const TEXT = {
  ...{ "head name": "{layer}.{head}", "mean of": "mean of {heads}", pair: "{before}, {next}" },
  ...{ cell: "{query} to {key}: {weight}", "two weights": "{first} and {second}, difference {difference}" },
};
const PARTS = {
  text: TEXT,
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

// The same recording beside one of another sentence, whose first piece is a word by itself.
function ofSentences(options) {
  const other = encoder();
  const labels = ["u", "v", "w"];
  const words = [
    [0, 1],
    [1, 3],
  ];
  other.queries = { labels, special: [], words, word_labels: ["u", "vw"] };
  const pair = ofRecordings(
    [fieldsOf([encoder()]), fieldsOf([{ ...other, keys: other.queries }])],
    { ...OPTIONS, kind: "encoder", ...options },
    PARTS,
  );
  return pair.map(([shown]) => shown);
}

test("a cell of each of two sentences is answered for, and of one sentence both weights", () => {
  const pair = ofSentences({});
  assert.equal(comparedCell(TEXT, pair, { query: 1, key: 2, matrix: 0 }), "\u2068b\u2069 to \u2068⟨end⟩\u2069: 0.800");
  assert.equal(comparedCell(TEXT, pair, { query: 1, key: 2, matrix: 1 }), "\u2068v\u2069 to \u2068w\u2069: 0.800");
  assert.equal(comparedCell(TEXT, pair.slice(0, 1), { query: 1, key: 1 }), "\u2068b\u2069 to \u2068b\u2069: 0.200");
  assert.equal(comparedCell(TEXT, pair, { query: 3, key: 0, matrix: 1 }), null);
  assert.equal(comparedCell(TEXT, pair, { query: null, key: 0, matrix: 1 }), null);
  const all = [pair[0], pair[0], difference([pair[0], pair[0]])];
  for (const matrix of [0, 1, 2]) {
    const sentence = comparedCell(TEXT, all, { query: 1, key: 1, matrix });
    assert.equal(sentence, "\u2068b\u2069 to \u2068b\u2069: 0.200 and 0.200, difference +0.000");
  }
  const small = { ...all[2], values: all[2].values.map(() => -0.0001) };
  const sentence = comparedCell(TEXT, [all[0], all[0], small], { query: 1, key: 1 });
  assert.match(sentence, /difference \+0\.000$/);
});

test("a place in one matrix is one in another where their tokens are the same", () => {
  const pair = ofSentences({ grain: "words" });
  const at = { query: 1, key: 0, matrix: 1 };
  assert.deepEqual(samePlace(pair, at, 1), at);
  assert.deepEqual(samePlace(pair, at, 0), { ...at, query: null, key: null });
  assert.deepEqual(samePlace([pair[1], pair[1]], at, 0), at);
  assert.deepEqual(samePlace([pair[0], { ...pair[0], columns: pair[1].columns }], { query: 0, key: 1 }, 1), {
    query: 0,
    key: null,
  });
});

test("pins are places in the first recording", () => {
  const pins = [
    [0, 2],
    [1, null],
  ];
  const pair = ofSentences({ grain: "words" });
  assert.deepEqual(pinsIn(pair, pins, 0), pins);
  assert.deepEqual(pinsIn(pair, pins, 1), []);
  assert.deepEqual(pinsIn([pair[0], { ...pair[0], columns: pair[1].columns }], pins, 1), [[1, null]]);
});

test("every matrix that is shown is saved as numbers", async () => {
  const pair = ofSentences({});
  const panels = ["first", "second", "difference"].map((caption) => ({ caption }));
  const shown = inFull([...pair, difference(pair)]);
  const table = numbersTable(panels.map((panel, index) => ({ ...panel, shown: shown[index] })));
  const rows = (await table.text()).split("\r\n");
  const corner = "query \\ key";
  assert.deepEqual(
    rows.filter((row) => !/^.,|^⟨end⟩,/.test(row)),
    ["first", `${corner},a,b,⟨end⟩`, "", "second", `${corner},u,v,w`, "", "difference", `${corner},a,b,⟨end⟩`, ""],
  );
  assert.equal(rows.length, 3 * 5 + 2 + 1);
  const alone = (await numbersTable([{ caption: "first", shown: shown[0] }]).text()).split("\r\n");
  assert.deepEqual([alone.length, alone[0]], [5, `${corner},a,b,⟨end⟩`]);
});
