import assert from "node:assert/strict";
import { test } from "node:test";

import { languageOf, storeLanguage } from "../../../../viz/site/browser/language.js";

const LANGUAGES = ["en", "ja", "ko"];

function inBrowser(language) {
  const kept = new Map();
  Object.defineProperty(globalThis, "navigator", { value: { language }, configurable: true });
  Object.defineProperty(globalThis, "localStorage", {
    value: { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) },
    configurable: true,
  });
}

test("only a language that the site has is read: of the link, else a chosen one, else the browser's", () => {
  inBrowser("ko-KR");
  assert.equal(languageOf(LANGUAGES, null), "ko");
  storeLanguage("ja");
  assert.equal(languageOf(LANGUAGES, null), "ja");
  assert.equal(languageOf(LANGUAGES, "en"), "en");
  assert.equal(languageOf(LANGUAGES, "/../../~other/words"), "ja");
  storeLanguage("fr");
  assert.equal(languageOf(LANGUAGES, "constructor"), "ko");
  inBrowser("de-DE");
  assert.equal(languageOf(LANGUAGES, null), "en");
});

test("a browser that keeps nothing has its own language, until another is chosen on the open page", () => {
  inBrowser("ja");
  Object.defineProperty(globalThis, "localStorage", {
    get() {
      throw new DOMException("no storage", "SecurityError");
    },
    configurable: true,
  });
  assert.equal(languageOf(LANGUAGES, null), "ja");
  storeLanguage("ko");
  assert.equal(languageOf(LANGUAGES, null), "ko");
});
