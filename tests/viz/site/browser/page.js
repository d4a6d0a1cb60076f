// As much of the site as its pages need to be tested without it.

import { SourceTextError } from "../../../../viz/site/engine/translator.js";
import { FakeElement } from "../../dom.js";

const MARKS = {
  pair: "{before}, {next}",
  "full stop": "{sentence}.",
  sentences: "{before} {next}",
  "not done": "{number}. {title}",
  "question heading": "Question {number}",
};
// Every other text is its own key.
const TEXT = new Proxy(MARKS, { get: (marks, key) => marks[key] ?? String(key) });

// A site at the link ``query``; ``fields`` are its own.
export function siteAt(query, fields = {}) {
  const site = {
    link: new URLSearchParams(query),
    main: new FakeElement("main"),
    theme: "light",
    refused: [],
    text: () => TEXT,
    fill: (node, html) => {
      node.textContent = html;
    },
    linked(key, isAllowed) {
      const text = site.link.get(key);
      const isGood = text === null || isAllowed(text);
      if (!isGood) site.refused.push(key);
      return isGood ? text : null;
    },
    write(values) {
      for (const [key, value] of Object.entries(values)) {
        if (value === null) site.link.delete(key);
        else site.link.set(key, value);
      }
    },
    address: (name, link = "") => `${name}?${link}`,
    reason: (error) => (error instanceof SourceTextError ? error.key : error.message),
    messageOf: (error) => error.message,
    components: new Proxy({}, { get: () => ({ css: "", mount: () => () => {} }) }),
    words: {
      language: "en",
      translators: [
        { name: "one", source: "a", sentence: "An example.", examples: ["An example."] },
        { name: "two", source: "b", sentence: "Ein Beispiel.", examples: ["Ein Beispiel."] },
      ],
      defaultTranslator: "one",
      most: { characters: 100 },
      html: TEXT,
    },
    ...fields,
  };
  return site;
}

// Translators, of which each has what ``model`` adds, and those in ``loading`` are not there before these promises end.
export function translatorsOf(model, loading = {}) {
  const translator = { simplify: (text) => text, read: (text) => ({ pieces: text.split(" "), words: [] }) };
  return {
    isLoaded: (name) => !(name in loading),
    of: async (name) => {
      await loading[name];
      return { translator, config: {}, name, ...model };
    },
  };
}

// Ends what a page has begun and waits for nothing outside.
export async function settled() {
  await new Promise((resolve) => setTimeout(resolve));
}
