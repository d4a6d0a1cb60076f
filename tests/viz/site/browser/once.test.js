import assert from "node:assert/strict";
import { test } from "node:test";

import { loadedOnce } from "../../../../viz/site/browser/once.js";
import { Translators } from "../../../../viz/site/browser/translators.js";

// Loads only with a network, and counts how often it is asked.
function network() {
  const state = { isThere: false, calls: 0 };
  const load = async () => {
    state.calls += 1;
    if (!state.isThere) throw new Error("no network");
    return state.calls;
  };
  return { state, load };
}

test("what was loaded is kept, and what could not be is asked for again", async () => {
  const { state, load } = network();
  const once = loadedOnce(load);
  await Promise.all([assert.rejects(once(), /no network/), assert.rejects(once(), /no network/)]);
  assert.equal(state.calls, 1);
  state.isThere = true;
  assert.deepEqual([await once(), await once()], [2, 2]);
});

test("a translator that is asked for again asks for the runtime again", async () => {
  const { state, load } = network();
  const translators = new Translators(async () => {
    throw new Error("no file");
  }, load);
  await assert.rejects(translators.of("one"), /no network|no file/);
  state.isThere = true;
  for (const name of ["one", "one", "other"]) await assert.rejects(translators.of(name), /no file/);
  assert.equal(state.calls, 2);
});
