import assert from "node:assert/strict";
import { test } from "node:test";

import { loadModel } from "../../../../viz/site/engine/graph.js";
import { inTurn, OvertakenError } from "../../../../viz/site/engine/in_turn.js";

const CONFIG = { n_encoder_layers: 1, n_decoder_layers: 1, n_heads: 1, d_key: 1 };
const GRAPHS = { encoder: new Uint8Array([1]), step: new Uint8Array([2]) };

const settled = () => new Promise((resolve) => setTimeout(resolve));

// A runtime that can do one thing at a time, and how many sessions it has; it fails where ``fails`` says so of a graph.
function runtime(fails = () => false) {
  const state = { sessions: 0, calls: [] };
  let isBusy = false;
  const alone = async (name, work) => {
    assert.equal(isBusy, false, `${name} while something else runs`);
    isBusy = true;
    state.calls.push(name);
    await settled();
    isBusy = false;
    return work();
  };
  const session = () => ({
    run: (_, names) => alone("run", () => Object.fromEntries(names.map((name) => [name, { data: [], dims: [0] }]))),
    release: () => alone("release", () => (state.sessions -= 1)),
  });
  const create = (graph) =>
    alone("create", () => {
      if (fails(graph)) throw new Error("no memory");
      state.sessions += 1;
      return session();
    });
  return { ort: { InferenceSession: { create }, Tensor: class {} }, state };
}

test("the runtime does one thing at a time, whatever is asked of whichever model", async () => {
  const { ort, state } = runtime();
  const models = await Promise.all([1, 2].map(() => loadModel(ort, GRAPHS, new Map(), CONFIG)));
  const translate = async (model) => {
    const { newDecoder } = await model.encode([5, 3]);
    await Promise.all([newDecoder().step([[2]]), newDecoder().step([[2]])]);
  };
  await Promise.all([...models, ...models].map(translate));
  await Promise.all(models.map((model) => model.release()));
  assert.equal(state.calls.length, 4 + 12 + 4);
  assert.equal(state.sessions, 0);
});

test("what is overtaken stops at its next run", async () => {
  const { ort, state } = runtime();
  const model = await loadModel(ort, GRAPHS, new Map(), CONFIG);
  let isOvertaken = false;
  const { newDecoder } = await model.encode([5, 3], [], { isLast: () => !isOvertaken });
  isOvertaken = true;
  await assert.rejects(newDecoder().step([[2]]), OvertakenError);
  assert.deepEqual(state.calls, ["create", "create", "run"]);
  await model.encode([5, 3]);
});

test("the second graph's failure frees the first one", async () => {
  const { ort, state } = runtime((graph) => graph === GRAPHS.step);
  await assert.rejects(loadModel(ort, GRAPHS, new Map(), CONFIG), /no memory/);
  assert.equal(state.sessions, 0);
});

test("a failure does not stop what is asked for after it", async () => {
  const failed = inTurn(() => {
    throw new Error("no");
  });
  const next = inTurn(() => "next");
  await assert.rejects(failed, /no/);
  assert.equal(await next, "next");
});

test("the page is heard while much is computed", async () => {
  let heard = 0;
  const timer = setInterval(() => {
    heard += 1;
  }, 1);
  for (let run = 0; run < 20; run += 1)
    await inTurn(() => {
      const end = performance.now() + 10;
      while (performance.now() < end);
    });
  clearInterval(timer);
  assert.ok(heard >= 4, String(heard));
});
