// The site: a bar, one page at a time, and links that open the same views as the app's.

import { element, ended } from "../../components/browser/dom.js";
import { jsonOf } from "../../components/browser/payload.js";
import { SourceTextError } from "../engine/translator.js";
import { DotProductPage } from "./dot_product.js";
import { Labels } from "./labels.js";
import { TooLongError } from "./asking.js";
import { barOf } from "./bar.js";
import { ChooseEncodingPage } from "./choose_encoding.js";
import { CurrentAddress } from "./current_address.js";
import { GlossaryPage } from "./glossary.js";
import { languageOf, storeLanguage } from "./language.js";
import { LengthsPage } from "./lengths.js";
import { LogitLensPage } from "./logit_lens.js";
import { Notes } from "./notes.js";
import { loadedOnce } from "./once.js";
import { PageAddresses } from "./page_addresses.js";
import { ReadAlongPage } from "./read_along.js";
import { RecordedPage } from "./recorded.js";
import { StartPage } from "./start.js";
import { SwitchHeadsOffPage } from "./switch_heads_off.js";
import { TranslatePage } from "./translate.js";
import { Translators, runtimeOf } from "./translators.js";
import { WordOrderPage } from "./word_order.js";
import { filled } from "./words.js";

/** @import { Components, Load, Page, Plotly, Words } from "./types" */

const LANGUAGE = "language";
// The note of the last file that a page asked for.
const FILE = "file";
/** @type {Record<string, (site: Site, name: string) => Page>} */
const PAGES = {
  "": (site) => new StartPage(site),
  translate: (site) => new TranslatePage(site),
  "switch-heads-off": (site) => new SwitchHeadsOffPage(site),
  "logit-lens": (site) => new LogitLensPage(site),
  "dot-product": (site) => new DotProductPage(site),
  "word-order": (site) => new WordOrderPage(site),
  "why-this-word": (site, name) => new RecordedPage(site, name),
  sinusoid: (site, name) => new RecordedPage(site, name),
  cliff: (site) => new LengthsPage(site),
  "choose-encoding": (site) => new ChooseEncodingPage(site),
  train: (site, name) => new RecordedPage(site, name),
  "read-along": (site, name) => new ReadAlongPage(site, name),
  labs: (site, name) => new ReadAlongPage(site, name),
  glossary: (site) => new GlossaryPage(site),
};

// What the link of a page calls its sentence, where it has one.
/** @type {Record<string, string>} */
const SENTENCES = {
  "": "sentence",
  translate: "text",
  "switch-heads-off": "text",
  "logit-lens": "text",
  "word-order": "order_text",
};

/** @typedef {string | { example: string }} Allowed all values that a link may have, or such as this one */
/**
 * What differs between a folder of files and one file.
 *
 * @typedef {object} Setting
 * @property {string} base where the pages are, from the one that is opened
 * @property {boolean} isOneFile
 * @property {string[]} languages those that there are words in
 * @property {Load} load
 * @property {(name: string) => Promise<any>} imported the module ``name``
 * @property {Components} components
 */

export class Site {
  // What take() sets, before anything else asks for it.
  /** @type {Words} */ words;
  /** @type {Labels} */ labels;

  /** @param {Setting} setting */
  constructor({ base, isOneFile, languages, load, imported, components }) {
    this.isOneFile = isOneFile;
    this.languages = languages;
    // The language that was asked for last, and that of the link when it was read last.
    this.language = languages[0];
    /** @type {string | null} */
    this.linkedLanguage = null;
    this.current = new CurrentAddress();
    const pages = Object.keys(PAGES);
    this.addresses = new PageAddresses({ base: new URL(base, location.href), isOneFile, pages });
    this.load = load;
    this.components = components;
    this.loadPlotly = loadedOnce(() => imported("plotly.js").then(() => /** @type {any} */ (globalThis).Plotly));
    this.translators = new Translators(load, () => runtimeOf(load, imported));
    /** @type {Page | null} */
    this.page = null;
    /** @type {string | null} */
    this.shown = null;
    this.main = element("main", { id: "main", tabindex: -1 });
    this.bar = element("header");
    this.notes = new Notes();
    // What is asked last, by whom; without a text, it is an example.
    /** @type {{ text: string | null, translator: string } | null} */
    this.asked = null;
    document.body.append(this.bar, this.notes.node, this.main);
    new ResizeObserver(() => this.leaveRoom()).observe(this.bar);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.page?.recolour());
    window.addEventListener("popstate", () => {
      this.current.forget();
      this.show();
    });
    document.addEventListener("click", (event) => this.follow(event));
  }

  get theme() {
    return this.dark.matches ? "dark" : "light";
  }

  get link() {
    return this.current.url.searchParams;
  }

  // The name of the page that the address has.
  get name() {
    return this.addresses.nameAt(this.current.url) ?? "";
  }

  async start() {
    this.language = languageOf(this.languages, this.link.get(LANGUAGE));
    try {
      this.take(await this.wordsIn(this.language));
    } catch {
      this.language = this.languages[0];
      this.take(await this.wordsIn(this.language));
    }
    this.show();
  }

  /** @type {(language: string) => Promise<Words>} */
  async wordsIn(language) {
    return jsonOf(await this.load(`words-${language}.json`));
  }

  /** @param {Words} words */
  take(words) {
    this.words = words;
    this.labels = new Labels(words.special);
    document.documentElement.lang = words.language;
  }

  // Of the file of words that is read: ``text("start")`` is that of viz/pages/start/words/en/start.md.
  /** @type {(name: string) => Record<string, string>} */
  text(name) {
    return this.words.text[name];
  }

  // The section of the page that is shown, and the page in it.
  get place() {
    const section = this.words.sections.find(({ pages }) => pages.some(({ name }) => name === this.shown));
    return { section, page: section?.pages.find(({ name }) => name === this.shown) };
  }

  // What the page ``name`` reads when it is opened, with plotly.js, which is large, beside it; null where it cannot be
  // loaded, which the page says then.
  /** @param {string} name */
  contentOf(name) {
    this.plotly();
    return this.file(`${name}-${this.words.language}.json`);
  }

  // What draws charts; null where it cannot be loaded, which the page says then.
  async plotly() {
    try {
      const plotly = await this.loadPlotly();
      this.notes.set("plotly", null);
      return plotly;
    } catch (error) {
      this.notLoaded(error, "plotly");
      return null;
    }
  }

  // What the file ``name`` holds; null where it cannot be loaded, which the page says then.
  /** @param {string} name */
  file(name) {
    return this.loaded(name, jsonOf);
  }

  /**
   * The same, of what ``read`` makes of its bytes.
   *
   * @template T
   * @param {string} name
   * @param {(bytes: Uint8Array) => T} read
   * @returns {Promise<T | null>}
   */
  async loaded(name, read) {
    try {
      const content = read(await this.load(name));
      this.notes.set(FILE, null);
      return content;
    } catch (error) {
      this.notLoaded(error, FILE);
      return null;
    }
  }

  // Says that ``what`` cannot be loaded, until it is.
  /** @type {(error: any, what: string) => void} */
  notLoaded(error, what) {
    this.notes.set(what, filled(this.text("site")["page not loaded"], { reason: this.messageOf(error) }));
  }

  // What the link says of ``key``, as far as it is allowed: else null, and one sentence on the page.
  /** @type {(key: string, isAllowed: (text: string) => boolean, allowed: Allowed) => string | null} */
  linked(key, isAllowed, allowed) {
    const given = this.link.get(key);
    const isGood = given === null || isAllowed(given);
    this.refuse(key, isGood ? null : given, allowed);
    return isGood ? given : null;
  }

  // The same of each value of ``key``; one sentence for all that are not allowed.
  /** @type {(key: string, isAllowed: (text: string) => boolean, allowed: Allowed) => string[]} */
  linkedAll(key, isAllowed, allowed) {
    const values = this.link.getAll(key);
    this.refuse(key, values.find((text) => !isAllowed(text)) ?? null, allowed);
    return values.filter(isAllowed);
  }

  // Says that the link has ``given`` for ``key``, which is not allowed; nothing where it is null.
  /** @type {(key: string, given: string | null, allowed: Allowed) => void} */
  refuse(key, given, allowed) {
    const name = `link ${key}`;
    if (given === null) {
      this.notes.set(name, null);
      return;
    }
    const all = typeof allowed === "string" ? allowed : filled(this.text("allowed")["such as"], allowed);
    const sentence = filled(this.text("controls")["bad link"], { given, key, allowed: all });
    this.notes.set(name, sentence.replaceAll("`", ""));
  }

  show() {
    this.notes.clear();
    const { languages: known, name } = this;
    const linked = this.linked(LANGUAGE, (text) => known.includes(text), known.join(", "));
    const isNew = linked !== this.linkedLanguage;
    this.linkedLanguage = linked;
    if (isNew && linked !== null && linked !== this.language) this.translateTo(linked);
    if (this.page && this.shown === name) {
      this.page.follow();
      return;
    }
    const isFirst = !this.page;
    this.page?.remove();
    this.shown = name;
    this.main.replaceChildren();
    this.drawBar();
    const title = this.place.page?.title;
    document.title = name && title ? `${title} · ${this.text("page").name}` : this.text("page").name;
    this.page = PAGES[name](this, name);
    // What had the focus is gone with the page before and its bar.
    if (!isFirst && document.activeElement === document.body) this.main.focus({ preventScroll: true });
  }

  drawBar() {
    this.bar.replaceChildren(...barOf(this));
    this.leaveRoom();
  }

  // What a link leads to is below the bar, however many rows that has.
  leaveRoom() {
    document.documentElement.style.setProperty("--bar", `${this.bar.offsetHeight}px`);
  }

  /** @param {HTMLSelectElement} list */
  async choose({ value }) {
    if (await this.translateTo(value)) storeLanguage(value);
    this.bar.querySelector("select")?.focus();
  }

  // Whether the page is in ``language`` now: the last that was asked for, if its words can be loaded.
  /** @type {(language: string) => Promise<boolean>} */
  async translateTo(language) {
    this.language = language;
    const words = await this.wordsIn(language).catch((/** @type {unknown} */ error) => {
      if (this.language === language) this.notLoaded(error, LANGUAGE);
      return null;
    });
    if (this.language !== language) return false;
    this.language = (words ?? this.words).language;
    // What a link says goes before what is stored.
    if (this.link.has(LANGUAGE)) {
      this.linkedLanguage = this.language;
      this.write({ [LANGUAGE]: this.language });
    }
    if (words) {
      this.take(words);
      this.shown = null;
      this.show();
    } else {
      this.drawBar();
    }
    return words !== null;
  }

  // Where ``name`` is, with ``query`` in its link, and the language that the link has.
  /** @type {(name: string, query?: string) => string} */
  address(name, query = "") {
    const link = new URLSearchParams(query);
    const language = this.link.get(LANGUAGE) ?? "";
    if (this.languages.includes(language) && !link.has(LANGUAGE)) link.set(LANGUAGE, language);
    return this.addresses.of(name, link);
  }

  // An address of the app, such as translate?text=…
  /** @param {string} address */
  open(address) {
    const [name, query = ""] = address.split("?");
    this.current.push(this.address(name, query));
    this.show();
    this.main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  // The sentence goes along to a page that has one, unless the link asks for another.
  /** @param {string} name */
  takeAlong(name) {
    const key = SENTENCES[name];
    if (!key || !this.asked || this.link.has(key) || this.link.has("translator")) return;
    const { text, translator } = this.asked;
    this.write({ [key]: text, translator: translator === this.words.defaultTranslator ? null : translator });
  }

  // Has ``node`` show what the project wrote in Markdown, which was made HTML when the site was built.
  /** @type {(node: HTMLElement, html: string) => void} */
  fill(node, html) {
    node.innerHTML = html;
    for (const link of node.querySelectorAll("a")) {
      const [, name, query, hash] = /^([^?#:]*)(?:\?([^#]*))?(#.*)?$/.exec(link.getAttribute("href") ?? "") ?? [];
      if (name) link.href = `${this.address(name, query)}${hash ?? ""}`;
    }
  }

  /** @param {MouseEvent} event */
  follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link?.href || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (this.addresses.nameAt(new URL(link.href)) === undefined) return;
    event.preventDefault();
    this.current.push(link.href);
    this.takeAlong(this.name);
    if (!link.hash) scrollTo(0, 0);
    this.show();
  }

  // What the link carries; null for what it does not.
  /** @type {(values: Record<string, string | string[] | null>) => void} */
  write(values) {
    const address = this.current.url;
    for (const [name, value] of Object.entries(values)) {
      address.searchParams.delete(name);
      for (const text of value === null ? [] : [value].flat()) address.searchParams.append(name, text);
    }
    if (address.href !== this.current.url.href) this.current.replace(address.href);
  }

  // What an error says, as a sentence.
  /** @param {any} error */
  messageOf(error) {
    return ended(String(error?.message ?? error), this.text("lists"));
  }

  // Why a text has no translation, in words.
  /** @type {(error: unknown) => string} */
  reason(error) {
    if (error instanceof TooLongError) return error.message;
    if (error instanceof SourceTextError)
      return filled(this.text("translation")[`untranslated ${error.key}`], { ...error });
    return filled(this.text("site")["not loaded"], { reason: this.messageOf(error) });
  }
}
