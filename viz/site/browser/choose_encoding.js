// What to take for a need: charts of what was measured, and what is said of them.

import { element } from "../../components/browser/dom.js";
import { Chart } from "./chart.js";

/** @import { Site } from "./site.js" */
/** @import { Choices } from "./types" */

export class ChooseEncodingPage {
  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    /** @type {Chart[]} */
    this.charts = [];
    /** @type {string | null} */
    this.need = null;
    this.isRemoved = false;
    const text = site.text("choose");
    this.above = element("div", { class: "prose" });
    this.list = element("select");
    this.list.addEventListener("change", () => {
      site.write({ need: this.list.value });
      this.follow();
    });
    this.pictures = element("div", { class: "charts" });
    this.words = element("div", { class: "prose" });
    site.main.append(
      element("h1", {}, text["question"]),
      this.above,
      element("form", { class: "ask" }, element("label", {}, element("span", {}, text["need"]), this.list)),
      element("div", { class: "two" }, this.pictures, this.words),
    );
    this.load();
  }

  async load() {
    /** @type {Choices | null} */
    const choices = await this.site.contentOf("choose-encoding");
    if (!choices || this.isRemoved) return;
    this.choices = choices;
    this.site.fill(this.above, choices.default);
    for (const [need, { name }] of Object.entries(choices.needs))
      this.list.append(element("option", { value: need }, name));
    this.follow();
  }

  follow() {
    if (!this.choices) return;
    const { needs, none } = this.choices;
    const names = Object.keys(needs);
    const need = this.site.linked("need", (text) => names.includes(text), names.join(", ")) ?? names[0];
    this.list.value = need;
    if (need === this.need) return;
    this.need = need;
    const { charts, words, table } = needs[need];
    this.clear();
    this.site.fill(this.words, words);
    this.charts = charts.map((chart) => new Chart(this.site, chart));
    this.pictures.replaceChildren(
      ...this.charts.flatMap((chart) =>
        chart.chart.heading ? [element("h2", {}, chart.chart.heading), chart.node] : [chart.node],
      ),
    );
    if (!charts.length) this.pictures.append(none);
    const means = element("div", { class: "values" });
    this.site.fill(means, table);
    this.pictures.append(means);
    this.recolour();
  }

  recolour() {
    for (const chart of this.charts) chart.draw();
  }

  clear() {
    for (const chart of this.charts) chart.remove();
    this.charts = [];
  }

  remove() {
    this.isRemoved = true;
    this.clear();
  }
}
