// How much of inputs longer than those trained on each encoding still answers right.

import { element, setText, svgElement } from "../../components/browser/dom.js";
import { FullScreen, createMenu } from "../../components/browser/menu.js";
import { ticks, written } from "../../components/browser/numbers.js";
import { drawnFiles } from "../../components/browser/svg_file.js";
import { Tooltip } from "../../components/browser/tooltip.js";
import { filled } from "./words.js";

/** @import { Site } from "./site.js" */
/** @import { MeasuredLine, MeasuredTask } from "./types" */

const HEIGHT = 380;
const NARROWEST = 320;
const FRAME = { left: 44, right: 12, top: 44, bottom: 44 };
const NEAR = 30; // pixels from a line at which it is told

export class LengthsPage {
  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    this.text = site.text("cliff");
    this.longest = 1;
    this.width = NARROWEST;
    this.tasks = site.words.lengths;
    this.task = element("select");
    for (const [value, { title }] of Object.entries(this.tasks)) this.task.append(element("option", { value }, title));
    this.task.addEventListener("change", () => this.take({ task: this.task.value, highlight: null, length: null }));
    this.length = element("input", { type: "range", min: 0, step: 1 });
    this.length.addEventListener("input", () => this.take({ length: String(this.lengths[Number(this.length.value)]) }));
    this.explanation = element("p");
    this.claim = element("div", { class: "prose" });
    this.svg = svgElement("svg", { role: "img", class: "plot" });
    this.legend = element("div", { class: "plot-legend" });
    this.figure = element("div", { class: "plot-figure" });
    const files = drawnFiles(() => this.svg, {
      name: () => "lengths",
      surface: () => site.words.palettes[site.theme].palette.surface,
    });
    const fullScreen = new FullScreen(this.figure);
    const labels = site.text("menu");
    this.menu = createMenu({ labels, name: this.text["title"], files, fullScreen });
    this.figure.append(this.menu.node, this.svg, this.legend);
    this.tooltip = new Tooltip(this.figure);
    this.svg.addEventListener("pointermove", (event) => this.pointAt(event));
    this.svg.addEventListener("pointerleave", () => this.tooltip.hide());
    this.sizes = new ResizeObserver(([{ contentRect }]) => {
      this.width = Math.max(NARROWEST, Math.round(contentRect.width));
      this.draw();
    });
    this.sizes.observe(this.svg);
    this.at = element("span");
    this.table = element("div", { class: "values" });
    this.failed = element("div", { class: "prose" });
    const prose = element("div", { class: "prose" });
    site.fill(prose, site.words.html["cliff seen"]);
    site.main.append(
      element("h1", {}, this.text["question"]),
      element(
        "form",
        { class: "ask" },
        element("label", {}, element("span", {}, site.text("site")["task"]), this.task),
      ),
      this.explanation,
      this.claim,
      this.figure,
      element("label", { class: "at-length" }, this.at, this.length),
      element("div", { class: "two" }, this.table, element("div", {}, this.failed, prose)),
    );
    this.follow();
  }

  /** @returns {MeasuredTask} */
  get shown() {
    return this.tasks[this.task.value];
  }

  get lengths() {
    return this.shown.lengths;
  }

  /** @type {(values: Record<string, string | null>) => void} */
  take(values) {
    this.site.write(values);
    this.follow();
  }

  follow() {
    const { site } = this;
    const names = Object.keys(this.tasks);
    this.task.value = site.linked("task", (text) => names.includes(text), names.join(", ")) ?? names[0];
    const { shown } = this;
    this.explanation.textContent = shown.explanation;
    this.site.fill(this.claim, shown.claim);
    this.site.fill(this.failed, shown.failed);
    const there = this.lengths.map(String);
    const asked = there.indexOf(site.linked("length", (text) => there.includes(text), there.join(", ")) ?? "");
    this.length.max = String(this.lengths.length - 1);
    this.length.value = String(asked < 0 ? this.lengths.indexOf(shown.opens_at) : asked);
    this.draw();
  }

  recolour() {
    this.draw();
  }

  // The lines in colour: those that were chosen, or else those worth seeing first.
  /** @type {(line: MeasuredLine) => boolean} */
  isVivid(line) {
    const chosen = this.site.link.get("highlight")?.split(",");
    return chosen ? chosen.includes(line.name) : line.isVivid;
  }

  // Of the plot within its axes.
  get inner() {
    return { width: this.width - FRAME.left - FRAME.right, height: HEIGHT - FRAME.top - FRAME.bottom };
  }

  /** @param {number} length */
  x(length) {
    return FRAME.left + (this.inner.width * length) / this.longest;
  }

  /** @param {number} share */
  y(share) {
    return FRAME.top + this.inner.height * (1 - share);
  }

  draw() {
    const { shown, site, text, inner } = this;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const { palette } = site.words.palettes[site.theme];
    const longest = this.lengths[this.lengths.length - 1];
    this.longest = longest;
    const muted = { fill: palette.muted, "font-size": 13 };
    const nodes = ticks(0, 1, 5).flatMap((value) => [
      svgElement("path", { d: `M${FRAME.left} ${this.y(value)}h${inner.width}`, stroke: palette.line }),
      svgElement("text", { ...muted, x: FRAME.left - 6, y: this.y(value) + 4, "text-anchor": "end" }, written(value)),
    ]);
    for (const length of ticks(0, longest, 6))
      nodes.push(
        svgElement("text", { ...muted, x: this.x(length), y: HEIGHT - 24, "text-anchor": "middle" }, String(length)),
      );
    const middle = FRAME.left + inner.width / 2;
    const ink = { fill: palette.ink, "font-size": 13 };
    const trained = this.x(shown.trained);
    const mark = { stroke: palette.ink, "stroke-dasharray": "2 3" };
    nodes.push(
      svgElement("text", { ...ink, x: middle, y: HEIGHT - 4, "text-anchor": "middle" }, shown.x),
      svgElement("text", { ...ink, x: 0, y: 12 }, text["exact match"]),
      svgElement("path", { ...mark, d: `M${trained} ${FRAME.top}v${inner.height}` }),
      svgElement(
        "text",
        { ...ink, x: trained + 5, y: FRAME.top - 8 },
        filled(text["trained to"], { length: shown.trained }),
      ),
    );
    if (shown.guess) {
      const share = filled(text["by guessing"], { share: shown.guess });
      nodes.push(
        svgElement("path", { ...mark, d: `M${FRAME.left} ${this.y(shown.guess)}h${inner.width}` }),
        svgElement(
          "text",
          { ...ink, x: this.width - FRAME.right, y: this.y(shown.guess) - 4, "text-anchor": "end" },
          share,
        ),
      );
    }
    const [quiet, vivid] = [false, true].map((is) => shown.lines.filter((line) => this.isVivid(line) === is));
    nodes.push(...quiet.map((line) => this.path(line, { stroke: palette.muted, "stroke-width": 1, opacity: 0.4 })));
    for (const line of vivid) {
      nodes.push(svgElement("path", { d: this.band(line), fill: line.look.colour, opacity: 0.1 }));
      const dashes = { "stroke-dasharray": line.look.dashes || null };
      nodes.push(this.path(line, { stroke: line.look.colour, "stroke-width": 2, ...dashes }));
    }
    this.svg.setAttribute("aria-label", `${shown.title}. ${shown.x}. ${vivid.map(({ name }) => name).join(", ")}`);
    this.svg.replaceChildren(...nodes);
    this.drawLegend();
    this.drawTable();
  }

  /** @type {(line: MeasuredLine, look: Record<string, unknown>) => SVGElement} */
  path(line, look) {
    const points = means(line).map((mean, place) => `${this.x(line.lengths[place])} ${this.y(mean)}`);
    return svgElement("path", { d: `M${points.join("L")}`, fill: "none", ...look });
  }

  // From the worst seed to the best.
  /** @type {(line: MeasuredLine) => string} */
  band(line) {
    const edge = (/** @type {(...numbers: number[]) => number} */ pick) =>
      line.lengths.map((length, place) => `${this.x(length)} ${this.y(pick(...known(line, place)))}`);
    return `M${[...edge(Math.max), ...edge(Math.min).reverse()].join("L")}Z`;
  }

  // A click on a name gives its line a colour, or takes it.
  drawLegend() {
    const lines = this.shown.lines;
    this.legend.replaceChildren(
      ...lines.map((line) => {
        const swatch = element("span", { class: "swatch" });
        swatch.style.background = line.look.swatch;
        const button = element(
          "button",
          { type: "button", "aria-pressed": String(this.isVivid(line)) },
          swatch,
          line.name,
        );
        button.addEventListener("click", () => {
          const chosen = lines.filter((one) => (one === line) !== this.isVivid(one)).map(({ name }) => name);
          this.take({ highlight: chosen.join(",") || null });
          this.legend.querySelectorAll("button")[lines.indexOf(line)].focus();
        });
        return button;
      }),
    );
  }

  drawTable() {
    const { text } = this;
    const length = this.lengths[Number(this.length.value)];
    setText(this.at, `${this.shown.x}: ${length}`);
    const there = this.shown.lines
      .map((line) => ({ line, values: known(line, line.lengths.indexOf(length)) }))
      .filter(({ values }) => values.length)
      .map((one) => ({ ...one, mean: average(one.values) }))
      .sort((left, right) => right.mean - left.mean);
    const rows = there.map(({ line, values, mean }) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = line.look.swatch;
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, swatch, line.name),
        element("td", {}, mean.toFixed(2)),
        element("td", {}, values.map((value) => value.toFixed(2)).join(", ")),
      );
    });
    const head = ["encoding", "mean", "each seed"].map((name) => element("th", { scope: "col" }, text[name]));
    this.table.replaceChildren(
      element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
    );
  }

  // The nearest line, and its value there.
  /** @param {PointerEvent} event */
  pointAt(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const points = this.shown.lines.flatMap((line) =>
      means(line).map((mean, place) => ({
        line,
        mean,
        length: line.lengths[place],
        distance: Math.hypot(this.x(line.lengths[place]) - x, this.y(mean) - y),
      })),
    );
    const nearest = points.reduce((left, right) => (right.distance < left.distance ? right : left));
    if (nearest.distance > NEAR) this.tooltip.hide();
    else {
      const told = `${nearest.line.name}\n${nearest.length}: ${nearest.mean.toFixed(2)}`;
      this.tooltip.show(told, event.clientX, event.clientY);
    }
  }

  remove() {
    this.sizes.disconnect();
    this.menu.remove();
  }
}

// What the seeds reach at a place of the lengths; without those that were not measured there.
/** @type {(line: MeasuredLine, place: number) => number[]} */
function known(line, place) {
  return line.seeds.flatMap((seed) => (typeof seed[place] === "number" ? [seed[place]] : []));
}

/** @type {(numbers: number[]) => number} */
function average(numbers) {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** @type {(line: MeasuredLine) => number[]} */
function means(line) {
  return line.lengths.map((_, place) => average(known(line, place)));
}
