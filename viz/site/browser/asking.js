// What every page asks for: a sentence, and the direction to translate it in.

import { element, isEnter, sentences } from "../../components/browser/dom.js";
import { SourceTextError } from "../engine/translator.js";
import { filled } from "./words.js";

/** @import { Site } from "./site.js" */
/** @import { TranslatorInfo } from "./types" */

/** @typedef {(text: string, isLast: () => boolean) => Promise<void>} Work shows a text, unless it is no longer the last one */

const PAUSE = 400; // milliseconds after the last key
const LONGEST_EXAMPLE = 34;
// Halves of surrogate pairs, and what a link makes of them.
const UNREADABLE = /[\p{Cs}\ufffd]+/gu;
const BYTE = /^<0x[0-9A-F]{2}>$/;
// As a share of the tokens.
const MANY = 0.3;

// Of a text that the translator reads and this page does not, with the sentence that says so.
export class TooLongError extends Error {}

export class Asking {
  /**
   * @param {Site} site
   * @param {{ name?: string, most?: number, opening?: (translator: TranslatorInfo) => string, changed: () => void, isSimplified?: boolean }} options ``name`` is what the link calls the sentence; it is read as it is typed where it is not simplified
   */
  constructor(site, { name = "text", most, opening, changed, isSimplified = true }) {
    this.site = site;
    this.name = name;
    this.opening = opening ?? ((one) => one.examples[0]);
    this.most = most ?? site.words.most.characters;
    this.changed = changed;
    this.isSimplified = isSimplified;
    this.calls = 0;
    // Whether a text of the visitor's, or of the page, is shown, and no example instead of it.
    this.hasShown = false;
    // What the page has to say of what it shows, beside what is wrong with the text.
    this.note = "";
    this.box = element("textarea", { rows: "1", autocomplete: "off", spellcheck: "false", enterkeyhint: "go" });
    this.list = element("select");
    for (const one of site.words.translators) this.list.append(element("option", { value: one.name }, one.label));
    this.label = element("span");
    this.examples = element("div", { class: "examples", translate: "no" });
    const text = site.text("site");
    this.extra = element("span", { class: "extra" });
    this.row = element(
      "form",
      { class: "ask" },
      element("label", { class: "direction" }, element("span", {}, text["translator"]), this.list),
      element("label", { class: "sentence" }, this.label, this.box),
      this.extra,
    );
    this.message = element("p", { class: "message", role: "alert", hidden: true });
    this.waiting = element("p", { class: "waiting", role: "status", hidden: true }, text["loading"]);
    this.node = element("div", {}, this.row, this.examples, this.message, this.waiting);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.row.addEventListener("submit", (event) => {
      event.preventDefault();
      this.take();
    });
    this.box.addEventListener("keydown", (event) => {
      if (!isEnter(event)) return;
      event.preventDefault();
      this.take();
    });
    // What an input method has under way is no text yet.
    for (const name of ["input", "compositionend"])
      this.box.addEventListener(name, (event) => {
        clearTimeout(this.timer);
        const isUnderWay = event instanceof InputEvent && event.isComposing;
        if (!isUnderWay) this.timer = setTimeout(() => this.take(), PAUSE);
      });
    this.list.addEventListener("change", () => this.turn());
    this.follow();
  }

  /** @returns {TranslatorInfo} */
  get translator() {
    const { translators } = this.site.words;
    return translators.find(({ name }) => name === this.list.value) ?? translators[0];
  }

  // What is read of a text that was typed, without spaces around it, and what is wrong with its length, in words;
  // nothing where it is read whole.
  /** @param {string} typed */
  read(typed) {
    const { most, site } = this;
    const letters = [...typed.replace(UNREADABLE, "\ufffd").trim()];
    const cut = letters.length > most ? filled(site.text("site")["cut"], { given: letters.length, most }) : "";
    return { text: letters.slice(0, most).join(""), cut };
  }

  get text() {
    return this.read(this.box.value).text;
  }

  // That the translator ``name`` has few pieces for the letters of ``text``, in words; nothing where it has.
  /** @type {(text: string, name: string) => Promise<string>} */
  async foreign(text, name) {
    const { translator } = await this.site.translators.of(name);
    const pieces = translator.read(this.isSimplified ? translator.simplify(text) : text).pieces.slice(0, -1);
    const values = { n: pieces.filter((piece) => BYTE.test(piece)).length, all: pieces.length };
    return values.n > values.all * MANY ? filled(this.site.text("site")["foreign"], values) : "";
  }

  // Has ``work`` show the text; of one that cannot be translated, says why, and the page keeps what it shows, or has an
  // example. ``isLast`` says whether it is still the last one. ``work`` returns when all is drawn; it may set a note.
  /** @type {(work: Work) => Promise<void>} */
  async run(work) {
    const call = ++this.calls;
    const isLast = () => call === this.calls;
    const { site, translator } = this;
    const { text, cut } = this.read(this.box.value);
    this.waiting.hidden = site.translators.isLoaded(translator.name);
    this.note = "";
    let trouble = "";
    try {
      await work(text, isLast);
      if (!isLast()) return;
      this.hasShown = true;
      trouble = cut || (await this.foreign(text, translator.name));
    } catch (error) {
      if (isLast()) trouble = await this.showInstead(error, work, isLast);
    }
    // Another call has its own message, and its own end of the waiting.
    if (!isLast()) return;
    this.say(sentences([trouble, this.note].filter(Boolean), site.text("lists")));
    this.waiting.hidden = true;
  }

  // Has ``work`` show an example where the page shows nothing yet; returns why the text is not shown, in words.
  /** @type {(error: unknown, work: Work, isLast: () => boolean) => Promise<string>} */
  async showInstead(error, work, isLast) {
    const { site, translator, hasShown } = this;
    const reason = site.reason(error);
    if (!(error instanceof SourceTextError || error instanceof TooLongError)) return reason;
    try {
      if (!hasShown) await work(this.opening(translator), isLast);
    } catch {
      return reason;
    }
    return `${reason} ${site.text("translation")[hasShown ? "last shown" : "example shown"]}`;
  }

  // What the link says.
  follow() {
    const { site } = this;
    const { translators, defaultTranslator } = site.words;
    const names = translators.map(({ name }) => name);
    const asked = site.linked("translator", (text) => names.includes(text), names.join(", "));
    this.list.value = asked ?? (names.includes(defaultTranslator) ? defaultTranslator : names[0]);
    const given = site.link.get(this.name);
    if (given !== this.box.value || given === null) this.box.value = given ?? this.opening(this.translator);
    if (given !== null) site.asked = { text: given, translator: this.translator.name };
    this.draw();
  }

  draw() {
    const { source, examples } = this.translator;
    this.label.textContent = filled(this.site.text("site")["sentence"], { language: source });
    this.examples.replaceChildren(
      ...examples.map((example) => {
        const button = element("button", { type: "button" }, shortened(example));
        button.addEventListener("click", () => {
          this.box.value = example;
          this.take();
        });
        return button;
      }),
    );
  }

  // Another direction: an example in its language, where what stands there is one of another's.
  turn() {
    const { translators } = this.site.words;
    const of = translators.filter(({ sentence, examples }) => [sentence, ...examples].includes(this.text));
    const isOther = of.length > 0 && !of.some(({ source }) => source === this.translator.source);
    if (isOther || !this.text) this.box.value = this.opening(this.translator);
    this.draw();
    this.take();
  }

  take() {
    clearTimeout(this.timer);
    const { translator, site } = this;
    const isDefault = translator.name === site.words.defaultTranslator;
    const text = this.text === this.opening(translator) ? null : this.text;
    site.write({ [this.name]: text, translator: isDefault ? null : translator.name });
    site.asked = { text, translator: translator.name };
    this.changed();
  }

  /** @param {string} message */
  say(message) {
    this.message.textContent = message;
    this.message.hidden = !message;
  }

  remove() {
    this.calls += 1;
    clearTimeout(this.timer);
  }
}

/** @type {(text: string) => string} */
function shortened(text) {
  if (text.length <= LONGEST_EXAMPLE) return text;
  const kept = LONGEST_EXAMPLE - 3;
  const begin = text.slice(0, kept - Math.floor(kept / 3) + 1);
  const end = text.slice(-Math.floor(kept / 3) - 1);
  const [first, last] = [begin.slice(0, begin.lastIndexOf(" ")), end.slice(end.indexOf(" ") + 1)];
  return first && last ? `${first} … ${last}` : `${text.slice(0, kept)}…`;
}
