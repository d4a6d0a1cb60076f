import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, siteAt, translatorsOf } from "./page.js";

import { SwitchHeadsOffPage } from "../../../../viz/site/browser/switch_heads_off.js";
import { OvertakenError } from "../../../../viz/site/engine/in_turn.js";
import { partsOf, without } from "../../../../viz/site/browser/switching.js";

const CONFIG = { n_encoder_layers: 1, n_decoder_layers: 1, n_heads: 2, bos_id: 0 };
const TOKENS = [1, 2];

const translation = (text) => ({
  text,
  source: { pieces: text.split(" ") },
  target: { words: [{ text, start: 0 }], pieces: [text] },
  hypotheses: [{ tokens: TOKENS, logProbabilities: [-1, -1] }],
});

// What is written for ``text`` without the parts of these codes.
function written(text, codes) {
  const parts = partsOf(CONFIG).filter(({ code }) => codes.includes(code));
  return `${text} ${JSON.stringify(without(CONFIG, parts))}`;
}

// The page on a model that translates without parts only while ``state.gate`` is open.
async function opened(query, gate = Promise.resolve()) {
  const state = { gate, encoded: [], error: null, notes: {} };
  const logits = { values: new Float32Array(TOKENS.length * 3), shape: [1, TOKENS.length, 3] };
  const encode = async (_, _also, { changes, isLast }) => {
    if (!isLast()) throw new OvertakenError();
    state.encoded.push(changes);
    return { newDecoder: () => ({ step: async () => ({ logits }) }) };
  };
  const translator = {
    ...(await translatorsOf({}).of("one")).translator,
    tokenizer: { idsOf: () => [] },
    model: { config: CONFIG, encode },
    translate: async (text, { changes }) => {
      await state.gate;
      if (state.error) throw state.error;
      return translation(`${text} ${JSON.stringify(changes)}`);
    },
  };
  const attend = async (text) => ({ translation: translation(text) });
  const site = siteAt(query, {
    translators: translatorsOf({ translator, config: CONFIG, attend }),
    labels: { isSpecial: () => false, startsWord: () => true },
    notes: { set: (key, sentence) => (state.notes[key] = sentence) },
  });
  site.words.palettes = { light: { palette: {} } };
  const page = new SwitchHeadsOffPage(site);
  await settled();
  return { page, site, state };
}

test("what is pressed while another text is measured is off in its translation, and in the link", async () => {
  const { page, site, state } = await opened("text=One.");
  assert.equal(page.off.length, 1);
  assert.equal(page.written.translation.text, written("One.", page.off));
  const before = page.off;
  const gate = Promise.withResolvers();
  state.gate = gate.promise;
  page.asking.box.value = "Two.";
  const measuring = page.measure();
  await settled();
  page.press("cross.1.2");
  // Until the other text is measured, all that is shown is of this one.
  assert.match(page.lines.textContent, /One\./);
  assert.doesNotMatch(page.lines.textContent, /Two\./);
  gate.resolve();
  await measuring;
  await settled();
  assert.deepEqual(page.off, [...before, "cross.1.2"]);
  assert.equal(site.link.get("off"), page.off.join());
  assert.equal(page.written.translation.text, written("Two.", page.off));
});

test("nothing is switched before the first text is measured, and its link stays", async () => {
  const gate = Promise.withResolvers();
  const { page, site } = await opened("text=One.&off=cross.1.1", gate.promise);
  assert.equal(page.allOn.disabled, true);
  await page.switch([]);
  page.asking.changed();
  assert.equal(site.link.get("off"), "cross.1.1");
  gate.resolve();
  await settled();
  assert.deepEqual([page.off, page.allOn.disabled], [["cross.1.1"], false]);
});

test("a text that is too long leaves nothing busy", async () => {
  const { page, state } = await opened("text=One.");
  state.gate = new Promise(() => {});
  page.asking.box.value = "Two.";
  page.measure();
  await settled();
  assert.equal(page.picture.node.getAttribute("aria-busy"), "true");
  page.asking.most = 1000;
  page.asking.box.value = "long ".repeat(150);
  await page.measure();
  assert.equal(page.picture.node.getAttribute("aria-busy"), null);
  assert.match(page.asking.message.textContent, /too long/);
});

test("the source is encoded once for all parts of the decoder", async () => {
  const { page, state } = await opened("text=One.&off=none");
  const inEncoder = page.measured.parts.filter(({ stack }) => stack === "encoder").length;
  assert.equal(state.encoded.filter(({ encoder }) => encoder).length, inEncoder);
  // For what is measured, and for what is written without parts.
  assert.equal(state.encoded.length, inEncoder + 2);
});

test("nothing more is measured of a text that is overtaken", async () => {
  const { page, state } = await opened("text=One.&off=none");
  const { length } = state.encoded;
  page.asking.box.value = "Two.";
  const measuring = page.measure();
  page.remove();
  await measuring;
  assert.equal(state.encoded.length, length);
});

test("a part that cannot be switched off is said, until another one can", async () => {
  const { page, state } = await opened("text=One.&off=none");
  state.error = new Error("no memory");
  await page.switch(["cross.1.1"]);
  assert.equal(state.notes["off"], "no memory");
  assert.deepEqual(page.off, []);
  state.error = null;
  await page.switch(["cross.1.2"]);
  assert.equal(state.notes["off"], null);
});
