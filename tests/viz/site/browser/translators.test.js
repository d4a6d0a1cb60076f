import assert from "node:assert/strict";
import { test } from "node:test";

import { settled } from "./page.js";

import { OvertakenError } from "../../../../viz/site/engine/in_turn.js";
import { Translators } from "../../../../viz/site/browser/translators.js";

const bytesOf = (text) => new TextEncoder().encode(text);
// A file of weights without any: the length of its header, and that.
const WEIGHTS = Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, ...bytesOf("{}"));
const ABOUT = bytesOf(JSON.stringify({ config: {}, pieces: [], options: {}, graph: "graph" }));

// Translators whose weights come when ``state.files`` says so, in the order in which they are asked for.
function translators() {
  const state = { files: [], sessions: 0, most: 0 };
  const create = async () => {
    state.sessions += 1;
    state.most = Math.max(state.most, state.sessions);
    return { release: async () => (state.sessions -= 1) };
  };
  const load = (name) => {
    if (!name.endsWith(".weights")) return name.endsWith(".json") ? ABOUT : new Uint8Array();
    const file = Promise.withResolvers();
    state.files.push({ name: name.split(".")[0], ...file });
    return file.promise;
  };
  return { state, all: new Translators(load, async () => ({ InferenceSession: { create } })) };
}

async function waited() {
  for (let turn = 0; turn < 20; turn += 1) await settled();
}

test("of those that are asked for one after another, the last two are loaded, and no other", async () => {
  const { state, all } = translators();
  const names = ["A", "B", "C", "D", "E"];
  const asked = names.map((name) => all.of(name).catch((error) => error));
  await settled();
  for (const file of state.files) file.resolve(WEIGHTS);
  const results = await Promise.all(asked);
  await waited();
  assert.deepEqual(
    results.map((result) => result instanceof OvertakenError),
    [true, true, true, false, false],
  );
  assert.deepEqual(
    names.filter((name) => all.isLoaded(name)),
    ["D", "E"],
  );
  // Each has two.
  assert.deepEqual([state.sessions, state.most], [4, 4]);
});

test("a loaded one that is dropped is asked for again, and is loading until it is there", async () => {
  const { state, all } = translators();
  for (const name of ["A", "B", "C", "A"]) {
    const asked = all.of(name);
    await settled();
    assert.equal(all.isLoaded(name), false);
    state.files.at(-1).resolve(WEIGHTS);
    await asked;
    assert.equal(all.isLoaded(name), true);
  }
  await waited();
  assert.equal(state.sessions, 4);
});

test("one that fails after it was dropped leaves the later one of its name", async () => {
  const { state, all } = translators();
  const asked = ["A", "B", "C", "A"].map((name) => all.of(name).catch((error) => error));
  await settled();
  const [first, , , second] = state.files;
  first.reject(new Error("no network"));
  await asked[0];
  second.resolve(WEIGHTS);
  const model = await asked[3];
  assert.equal(all.isLoaded("A"), true);
  const again = all.of("A");
  await settled();
  assert.equal(state.files.length, 4);
  assert.equal(await again, model);
});
