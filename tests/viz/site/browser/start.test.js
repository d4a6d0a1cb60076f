import assert from "node:assert/strict";
import { test } from "node:test";

import { settled, siteAt, translatorsOf } from "./page.js";

import { StartPage } from "../../../../viz/site/browser/start.js";

class Page extends StartPage {
  draw() {}
}

async function opened(fields = {}, loading = {}) {
  const translate = async () => ({ translation: {}, seen: {} });
  const reasons = [];
  const notLoaded = (error) => reasons.push(error.message);
  const site = siteAt("", {
    translators: translatorsOf({ translate }, loading),
    notLoaded,
    isOneFile: false,
    ...fields,
  });
  const page = new Page(site);
  await settled();
  const [button] = site.main.querySelectorAll("button").filter(({ textContent }) => textContent === "one file");
  return { page, button, reasons };
}

test("a page is saved once it shows something, and again where that failed", async () => {
  const loading = Promise.withResolvers();
  const load = async (name) => {
    throw new Error(`no ${name}`);
  };
  const { button, reasons } = await opened({ load }, { one: loading.promise });
  assert.equal(button.disabled, true);
  loading.resolve();
  await settled();
  assert.equal(button.disabled, false);
  for (const times of [1, 2]) {
    const saving = button.listeners.click();
    assert.equal(button.disabled, true);
    await saving;
    assert.deepEqual([button.disabled, reasons.length], [false, times]);
  }
  assert.match(reasons[0], /^no /);
});

test("a page that is being saved is not saved again, though another sentence is translated", async () => {
  const loading = Promise.withResolvers();
  const { page, button } = await opened({ load: () => loading.promise });
  const saving = button.listeners.click();
  await page.translate();
  assert.equal(button.disabled, true);
  loading.reject(new Error("no network"));
  await saving;
  assert.equal(button.disabled, false);
});

test("a sentence that a file was saved with is read whole", async () => {
  const sentence = "The cat sleeps. ".repeat(20).trim();
  const [translator] = siteAt("").words.translators;
  const words = { ...siteAt("").words, translators: [{ ...translator, sentence }] };
  const { page } = await opened({ words, isOneFile: true });
  assert.equal(page.text, sentence);
  assert.equal(page.asking.message.hidden, true);
  const { page: other } = await opened();
  other.asking.box.value = sentence;
  await other.translate();
  assert.deepEqual([other.text.length, other.asking.message.textContent], [200, "cut"]);
});
