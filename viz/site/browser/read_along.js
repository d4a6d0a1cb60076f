// Three papers, section by section, or five labs, step by step: each with its picture, and a question.

import { element } from "../../components/browser/dom.js";
import { store, stored } from "../../components/browser/stored.js";
import { changed } from "./changes.js";
import { Chart } from "./chart.js";
import { StopControls } from "./stop_controls.js";
import { filled, prose } from "./words.js";

/** @import { Site } from "./site.js" */
/** @import { ReadingPath, Stop, StopViews } from "./types" */

// What each is called in a link, and where its own words are. A stop is counted among all, or, by ``within``, in its
// chapter.
/** @type {Record<string, { stop: string, within?: { chapter: string, place: string }, done: string, words: string }>} */
const PATHS = {
  "read-along": { stop: "stop", done: "done", words: "read" },
  labs: { stop: "step", within: { chapter: "lab", place: "lab-step" }, done: "labs-done", words: "labs" },
};

export class ReadAlongPage {
  /** @param {Site} site @param {string} name the page's address */
  constructor(site, name) {
    this.site = site;
    this.name = name;
    this.keys = PATHS[name];
    // The stops that were answered right in this browser; a link may have another person's.
    this.answered = new Set((stored(this.stored) ?? "").split(".").filter(Boolean));
    /** @type {Chart[]} */
    this.charts = [];
    /** @type {ReadingPath | null} */
    this.path = null;
    this.controls = new StopControls(site, [], () => {});
    // By the number of a stop, what it shows for other values of its controls.
    /** @type {Map<number, StopViews>} */
    this.views = new Map();
    // The question that is asked, as a whole.
    this.asked = "";
    this.calls = 0;
    this.isRemoved = false;
    const text = site.text("read");
    this.chapters = element("nav", { class: "chapters", "aria-label": text["stop"] });
    this.where = element("div", { class: "prose" });
    this.title = element("h2", { tabindex: -1 });
    this.charting = element("div");
    this.below = element("div", { class: "prose" });
    this.values = element("div", { class: "values" });
    this.pictures = element("div");
    this.words = element("div", { class: "prose" });
    this.question = element("div", { class: "question" });
    this.back = this.button(text["back"], -1);
    this.next = this.button(text["next stop"], 1);
    site.main.append(
      element("h1", {}, site.text(this.keys.words)["question"]),
      element(
        "div",
        { class: "path" },
        this.chapters,
        element(
          "div",
          {},
          this.where,
          this.title,
          element("div", { class: "stop" }, this.words, this.pictures),
          this.question,
          element("div", { class: "steps" }, this.back, this.next),
        ),
      ),
    );
    this.load();
  }

  get stored() {
    return `read-along-${this.keys.done}`;
  }

  async load() {
    /** @type {ReadingPath | null} */
    const path = await this.site.contentOf(this.name);
    if (!path || this.isRemoved) return;
    this.path = path;
    this.follow();
  }

  /** @type {(label: string, by: number) => HTMLButtonElement} */
  button(label, by) {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      this.site.write({ ...this.controls.nothing, ...this.linkTo(this.number + by) });
      this.site.show();
      this.title.focus({ preventScroll: true });
      scrollTo(0, 0);
    });
    return button;
  }

  // Of the stop that is open, counted from 1.
  get number() {
    return this.numberWithin() ?? this.counted(this.keys.stop, this.path?.stops.length ?? 1) ?? 1;
  }

  // The same by its chapter and its place in it; null where the link has neither.
  numberWithin() {
    const { path, site } = this;
    const { within } = this.keys;
    if (!path || !within) return null;
    const known = Object.keys(path.chapters);
    const chapter = site.linked(within.chapter, (text) => known.includes(text), known.join(", "));
    const { first, n } = this.stopsOf(chapter ?? known[0]);
    const place = this.counted(within.place, n);
    return site.link.has(within.chapter) || site.link.has(within.place) ? first + (place ?? 1) : null;
  }

  // How many stops stand before ``chapter``, and how many it has.
  /** @param {string} chapter */
  stopsOf(chapter) {
    const chapters = this.path?.stops.map((stop) => stop.chapter) ?? [];
    return { first: chapters.indexOf(chapter), n: chapters.filter((one) => one === chapter).length };
  }

  // The number from 1 to ``most`` that the link has for ``key``; null where it has none.
  /** @type {(key: string, most: number) => number | null} */
  counted(key, most) {
    const isThere = (/** @type {string} */ text) => /^[1-9]\d*$/.test(text) && Number(text) <= most;
    const text = this.site.linked(key, isThere, `1 – ${most}`);
    return text === null ? null : Number(text);
  }

  // What the link of a stop carries.
  /** @type {(number: number) => Record<string, string | null>} */
  linkTo(number) {
    const { stop, within } = this.keys;
    const chapter = this.path?.stops[number - 1].chapter;
    if (!within || chapter === undefined) return { [stop]: String(number) };
    const place = number - this.stopsOf(chapter).first;
    return { [stop]: null, [within.chapter]: chapter, [within.place]: String(place) };
  }

  // How many stops stand before those that are counted with the stop ``number``.
  /** @param {number} number */
  firstOf(number) {
    const chapter = this.path?.stops[number - 1].chapter ?? "";
    return this.keys.within ? this.stopsOf(chapter).first : 0;
  }

  // The stops whose questions were answered right, here or by the link.
  get done() {
    const asked = this.path?.stops.map(({ answer }, place) => (answer ? String(place + 1) : "")) ?? [];
    const isThere = (/** @type {string} */ text) => text.split(".").every((one) => one !== "" && asked.includes(one));
    const linked = this.site.linked(this.keys.done, isThere, { example: "1.2.3" })?.split(".") ?? [];
    return ordered([...linked, ...[...this.answered].filter(isThere)]);
  }

  follow() {
    if (!this.path) return;
    const { site, number, path } = this;
    const stop = path.stops[number - 1];
    const isFromChapters = this.chapters.contains(document.activeElement);
    site.fill(this.where, stop.html["where"]);
    this.title.textContent = stop.title;
    site.fill(this.words, `${stop.html["words"]}${stop.html["links"]}`);
    this.offerAnswer(stop.html["good answer"]);
    this.back.disabled = number === 1;
    this.next.disabled = number === path.stops.length;
    this.openPicture(stop);
    this.drawChapters();
    // The link that was followed is no longer there.
    if (isFromChapters) this.title.focus({ preventScroll: true });
  }

  // What a good answer contains, where none is graded.
  /** @param {string | undefined} answer */
  offerAnswer(answer) {
    if (!answer) return;
    const summary = element("summary", {}, this.site.text("labs")["good answer"]);
    this.words.append(element("details", {}, summary, prose(this.site, answer)));
  }

  /** @param {Stop} stop */
  openPicture(stop) {
    const { site } = this;
    for (const chart of this.charts) chart.remove();
    this.charts = [];
    this.asked = "";
    // One file holds each stop as it opens.
    this.controls = new StopControls(site, site.isOneFile ? [] : stop.controls, () => this.show(stop));
    const isLess = site.isOneFile ? stop.controls.length > 0 || stop.takes_text : stop.takes_text;
    const less = site.text("site")[site.isOneFile ? "as it opens" : "example sentence"];
    this.pictures.replaceChildren(
      ...(isLess ? [element("p", { class: "more" }, less)] : []),
      this.controls.node,
      this.charting,
      this.below,
      this.values,
    );
    this.charting.replaceChildren();
    this.below.replaceChildren();
    this.values.replaceChildren();
    this.question.replaceChildren();
    this.show(stop);
  }

  // Shows what the controls of ``stop`` are set to.
  /** @param {Stop} stop */
  async show(stop) {
    const call = ++this.calls;
    const view = await this.viewOf(stop, this.controls.values);
    if (!view || call !== this.calls) return;
    if (this.charts.length) view.charts.forEach((chart, place) => this.charts[place].take(chart));
    else this.drawCharts(view);
    this.site.fill(this.below, view.html["below"]);
    this.values.innerHTML = view.table;
    const asked = JSON.stringify([view.answer, view.html]);
    if (asked !== this.asked) this.ask(view);
    this.asked = asked;
  }

  /** @param {Stop} stop */
  drawCharts({ charts }) {
    this.charts = charts.map((chart) => new Chart(this.site, chart));
    this.charting.replaceChildren(...this.charts.map(({ node }) => node));
    this.recolour();
  }

  // What ``stop`` shows for these values of its controls; null where that cannot be loaded.
  /** @type {(stop: Stop, values: string[]) => Promise<Stop | null>} */
  async viewOf(stop, values) {
    const { number, site, views } = this;
    if (values.every((value, place) => value === stop.controls[place].opens_at)) return stop;
    /** @type {StopViews | null} */
    const file = views.get(number) ?? (await site.file(`${this.name}-${number}.json`));
    if (!file) return null;
    views.set(number, file);
    const key = values.join(" ");
    const inAll = changed(stop, file["all"][key] ?? {});
    return changed(inAll, file[site.words.language][key] ?? {});
  }

  drawChapters() {
    if (!this.path) return;
    const text = this.site.text("read");
    const { done, number } = this;
    const { chapters, stops } = this.path;
    const nodes = Object.entries(chapters).map(([chapter, title]) => {
      const links = stops.flatMap((stop, place) => {
        if (stop.chapter !== chapter) return [];
        const own = String(place + 1);
        const counted = place + 1 - this.firstOf(place + 1);
        const label = filled(text[done.includes(own) ? "done" : "not done"], { number: counted, title: stop.title });
        const link = { ...this.linkTo(place + 1), [this.keys.done]: done.join(".") };
        const query = new URLSearchParams(Object.entries(link).flatMap(([key, text]) => (text ? [[key, text]] : [])));
        const current = place + 1 === number ? "page" : null;
        return [
          element(
            "li",
            {},
            element("a", { href: this.site.address(this.name, String(query)), "aria-current": current }, label),
          ),
        ];
      });
      return element(
        "details",
        { open: stops[number - 1].chapter === chapter },
        element("summary", {}, title),
        element("ul", {}, ...links),
      );
    });
    const questions = stops.filter(({ answer }) => answer).length;
    const progress = element("p", {}, filled(text["progress"], { done: done.length, questions }));
    this.chapters.replaceChildren(progress, ...nodes);
  }

  /** @param {Stop} stop */
  ask({ answer, html }) {
    this.question.replaceChildren();
    if (!answer || !this.path) return;
    const text = this.site.text("read");
    const before = this.path.stops.slice(this.firstOf(this.number), this.number);
    const number = before.filter((one) => one.answer).length;
    const asked = prose(this.site, html["question"]);
    const box = answer.options.length
      ? element(
          "select",
          { "aria-label": text["your answer"] },
          element("option", { value: "" }, text["choose"]),
          ...answer.options.map((option) => element("option", { value: option }, option)),
        )
      : element("input", {
          type: "text",
          inputmode: "decimal",
          autocomplete: "off",
          "aria-label": text["your answer"],
        });
    const grade = element("div", { class: "prose", role: "status" });
    const hint = prose(this.site, html["hint"]);
    const form = element("form", { class: "ask" }, box, element("button", {}, text["check"]));
    let wrong = 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const readings = answer.options.length ? [box.value].filter(Boolean) : numbersIn(box.value);
      if (!readings.length) {
        grade.textContent = text["nothing given"];
        return;
      }
      const isRight = readings.some((one) => isNear(answer, answer.right, one));
      if (isRight) this.keep();
      else wrong += 1;
      // What was chosen or typed as a number holds no markup.
      const shown = box.value.trim().replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      const mistake = answer.mistakes.findIndex((one) => readings.some((given) => isNear(answer, one, given)));
      const verdict = isRight ? "right" : wrong > 1 ? "wrong" : mistake < 0 ? "wrong once" : `mistake ${mistake}`;
      this.site.fill(grade, filled(html[verdict], { given: shown }));
      this.drawChapters();
    });
    this.question.append(
      element("h3", {}, filled(text["question heading"], { number })),
      asked,
      form,
      grade,
      element("details", {}, element("summary", {}, text["hint"]), hint),
    );
  }

  // The stop that is open was answered right.
  keep() {
    this.answered.add(String(this.number));
    store(this.stored, ordered([...this.answered]).join("."));
    this.site.write({ [this.keys.done]: this.done.join(".") });
  }

  recolour() {
    for (const chart of this.charts) chart.draw();
  }

  remove() {
    this.isRemoved = true;
    this.calls += 1;
    for (const chart of this.charts) chart.remove();
  }
}

// The numbers that a text may mean: a comma stands before decimals, or before each three digits; none where it is no
// number.
/** @param {string} text */
function numbersIn(text) {
  const plain = text.trim().replace("\u2212", "-");
  const readings = /^-?[1-9]\d{0,2}(,\d{3})+$/.test(plain) ? [plain.replaceAll(",", ""), plain] : [plain];
  return readings
    .filter(Boolean)
    .map((one) => Number(one.replace(",", ".")))
    .filter(Number.isFinite);
}

/** @type {(answer: NonNullable<Stop["answer"]>, expected: number | string, given: number | string) => boolean} */
function isNear({ within }, expected, given) {
  if (typeof given === "string" || typeof expected === "string") return given === expected;
  return Math.abs(given - expected) <= within * Math.abs(expected) + 1e-9;
}

/** @param {string[]} numbers */
function ordered(numbers) {
  return [...new Set(numbers)].sort((left, right) => Number(left) - Number(right));
}
