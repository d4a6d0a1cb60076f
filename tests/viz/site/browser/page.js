// As much of a browser and of the site as its pages need to be tested without them.

import { SourceTextError } from "../../../../viz/site/engine/translator.js";

class FakeElement {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    this.attributes = {};
    this.children = [];
    this.listeners = {};
    this.set = undefined;
    this.style = {};
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
    if (["hidden", "disabled"].includes(name)) this[name] = true;
    if (name === "value") this.set = value;
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  // Of a list, the option that is selected, or else its first one.
  get value() {
    const selected = this.children.find(({ attributes }) => "selected" in (attributes ?? {})) ?? this.children[0];
    return this.set ?? (this.tag === "select" ? selected?.value : undefined) ?? "";
  }

  set value(value) {
    this.set = value;
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? String(child)).join("");
  }

  set textContent(text) {
    this.children = [text ?? ""];
  }

  append(...children) {
    this.children.push(...children.map((child) => child ?? ""));
  }

  // What has the focus loses it with its place in the page.
  replaceChildren(...children) {
    if (this !== document.activeElement && this.contains(document.activeElement))
      document.activeElement = document.body;
    this.children = children;
  }

  contains(node) {
    return node === this || this.children.some((child) => child.contains?.(node));
  }

  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  attachShadow() {
    return new FakeElement("shadow");
  }

  // Those of its tag at any depth.
  querySelectorAll(tag) {
    const inside = this.children.flatMap((child) => child.querySelectorAll?.(tag) ?? []);
    return [...this.children.filter((child) => child.tag === tag), ...inside];
  }

  focus() {
    globalThis.document.activeElement = this;
  }

  remove() {}

  replaceWith() {}
}

globalThis.document = { createElement: (tag) => new FakeElement(tag) };
globalThis.document.body = globalThis.document.activeElement = new FakeElement("body");
globalThis.matchMedia = () => ({ matches: false });
globalThis.scrollTo = () => {};

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
