// The site with one translator as one HTML file, made in the browser as viz/site/one_file.py makes it.

import { jsonOf } from "../../components/browser/payload.js";
import { save } from "../../components/browser/save.js";
import { zippedText } from "../../components/browser/zipped.js";

/** @import { Load, Words } from "./types" */

// In two parts, so that the saved file, which holds this script too, has the mark once.
const ASSETS = ["[[", "assets]]"].join("");

/** @type {(load: Load, translator: string, text: string) => Promise<void>} */
export async function saveOneFile(load, translator, text) {
  save(await oneFile(load, translator, text), `${translator}.html`);
}

// The file opens on ``text``.
/** @type {(load: Load, translator: string, text: string) => Promise<Blob>} */
async function oneFile(load, translator, text) {
  const [skeleton, common, about] = await Promise.all(
    ["one-file.html", "one-file.json", `${translator}.json`].map(load),
  );
  const { graph } = jsonOf(about);
  const languages = Object.keys(jsonOf(await load("words-en.json")).languages);
  const names = [`${translator}.json`, `${translator}.weights`, `${graph}.encoder`, `${graph}.step`, ...jsonOf(common)];
  const words = languages.map(async (language) => {
    const name = `words-${language}.json`;
    return script(name, new TextEncoder().encode(JSON.stringify(ofOne(jsonOf(await load(name)), translator, text))));
  });
  const scripts = await Promise.all([...words, ...names.map(async (name) => script(name, await load(name)))]);
  const [before, after] = new TextDecoder().decode(skeleton).split(ASSETS);
  return new Blob([before, ...scripts.flatMap((one) => [one, "\n"]), after], { type: "text/html" });
}

// The words with one translator, whose first sentence is ``text``.
/** @type {(words: Words, translator: string, text: string) => Words} */
function ofOne(words, translator, text) {
  const translators = words.translators
    .filter(({ name }) => name === translator)
    .map((one) => ({
      ...one,
      sentence: text,
      examples: [text, ...one.examples.filter((example) => example !== text)],
    }));
  return { ...words, translators, defaultTranslator: translator };
}

/** @type {(name: string, bytes: Uint8Array) => Promise<string>} */
async function script(name, bytes) {
  const content = await zippedText(bytes);
  // This script stands in a page itself, which the whole end tag would end.
  return `<script type="text/plain" data-asset="${name}">${content}${"</"}script>`;
}
