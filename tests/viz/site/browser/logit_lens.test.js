import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, siteAt, translatorsOf } from "./page.js";

import { LogitLensPage } from "../../../../viz/site/browser/logit_lens.js";

const PIECES = ["a", "b", "c"];
const WIDTH = 4;
const BLOCKS = ["self_attention", "cross_attention", "feed_forward"];

async function drawn() {
  for (let turn = 0; turn < 10; turn += 1) await settled();
}

// A page on a decoder of two layers, which counts how often it translates, and how many residuals it reads.
async function opened() {
  const state = { translated: 0, read: 0 };
  const tensor = (values, ...shape) => ({ values: Float32Array.from(values), shape });
  const residual = (token) =>
    tensor(
      [0, 1, 2, 3].map((place) => Number(place === token)),
      1,
      WIDTH,
    );
  const seen = { "decoder.input": residual(0) };
  for (const layer of [0, 1])
    for (const block of BLOCKS) seen[`decoder.${layer}.${block}.residual_after`] = residual(layer + 1);
  const weights = {
    "embedding.weight": tensor([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], PIECES.length, WIDTH),
    "decoder.final_norm.weight": tensor([1, 1, 1, 1], WIDTH),
    "decoder.final_norm.bias": tensor([0, 0, 0, 0], WIDTH),
  };
  const get = (name) => {
    state.read += Number(name === "decoder.final_norm.weight");
    return weights[name];
  };
  const translate = async () => {
    state.translated += 1;
    const translation = { target: { pieces: ["c"], words: [] }, hypotheses: [{ tokens: [2] }] };
    return { translation, seen };
  };
  const config = { n_encoder_layers: 1, n_decoder_layers: 2 };
  const site = siteAt("text=One.", {
    translators: translatorsOf({ translate, config, pieces: PIECES, weights: { get } }),
    labels: { alone: (piece) => piece, row: ({ pieces }) => ({ labels: pieces }) },
  });
  const palette = { surface: "#ffffff", hue: [0, 0, 0] };
  site.words.palettes = { light: { palette }, dark: { palette } };
  const page = new LogitLensPage(site);
  await drawn();
  return { page, site, state };
}

test("only the residuals of the depths that are shown are read", async () => {
  const { page, state } = await opened();
  const cells = page.grid.querySelectorAll("td").slice(1);
  assert.deepEqual(
    cells.map(({ textContent }) => textContent.replace(/\d+%/, "")),
    ["a", "b", "c"],
  );
  assert.equal(state.read, 3);
});

test("other colours need nothing computed again", async () => {
  const { page, site, state } = await opened();
  const before = { ...state };
  site.theme = "dark";
  page.recolour();
  await drawn();
  assert.deepEqual(state, before);
});
