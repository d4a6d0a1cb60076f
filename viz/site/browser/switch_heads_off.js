// What every head of a translator is worth to a translation, and what is written without some.

import { element } from "../../components/browser/dom.js";
import { fixed } from "../../components/browser/numbers.js";
import { OvertakenError } from "../engine/in_turn.js";
import { Asking, TooLongError } from "./asking.js";
import { pack } from "./pack.js";
import { Placed } from "./placed.js";
import { filled, prose } from "./words.js";
import { nameOf, partsOf, scoreOf, shared, total, without } from "./switching.js";

/** @import { Config, IsLast, Translation } from "../engine/types" */
/** @import { Site } from "./site.js" */
/** @import { Part, Score } from "./switching.js" */
/** @import { LoadedTranslator } from "./translators.js" */

const NONE = "none";
// The note of a part that could not be switched off.
const OFF = "off";
const NEEDED = 0.2; // nats: a fifth of the probability
const N_TRIED = 6;
const MOST_TOKENS = 128;
const LOOK = { file_name: "heads", places: 2, least_written: 0, blue: -1 };

/** @typedef {{ name: string, config: Config, text: string, whole: Translation, wholeTotal: number, parts: Part[], worth: number[] }} Measured a text's translation by the whole model ``name``, and what each part is worth to it */
/** @typedef {{ model: LoadedTranslator, score: Score, isLast: IsLast }} Engine what computes more of a measured text */
/** @typedef {{ translation: Translation, logProbability: number, ofWhole: number }} Written a translation with parts off, and what that of the whole model is worth then */

export class SwitchHeadsOffPage {
  // What measure() sets at once, before anything is drawn.
  /** @type {Measured | null} */ measured = null;
  /** @type {string[]} */ off = [];
  /** @type {Written | null} */ written = null;
  // The translator whose parts the link switches off.
  /** @type {string} */ of;

  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    const text = site.text("switch");
    this.asking = new Asking(site, {
      changed: () => {
        // Another model has other heads.
        if (this.asking.translator.name !== this.of) site.write({ off: null });
        this.measure();
      },
    });
    this.lines = element("div", { class: "two-lines", role: "group", "aria-label": text["lines"] });
    this.told = element("p", { class: "told", "aria-live": "polite" });
    this.allOn = element("button", { type: "button", disabled: true }, text["turn all on"]);
    this.allOn.addEventListener("click", () => this.switch([]));
    this.picture = new Placed(site.components.grid, {
      onTrigger: (name, code) => name === "pressed" && this.press(code),
    });
    const [see, ...more] = ["see", "try", "formula"].map((part) => prose(site, site.words.html[`switch ${part}`]));
    site.main.append(
      element("h1", {}, text["question"]),
      this.asking.node,
      this.lines,
      this.told,
      see,
      this.picture.node,
      this.allOn,
      element("div", { class: "two" }, ...more),
    );
    this.measure();
  }

  follow() {
    this.asking.follow();
    this.measure();
  }

  recolour() {
    this.draw();
  }

  // What each part is worth to the translation, and what is written without those that the link says are off.
  measure() {
    const { asking, picture } = this;
    this.of = asking.translator.name;
    return asking.run(async (text, isLast) => {
      picture.node.setAttribute("aria-busy", "true");
      try {
        await this.take(await this.measuredOf(text, isLast), isLast);
      } finally {
        if (isLast()) picture.node.removeAttribute("aria-busy");
      }
    });
  }

  // What each part is worth to the translation of ``text``.
  /** @type {(text: string, isLast: IsLast) => Promise<Measured>} */
  async measuredOf(text, isLast) {
    const { asking, site } = this;
    const { name } = asking.translator;
    const model = await site.translators.of(name);
    const { translation: whole } = await model.attend(text, { isLast });
    const given = whole.source.pieces.length;
    if (given > MOST_TOKENS)
      throw new TooLongError(filled(site.text("switch")["too long"], { given, most: MOST_TOKENS }));
    const config = /** @type {Config} */ (model.config);
    const parts = partsOf(config);
    const { tokens } = whole.hypotheses[0];
    const score = scoreOf(model, whole, isLast);
    const wholeTotal = await score(tokens);
    const worth = [];
    for (const part of parts) worth.push((await score(tokens, without(config, [part]))) - wholeTotal);
    return { name, config, text, whole, wholeTotal, parts, worth };
  }

  /** @type {(measured: Measured, isLast: IsLast) => Promise<Engine>} */
  async engineOf({ name, whole }, isLast) {
    const model = await this.site.translators.of(name);
    return { model, score: scoreOf(model, whole, isLast), isLast };
  }

  // Shows it, without those parts that the link says are off, or else without one that the page chooses.
  /** @type {(measured: Measured, isLast: IsLast) => Promise<void>} */
  async take(measured, isLast) {
    const engine = await this.engineOf(measured, isLast);
    const off = this.linkedOff(measured) ?? (await strangest(measured, engine));
    const written = await writtenWithout(off, measured, engine);
    if (!isLast()) return;
    Object.assign(this, { measured, off, written });
    this.site.notes.set(OFF, null);
    // What was pressed before all of this was known.
    const pressed = this.linkedOff(measured);
    if (pressed && pressed.join() !== off.join()) await this.switch(pressed);
    else this.draw();
  }

  // What the link says is off; null where the page chooses.
  /** @param {Measured} measured */
  linkedOff({ parts }) {
    const codes = [NONE, ...parts.map(({ code }) => code)];
    const isThere = (/** @type {string} */ text) => text.split(",").every((code) => codes.includes(code));
    const linked = this.site.linked("off", isThere, { example: `${codes[1]},${codes[2]}` });
    return linked === null ? null : linked.split(",").filter((code) => code !== NONE);
  }

  /** @param {string} code */
  press(code) {
    const { off } = this;
    this.switch(off.includes(code) ? off.filter((one) => one !== code) : [...off, code]);
  }

  /** @param {string[]} off */
  async switch(off) {
    const { measured, site, asking, off: before } = this;
    if (!measured) return;
    const { calls } = asking;
    this.off = off;
    site.write({ off: off.join(",") || NONE });
    this.draw();
    const isLast = () => this.measured === measured && this.off === off && asking.calls === calls;
    try {
      const written = await writtenWithout(off, measured, await this.engineOf(measured, isLast));
      if (!isLast()) return;
      this.written = written;
      site.notes.set(OFF, null);
      this.draw();
    } catch (error) {
      if (!isLast() || error instanceof OvertakenError) return;
      site.notes.set(OFF, site.messageOf(error));
      this.off = before;
      site.write({ off: before.join(",") || NONE });
      this.draw();
    }
  }

  draw() {
    const { measured, written } = this;
    if (!measured || !written) return;
    this.drawLines(measured, written);
    this.allOn.disabled = !this.off.length;
    this.picture.show(pack(this.grid(measured), {}));
  }

  /** @type {(measured: Measured, written: Written) => void} */
  drawLines({ whole, wholeTotal }, { translation, logProbability, ofWhole }) {
    const { site, off } = this;
    const text = site.text("switch");
    const note = (/** @type {number} */ value) => filled(text["log probability"], { value: fixed(value, 2) });
    const lines = [this.line(text["all on"], whole, translation, note(wholeTotal))];
    if (off.length) lines.push(this.line(text["switched off"], translation, whole, note(logProbability)));
    this.lines.replaceChildren(...lines);
    const totals = { total: fixed(wholeTotal, 2), of_whole: fixed(ofWhole, 2) };
    const isSame = translation.text === whole.text;
    this.told.textContent = off.length
      ? filled(site.text("site")[isSame ? "unchanged" : "changed"], totals)
      : text["same"];
  }

  // A translation, the words marked that the other one lacks.
  /** @type {(title: string, ours: Translation, theirs: Translation, note: string) => HTMLElement} */
  line(title, ours, theirs, note) {
    const { labels } = this.site;
    const [own, other] = [ours, theirs].map(({ target }) =>
      target.words.filter(({ start }) => !labels.isSpecial(target.pieces[start])),
    );
    const isShared = shared(
      own.map(({ text }) => text),
      other.map(({ text }) => text),
    );
    const words = own.flatMap(({ text, start }, place) => [
      place > 0 && labels.startsWord(ours.target.pieces[start]) ? " " : "",
      isShared[place] ? text : element("mark", {}, text),
    ]);
    return element(
      "p",
      {},
      element("b", {}, title),
      " ",
      element("span", { class: "words" }, ...words),
      " ",
      element("small", {}, note),
    );
  }

  /** @type {(measured: Measured) => Record<string, unknown>} */
  grid({ parts, worth, config }) {
    const { site, off } = this;
    const [text, names] = [site.text("switch"), site.text("names")];
    const nHeads = config.n_heads;
    const rows = ["encoder", "decoder", "cross"].flatMap((kind) => {
      const layers = new Set(parts.filter((part) => part.kind === kind).map(({ layer }) => layer));
      return [...layers].map((layer) => ({ kind, layer }));
    });
    const cells = parts.map((part, index) => {
      const { code, sort, kind, layer, head } = part;
      const isOff = off.includes(code);
      return {
        code,
        row: rows.findIndex((row) => row.kind === kind && row.layer === layer),
        column: sort === "head" ? head - 1 : sort === "attention" ? nHeads : nHeads + 1,
        span: 1,
        effect: worth[index],
        is_off: isOff,
        is_within: sort === "head" && off.includes(`${kind}.${layer}.attention`),
        tooltip: [
          nameOf(part, names),
          filled(text["told effect"], { effect: fixed(worth[index], 2) }),
          text[isOff ? "told off" : "told on"],
        ],
        is_chosen: null,
        is_idle: false,
      };
    });
    cells.sort((left, right) => left.row - right.row || left.column - right.column);
    const heads = parts.flatMap((part, index) => (part.head ? [{ part, worth: worth[index] }] : []));
    const most = heads.reduce((left, right) => (right.worth < left.worth ? right : left));
    const numbers = {
      n: heads.length,
      n_blocks: parts.length - heads.length,
      name: nameOf(most.part, names),
      effect: fixed(most.worth, 2),
      n_needed: heads.filter((one) => one.worth < -NEEDED).length,
      least: NEEDED,
    };
    const { palette } = site.words.palettes[site.theme];
    return {
      language: site.words.language,
      cells,
      rows: rows.map(({ kind, layer }) => filled(names["row"], { kind: names[`short kind ${kind}`], layer })),
      columns: [
        ...Array.from({ length: nHeads }, (_, head) => String(head + 1)),
        text["column attention"],
        text["column feed-forward"],
      ],
      scale: Math.max(...heads.map((one) => Math.abs(one.worth))),
      alt: filled(text["alt"], numbers),
      words: {
        ...site.text("lists"),
        ...{ unit: text["unit"], rule: text["rule"], title: text["title"], narrow: names["numbers hidden"] },
      },
      menu: { labels: site.text("menu"), served: [] },
      palette,
      look: LOOK,
    };
  }

  remove() {
    this.measured = null;
    this.asking.remove();
    this.picture.remove();
  }
}

// Of the heads that are needed most, the one without which the strangest translation is written.
/** @type {(measured: Measured, engine: Engine) => Promise<string[]>} */
async function strangest(measured, engine) {
  const { parts, worth, whole, wholeTotal } = measured;
  const heads = parts.map((part, index) => ({ part, worth: worth[index] })).filter(({ part }) => part.head);
  heads.sort((left, right) => left.worth - right.worth);
  let [most, least] = [heads[0].part, wholeTotal];
  for (const { part } of heads.slice(0, N_TRIED)) {
    const { translation } = await writtenWithout([part.code], measured, engine);
    const value = await engine.score(translation.hypotheses[0].tokens);
    if (translation.text !== whole.text && value < least) [most, least] = [part, value];
  }
  return [most.code];
}

/** @type {(off: string[], measured: Measured, engine: Engine) => Promise<Written>} */
async function writtenWithout(off, { config, text, whole, parts }, { model, score, isLast }) {
  const changes = without(
    config,
    parts.filter(({ code }) => off.includes(code)),
  );
  const translation = await model.translator.translate(text, { changes, isLast });
  const logProbability = total(translation.hypotheses[0].logProbabilities);
  const ofWhole = await score(whole.hypotheses[0].tokens, changes);
  return { translation, logProbability, ofWhole };
}
