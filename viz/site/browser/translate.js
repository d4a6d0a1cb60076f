// A sentence, its translation, and every head that had a part in it.

import { element } from "../../components/browser/dom.js";
import { SourceTextError } from "../engine/translator.js";
import { Asking } from "./asking.js";
import { explorerPayload } from "./explorer_payload.js";
import { Placed } from "./placed.js";
import { tokenLines } from "./token_lines.js";
import { PARAMETERS, linkOf, openingView, readView } from "./view_link.js";
import { filled } from "./words.js";

/** @import { ExplorerView } from "../../components/attention_explorer/header" */
/** @import { Asked } from "../engine/types" */
/** @import { Recording } from "./explorer_payload.js" */
/** @import { Site } from "./site.js" */
/** @import { LoadedTranslator } from "./translators.js" */
/** @import { TranslatorInfo } from "./types" */

const PAUSE = 400;
const SEARCHES = { beam: 4, greedy: 1 };

export class TranslatePage {
  // What translate() sets, before anything is drawn.
  /** @type {string} */ text;
  /** @type {TranslatorInfo} */ translator;
  /** @type {LoadedTranslator} */ model;
  /** @type {Recording | null} */ recording = null;
  /** @type {Recording | null} */ compared = null;
  /** @type {ExplorerView | null} */ view = null;
  /** @type {string} */ digest;
  /** @type {string | null} */ explained = null;
  hadOther = false;
  isEcho = false;

  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    const text = site.text("translate");
    this.asking = new Asking(site, { changed: () => this.translate() });
    this.search = this.searchChoice();
    this.asking.extra.append(element("label", {}, element("span", {}, site.text("opening")["search"]), this.search));
    this.lines = element("div");
    this.picture = new Placed(site.components.explorer, {
      onState: (name, value) => name === "commit" && this.chose(value),
    });
    this.other = element("input", { type: "text", autocomplete: "off", spellcheck: "false" });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.other.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.compare(), PAUSE);
    });
    this.seenText = element("div", { class: "prose" });
    this.toTry = element("div", { class: "prose" });
    this.eightBits = element("p", { class: "more" });
    site.main.append(
      element("h1", {}, text["question"]),
      this.asking.node,
      this.lines,
      this.picture.node,
      element("label", { class: "other" }, element("span", {}, site.text("views")["other"]), this.other),
      this.eightBits,
      element("div", { class: "two" }, this.seenText, this.toTry),
    );
    this.readLink();
    this.translate();
  }

  searchChoice() {
    const text = this.site.text("opening");
    const list = element("select");
    for (const name of Object.keys(SEARCHES)) list.append(element("option", { value: name }, text[`search ${name}`]));
    list.addEventListener("change", () => {
      this.site.write({ search: list.value === "beam" ? null : list.value });
      this.translate();
    });
    return list;
  }

  follow() {
    this.asking.follow();
    this.view = null;
    this.readLink();
    this.translate();
  }

  // The search and the second sentence of the link.
  readLink() {
    const { site } = this;
    const names = Object.keys(SEARCHES);
    this.search.value = site.linked("search", (text) => names.includes(text), names.join(", ")) ?? names[0];
    this.other.value = site.link.get("other") ?? "";
  }

  recolour() {
    this.draw();
  }

  compare() {
    this.site.write({ other: this.other.value.trim() || null });
    this.translate();
  }

  translate() {
    const { asking, site } = this;
    const beamSize = SEARCHES[/** @type {"beam" | "greedy"} */ (this.search.value)];
    return asking.run(async (text, isLast) => {
      const { translator } = asking;
      const model = await site.translators.of(translator.name);
      const recording = await model.attend(text, { beamSize, isLast });
      const { text: otherText, cut } = asking.read(this.other.value);
      const { compared, note } = await this.comparedWith(otherText, model, { beamSize, isLast });
      if (!isLast()) return;
      asking.note = note || cut;
      const isNew = text !== this.text || translator !== this.translator;
      Object.assign(this, { text, translator, model, recording, compared });
      this.look(isNew, compared !== null);
      this.digest = [translator.name, text, otherText, beamSize].join("|");
      this.draw();
    });
  }

  // The second sentence; null where there is none, or none that can be translated, which the note says then.
  /** @type {(text: string, model: LoadedTranslator, asked: Asked) => Promise<{ compared: Recording | null, note: string }>} */
  async comparedWith(text, model, asked) {
    if (!text) return { compared: null, note: "" };
    try {
      return { compared: await model.attend(text, asked), note: "" };
    } catch (error) {
      if (!(error instanceof SourceTextError)) throw error;
      const { site } = this;
      return { compared: null, note: filled(site.text("views")["other trouble"], { reason: site.reason(error) }) };
    }
  }

  // What is chosen, for a new text or a second one.
  /** @type {(isNew: boolean, hasOther: boolean) => void} */
  look(isNew, hasOther) {
    const { config } = this.model;
    const opening = () => openingView(this.translator.alignment, config.n_decoder_layers, config.n_heads);
    const before = this.view ?? readView(this.site, config) ?? opening();
    const pins = isNew && this.view ? [] : before.pins;
    const step = isNew && this.view ? null : before.step;
    const compare = hasOther
      ? this.hadOther
        ? before.compare
        : "recordings"
      : before.compare === "recordings"
        ? "off"
        : before.compare;
    this.hadOther = hasOther;
    this.view = { ...before, pins, step, compare };
    this.isEcho = false;
  }

  /** @param {ExplorerView & { numbers?: string }} commit */
  chose({ numbers, ...view }) {
    this.view = view;
    this.isEcho = true;
    const { config } = this.model;
    const opening = openingView(this.translator.alignment, config.n_decoder_layers, config.n_heads);
    const isOpening = JSON.stringify(linkOf(opening)) === JSON.stringify(linkOf(view));
    this.site.write(isOpening ? Object.fromEntries(PARAMETERS.map((key) => [key, null])) : linkOf(view));
    this.draw();
  }

  draw() {
    const { site, recording, translator, view } = this;
    if (!recording || !view) return;
    const { words, labels } = site;
    const { palette, sequential, diverging, heads } = words.palettes[site.theme];
    this.lines.replaceChildren(tokenLines(recording.translation, recording.seen, labels, site.text("opening")));
    const fixed = {
      language: words.language,
      names: [site.text("views")["this sentence"], site.text("views")["other sentence"]],
      text: {
        ...site.text("lists"),
        ...site.text("explorer"),
        "head name": site.text("views")["measure weights head"],
      },
      menu: { labels: site.text("menu"), served: [] },
      page: words.template,
      palette: { ...palette, theme: site.theme, heads, sequential, diverging },
    };
    const options = {
      labels,
      other: this.compared,
      view,
      alignment: translator.alignment,
      digest: this.digest,
      isEcho: this.isEcho,
      fixed,
    };
    this.picture.show(explorerPayload(recording, options));
    this.explain();
  }

  explain() {
    const { html } = this.site.words;
    const { name } = this.translator;
    if (this.explained === name) return;
    this.explained = name;
    this.eightBits.textContent = this.translator.eightBits;
    this.site.fill(this.seenText, html[`seen ${name}`]);
    this.site.fill(this.toTry, html[`try ${name}`]);
  }

  remove() {
    clearTimeout(this.timer);
    this.asking.remove();
    this.picture.remove();
  }
}
