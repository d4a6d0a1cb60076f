import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, siteAt, translatorsOf } from "./page.js";

import { TranslatePage } from "../../../../viz/site/browser/translate.js";
import { SourceTextError } from "../../../../viz/site/engine/translator.js";

// The page at the link ``query``, with what it draws, by its sentences and its search, instead of pictures.
async function opened(query) {
  const drawn = [];
  const model = {
    config: { n_encoder_layers: 1, n_decoder_layers: 1, n_heads: 1 },
    attend: async (text, { beamSize }) => {
      if (text.startsWith("long")) throw new SourceTextError("text too long", 300);
      return { text, beamSize };
    },
  };
  const site = siteAt(query, { translators: translatorsOf(model) });
  class Page extends TranslatePage {
    draw() {
      const { recording, compared } = this;
      drawn.push([recording.text, compared?.text ?? null, recording.beamSize]);
    }
  }
  const page = new Page(site);
  await settled();
  return { page, site, drawn };
}

test("a second sentence without a translation is left out, and the page says so", async () => {
  const { page, drawn } = await opened("text=One.&other=longer");
  assert.deepEqual(drawn, [["One.", null, 4]]);
  assert.match(page.asking.message.textContent, /^other trouble/);
  assert.equal(page.asking.waiting.hidden, true);
  assert.equal(page.view.compare, "off");
  page.other.value = "Two.";
  await page.translate();
  assert.deepEqual(drawn.at(-1), ["One.", "Two.", 4]);
  assert.equal(page.asking.message.hidden, true);
});

test("two sentences without a translation leave an example", async () => {
  const { page, drawn } = await opened("text=long&other=longer");
  assert.deepEqual(drawn, [["An example.", null, 4]]);
  assert.match(page.asking.message.textContent, /text too long example shown.* other trouble/);
});

test("the search is that of the link, wherever the link comes from", async () => {
  const { page, site, drawn } = await opened("text=One.&search=greedy");
  assert.deepEqual(drawn, [["One.", null, 1]]);
  site.write({ search: null });
  page.follow();
  await settled();
  assert.deepEqual([page.search.value, drawn.at(-1)[2]], ["beam", 4]);
  site.write({ search: "greedy" });
  page.follow();
  await settled();
  assert.deepEqual([page.search.value, drawn.at(-1)[2]], ["greedy", 1]);
  site.write({ search: "elbow" });
  site.refused.length = 0;
  page.follow();
  await settled();
  assert.deepEqual([page.search.value, drawn.at(-1)[2], site.refused], ["beam", 4, ["search"]]);
});

test("of a second sentence that is too long, whole letters are read, and the page says so", async () => {
  const { page, drawn } = await opened(`text=One.&other=${"\u{1f642}".repeat(101)}`);
  assert.deepEqual(drawn, [["One.", "\u{1f642}".repeat(100), 4]]);
  assert.equal(page.asking.message.textContent, "cut");
});
