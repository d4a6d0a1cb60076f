// How much of inputs longer than those trained on each encoding still answers right.

import { element, listed, setText } from "../../components/browser/dom.js";
import { inTheme } from "./changes.js";
import { Chart } from "./chart.js";
import { filled, prose } from "./words.js";

/** @import { Site } from "./site.js" */
/** @import { MeasuredEncoding, MeasuredTask } from "./types" */

export class LengthsPage {
  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    this.isRemoved = false;
    /** @type {Record<string, MeasuredTask> | null} */
    this.tasks = null;
    /** @type {Chart | null} */
    this.chart = null;
    const text = site.text("cliff");
    this.text = text;
    this.task = element("select");
    this.task.addEventListener("change", () => this.take({ task: this.task.value, encodings: null, length: null }));
    this.length = element("input", { type: "range", min: 0, step: 1 });
    this.length.addEventListener("input", () => this.take({ length: String(this.lengths[Number(this.length.value)]) }));
    this.explanation = element("p");
    this.claim = element("div", { class: "prose" });
    this.figure = element("div");
    this.legend = element("div", { class: "plot-legend", role: "group", "aria-label": text["encodings"] });
    this.at = element("span");
    this.table = element("div", { class: "values" });
    this.failed = element("div", { class: "prose" });
    site.main.append(
      element("h1", {}, text["question"]),
      element(
        "form",
        { class: "ask" },
        element("label", {}, element("span", {}, site.text("site")["task"]), this.task),
      ),
      this.explanation,
      this.claim,
      this.figure,
      this.legend,
      element("label", { class: "at-length" }, this.at, this.length),
      element(
        "div",
        { class: "two" },
        this.table,
        element("div", {}, this.failed, prose(site, site.words.html["cliff seen"])),
      ),
    );
    this.load();
  }

  async load() {
    /** @type {Record<string, MeasuredTask> | null} */
    const tasks = await this.site.contentOf("cliff");
    if (!tasks || this.isRemoved) return;
    this.tasks = tasks;
    for (const [value, { title }] of Object.entries(tasks)) this.task.append(element("option", { value }, title));
    this.follow();
  }

  /** @returns {MeasuredTask} */
  get shown() {
    return /** @type {Record<string, MeasuredTask>} */ (this.tasks)[this.task.value];
  }

  get lengths() {
    return this.shown.lengths;
  }

  // The names of the encodings that are drawn alone; none where all are.
  get chosen() {
    const names = Object.keys(this.shown.encodings);
    return this.site.linkedAll("encodings", (text) => names.includes(text), names.join(", "));
  }

  /** @type {(values: Record<string, string | string[] | null>) => void} */
  take(values) {
    this.site.write(values);
    this.follow();
  }

  follow() {
    const { site, tasks } = this;
    if (!tasks) return;
    const names = Object.keys(tasks);
    this.task.value = site.linked("task", (text) => names.includes(text), names.join(", ")) ?? names[0];
    const { shown } = this;
    this.explanation.textContent = shown.explanation;
    site.fill(this.claim, shown.claim);
    site.fill(this.failed, shown.failed);
    const there = this.lengths.map(String);
    const asked = there.indexOf(site.linked("length", (text) => there.includes(text), there.join(", ")) ?? "");
    this.length.max = String(this.lengths.length - 1);
    this.length.value = String(asked < 0 ? this.lengths.indexOf(shown.opens_at) : asked);
    this.draw();
  }

  recolour() {
    if (this.tasks) this.draw();
  }

  draw() {
    const { shown, site, chosen } = this;
    const { theme } = site;
    const name = `lengths-${this.task.value}`;
    if (this.chart?.chart.name !== name) {
      this.chart?.remove();
      this.chart = new Chart(site, { ...shown, name, alt: shown.title, heading: "", table: null });
      this.figure.replaceChildren(this.chart.node);
    }
    const { data, layout } = inTheme(shown.figures, theme);
    const own = chosen.flatMap((one) => inTheme(shown.encodings[one].traces, theme));
    const drawn = own.length ? chosen : Object.keys(shown.encodings);
    const encodings = listed(
      drawn.map((one) => shown.encodings[one].title),
      site.text("lists")["pair"],
    );
    this.chart.change({ data: own.length ? own : data, layout }, filled(shown.alt, { encodings }));
    this.drawLegend(chosen);
    this.drawTable(chosen);
  }

  // A click on a name draws that encoding, alone or with the others that were chosen.
  /** @param {string[]} chosen */
  drawLegend(chosen) {
    const names = Object.keys(this.shown.encodings);
    this.legend.replaceChildren(
      element("span", {}, this.text["encodings"]),
      ...names.map((name, place) => {
        const isChosen = chosen.includes(name);
        const { title, swatch } = this.shown.encodings[name];
        const look = { type: "button", "aria-pressed": String(isChosen) };
        const button = element("button", look, swatchOf(swatch), title);
        button.addEventListener("click", () => {
          this.take({ encodings: isChosen ? chosen.filter((one) => one !== name) : [...chosen, name] });
          this.legend.querySelectorAll("button")[place].focus();
        });
        return button;
      }),
    );
  }

  /** @param {string[]} chosen */
  drawTable(chosen) {
    const { text, shown } = this;
    const { pair } = this.site.text("lists");
    const length = this.lengths[Number(this.length.value)];
    setText(this.at, `${shown.x}: ${length}`);
    const rows = Object.entries(shown.encodings)
      .filter(([name]) => !chosen.length || chosen.includes(name))
      .map(([, encoding]) => ({ encoding, values: valuesAt(encoding, length) }))
      .filter(({ values }) => values.length)
      .map((one) => ({ ...one, mean: one.values.reduce((sum, value) => sum + value, 0) / one.values.length }))
      .sort((left, right) => right.mean - left.mean)
      .map(({ encoding, values, mean }) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, swatchOf(encoding.swatch), encoding.title),
          element("td", {}, mean.toFixed(2)),
          element(
            "td",
            {},
            listed(
              values.map((value) => value.toFixed(2)),
              pair,
            ),
          ),
        ),
      );
    const head = ["encoding", "mean", "each seed"].map((name) => element("th", { scope: "col" }, text[name]));
    this.table.replaceChildren(
      element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
    );
  }

  remove() {
    this.isRemoved = true;
    this.chart?.remove();
  }
}

/** @param {string} background */
function swatchOf(background) {
  const swatch = element("span", { class: "swatch" });
  swatch.style.background = background;
  return swatch;
}

// What the seeds reach at a length; without those that were not measured there.
/** @type {(encoding: MeasuredEncoding, length: number) => number[]} */
function valuesAt({ lengths, seeds }, length) {
  const place = lengths.indexOf(length);
  return seeds.flatMap((seed) => (typeof seed[place] === "number" ? [seed[place]] : []));
}
