// What the decoder would write if it stopped after each of its layers.

import { channels, inkOn, over } from "../../components/browser/colours.js";
import { element } from "../../components/browser/dom.js";
import { inTurn } from "../engine/in_turn.js";
import { logSoftmax, largest, rowsOf } from "./arrays.js";
import { Asking } from "./asking.js";
import { lensLogits, stream } from "./passage.js";
import { filled, prose } from "./words.js";

/** @import { Tensor } from "../engine/types" */
/** @import { Site } from "./site.js" */

const LEAST_WRITTEN = 0.005;
const EXPONENT = 0.75; // of a colour's opacity, as in every picture

/** @typedef {{ label: string, isWritten: boolean, probability: number }} Cell */

export class LogitLensPage {
  // What look() sets, before anything is drawn: a row for each token that was written, and what the rows are called.
  /** @type {Cell[][]} */ rows = [];
  /** @type {string[]} */ labels = [];

  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    const text = site.text("lens");
    this.asking = new Asking(site, { changed: () => this.look() });
    this.grid = element("div", { class: "lens", tabindex: 0 });
    this.settled = element("p");
    const [see, toTry, formula] = ["see", "try", "formula"].map((part) => prose(site, site.words.html[`lens ${part}`]));
    site.main.append(
      element("h1", {}, text["question"]),
      this.asking.node,
      see,
      this.settled,
      this.grid,
      element("div", { class: "two" }, toTry, formula),
    );
    this.look();
  }

  follow() {
    this.asking.follow();
    this.look();
  }

  recolour() {
    this.draw();
  }

  look() {
    const { asking, site } = this;
    return asking.run(async (text, isLast) => {
      const model = await site.translators.of(asking.translator.name);
      const { translation, seen } = await model.translate(text, { isLast });
      const { tokens } = translation.hypotheses[0];
      const spell = (/** @type {number} */ token) => site.labels.alone(model.pieces[token]);
      const points = stream("decoder", { seen, model });
      const perLayer = (points.length - 1) / model.config.n_decoder_layers;
      /** @type {Cell[][]} */
      const depths = [];
      for (const point of points.filter((_, place) => place % perLayer === 0))
        depths.push(await inTurn(() => cellsOf(lensLogits(point, model), tokens, spell), isLast));
      if (!isLast()) return;
      this.rows = tokens.map((_, step) => depths.map((cells) => cells[step]));
      this.labels = site.labels.row(translation.target).labels;
      this.draw();
    });
  }

  draw() {
    const { rows, labels } = this;
    if (!rows.length) return;
    const text = this.site.text("lens");
    const names = rows[0].map((_, depth) => (depth ? filled(text["layer"], { layer: depth }) : text["input"]));
    const head = element("tr", {}, element("td"), ...names.map((name) => element("th", { scope: "col" }, name)));
    const body = rows.map((cells, step) =>
      element("tr", {}, element("th", { scope: "row" }, labels[step]), ...cells.map((cell) => this.cell(cell))),
    );
    this.grid.replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
    this.settled.replaceChildren(...this.told(rows));
  }

  /** @type {(cell: Cell) => HTMLElement} */
  cell({ label, isWritten, probability }) {
    const { surface, hue } = this.site.words.palettes[this.site.theme].palette;
    const percent = probability >= LEAST_WRITTEN ? element("small", {}, `${Math.round(100 * probability)}%`) : null;
    const node = element("td", {}, element(isWritten ? "b" : "span", {}, label), percent);
    const ground = over(channels(surface), [...hue, probability ** EXPONENT]);
    node.style.background = `rgb(${ground.join(" ")})`;
    node.style.color = inkOn(ground);
    return node;
  }

  // How many tokens lead a layer before the end, and how many only after the last one.
  /** @type {(rows: Cell[][]) => (Node | string)[]} */
  told(rows) {
    const text = this.site.text("lens");
    // The first depth from which on the written token leads.
    const settled = rows.map((cells) => cells.map(({ isWritten }) => isWritten).lastIndexOf(false) + 1);
    const nDepths = rows[0].length;
    const count = (/** @type {(depth: number) => boolean} */ is) => settled.filter(is).length;
    const never = count((depth) => depth === nDepths);
    const numbers = {
      n: rows.length,
      n_early: count((depth) => depth < nDepths - 1),
      n_late: count((depth) => depth === nDepths - 1),
      n_overruled: never ? filled(text["overruled"], { n: never }) : "",
    };
    // In the words, two stars are around what is bold.
    return filled(text["settled"], numbers)
      .split("**")
      .map((part, index) => (index % 2 ? element("b", {}, part) : part));
  }

  remove() {
    this.asking.remove();
  }
}

// What each token is at one depth.
/** @type {(logits: Tensor, tokens: number[], spell: (token: number) => string) => Cell[]} */
function cellsOf(logits, tokens, spell) {
  return rowsOf(logits).map((row, step) => {
    const [best] = largest(row, 1);
    const probability = Math.exp(logSoftmax(row)[tokens[step]]);
    return { label: spell(best), isWritten: best === tokens[step], probability };
  });
}
