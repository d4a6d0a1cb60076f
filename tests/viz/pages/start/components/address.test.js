import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Way, readAddress } from "../../../../../viz/pages/start/components/architecture/address.js";
import { nameOf } from "../../../../../viz/pages/start/components/architecture/state.js";

const place = (part, head = null, key = null) => ({ part, layer: 0, head, row: 0, key });
const [WHOLE, PART, HEAD, CELL] = [null, place("cross"), place("cross", 1), place("cross", 1, 2)];
const SCALE = place("scale");

// A browser's entries, of which the one at ``at`` is shown.
class Entries {
  constructor() {
    this.states = [null];
    this.at = 0;
  }
  get state() {
    return this.states[this.at];
  }
  pushState(state) {
    this.states = [...this.states.slice(0, ++this.at), structuredClone(state)];
  }
  replaceState(state) {
    this.states[this.at] = structuredClone(state);
  }
  go(by) {
    this.at += by;
  }
}

let entries, way, number;
beforeEach(() => {
  entries = new Entries();
  number = 0;
  Object.assign(globalThis, {
    ...{ History: Entries, history: entries, window: { addEventListener() {} } },
    location: { href: "https://there/", pathname: "/", search: "" },
  });
  way = new Way(() => {});
});

// The place ``to`` is opened from ``from``, as an entry of its own.
const opens = (from, to) => way.write({ open: `${nameOf(to)} ${++number}` }, nameOf(from));

test("from each level the way leads back to any level above", () => {
  opens(WHOLE, PART);
  opens(PART, HEAD);
  opens(HEAD, CELL);
  for (const [to, at] of [
    [HEAD, 2],
    [PART, 1],
    [WHOLE, 0],
  ]) {
    entries.at = 3;
    assert.ok(way.back(nameOf(to)));
    assert.equal(entries.at, at);
  }
});

test("the whole is reached from another part, too, from whatever that was opened", () => {
  for (const steps of [[PART], [PART, HEAD], [PART, HEAD, CELL]]) {
    entries.states = [null];
    entries.at = 0;
    [WHOLE, ...steps].forEach((from, index) => opens(from, [...steps, SCALE][index]));
    assert.ok(way.back(nameOf(WHOLE)));
    assert.equal(entries.at, 0);
  }
});

test("there is no way back to what was not shown, and another part is no way to this one", () => {
  assert.equal(way.back(nameOf(WHOLE)), false);
  opens(PART, HEAD);
  assert.equal(way.back(nameOf(WHOLE)), false);
  opens(HEAD, SCALE);
  assert.equal(way.back(nameOf({ ...SCALE, head: 1 })), false);
  assert.ok(way.back(nameOf(PART)));
  assert.equal(entries.at, 0);
});

test("an address opens a part of the model, and nothing where the model has no such part", () => {
  const model = {
    links: { encoder: "encoder.attention", cross: "decoder.cross", scale: "scale" },
    sizes: { n_encoder_layers: 3, n_decoder_layers: 3, n_heads: 8 },
  };
  assert.deepEqual(readAddress("encoder.attention", model), { part: "encoder", layer: null, head: null });
  assert.deepEqual(readAddress("decoder.cross.3.8", model), { part: "cross", layer: 2, head: 7 });
  for (const text of ["encoder.attention.99", "decoder.cross.2.9", "decoder.cross.0", "scale.x", "../../etc", "", null])
    assert.equal(readAddress(text, model), null);
});
