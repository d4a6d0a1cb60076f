// Scaled dot-product and multi-head attention on matrices that can be typed into.

import { element, sentences } from "../../components/browser/dom.js";
import { fixed } from "../../components/browser/numbers.js";
import { MatrixError, NAMES, compute, overflowOf, parseMatrices, parseMatrix, transposed } from "./by_hand.js";
import { matrixView, matrixViews, productView } from "./matrix_view.js";
import { Placed } from "./placed.js";
import { filled, prose } from "./words.js";

/** @import { Inputs, Matrices, Matrix, Options, Precision, Steps } from "./by_hand.js" */
/** @import { Site } from "./site.js" */

// What a link calls the head that is shown: one to a head of a model, in the app, says which as its "head".
const HEAD = "shown-head";

/** @typedef {{ matrices: Matrices, options: Options, inputs: Inputs, steps: Steps }} Result */

export class DotProductPage {
  /** @type {Matrices} */ matrices;
  /** @type {Options} */ options;
  /** @type {Result} the last one that could be computed */ result;
  problem = "";
  head = 0;

  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    this.text = site.text("by hand");
    this.about = site.words.byHand;
    const { text } = this;
    const examples = Object.keys(this.about.examples).map((name) => {
      const button = element("button", { type: "button" }, text[`example ${name}`]);
      button.addEventListener("click", () => {
        this.head = 0;
        this.take(this.about.examples[name]);
      });
      return button;
    });
    this.choices = this.makeChoices();
    this.editor = new Placed(site.components.editor, {
      onState: (_, matrices) => this.take({ matrices, options: this.options }),
    });
    this.message = element("p", { class: "message", role: "alert", hidden: true });
    this.steps = element("div");
    const words = ["seen", "try", "formula"].map((part) => this.prose(part));
    site.main.append(
      element("h1", {}, text["question"]),
      this.prose("see"),
      element("div", { class: "examples" }, ...examples),
      this.choices.form,
      this.editor.node,
      this.message,
      this.steps,
      element("div", { class: "two" }, ...words),
    );
    this.follow();
  }

  get first() {
    return this.about.examples[this.about.first];
  }

  // The matrices and options of the link; without any, those of the opening example.
  follow() {
    const { link } = this.site;
    const { examples, opening } = this.about;
    const isPlain = ![...NAMES, ...Object.keys(this.first.options)].some((name) => link.has(name));
    const { matrices, problem } = isPlain ? { ...examples[opening], problem: "" } : this.linkedMatrices();
    const options = isPlain ? examples[opening].options : this.linkedOptions();
    this.head = this.linkedHead(options.n_heads);
    this.take({ matrices, options }, problem);
  }

  // Of a link with a text that is no matrix, no matrix is taken.
  /** @returns {{ matrices: Matrices, problem: string }} */
  linkedMatrices() {
    const { site, text, about, first } = this;
    const texts = NAMES.flatMap((name) => {
      const given = site.link.get(name);
      return given === null ? [] : [{ name, given }];
    });
    try {
      for (const { name, given } of texts) parseMatrix(name, given, about.limits);
    } catch (error) {
      if (!(error instanceof MatrixError)) throw error;
      return { matrices: first.matrices, problem: filled(text["bad link"], { problem: error.sentence(text) }) };
    }
    const linked = Object.fromEntries(texts.map(({ name, given }) => [name, given]));
    return { matrices: { ...first.matrices, ...linked }, problem: "" };
  }

  /** @returns {Options} */
  linkedOptions() {
    const { site, about } = this;
    const { options } = this.first;
    const { size } = about.limits;
    const isCount = (/** @type {string} */ text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= size;
    /** @type {(name: keyof Options, values: unknown[]) => string} */
    const linked = (name, values) => {
      const allowed = values.map(String);
      return site.linked(name, (text) => allowed.includes(text), allowed.join(", ")) ?? String(options[name]);
    };
    return {
      n_heads: Number(linked("n_heads", about.heads)),
      scale: linked("scale", [false, true]) === "true",
      mask: linked("mask", about.masks),
      n_padding: Number(site.linked("n_padding", isCount, `1 – ${size}`) ?? options.n_padding),
      subtract_maximum: linked("subtract_maximum", [false, true]) === "true",
      precision: /** @type {Precision} */ (linked("precision", Object.keys(about.precisions))),
    };
  }

  // The head that is shown of ``nHeads``, counted from 0.
  /** @param {number} nHeads */
  linkedHead(nHeads) {
    const known = Array.from({ length: nHeads }, (_, head) => String(head + 1));
    return Number(this.site.linked(HEAD, (text) => known.includes(text), known.join(", ")) ?? 1) - 1;
  }

  // Has the page show the matrices with the options; where that cannot be, it says why and keeps the last result.
  /** @type {(given: { matrices: Matrices, options: Options }, problem?: string) => void} */
  take({ matrices, options }, problem = "") {
    Object.assign(this, { matrices, options, problem });
    try {
      this.result = this.computed(matrices, options);
      this.write();
    } catch (error) {
      if (!(error instanceof MatrixError)) throw error;
      this.result ??= this.computed(this.first.matrices, this.first.options);
      this.problem = sentences([error.sentence(this.text), this.text["last shown"]], this.site.text("lists"));
    }
    this.draw();
  }

  /** @type {(matrices: Matrices, options: Options) => Result} */
  computed(matrices, options) {
    const inputs = parseMatrices(matrices, this.about.limits);
    return { matrices, options, inputs, steps: compute(inputs, options) };
  }

  // X is never left out, so that no link is like that of the page as it opens; two views are only in the app.
  write() {
    const { matrices, options, first, site } = this;
    const changed = [
      ...NAMES.map((name) => [name, matrices[name] === first.matrices[name] ? null : matrices[name]]),
      ...Object.entries(options).map(([name, value]) => [
        name,
        value === first.options[/** @type {keyof Options} */ (name)] ? null : String(value),
      ]),
    ];
    site.write({ ...Object.fromEntries(changed), X: matrices.X, kind: null, part: null });
  }

  makeChoices() {
    const { text, about } = this;
    /** @type {(values: unknown[], labels?: (value: unknown) => string) => HTMLSelectElement} */
    const list = (values, labels = String) =>
      element("select", {}, ...values.map((value) => element("option", { value }, labels(value))));
    const fields = {
      n_heads: list(about.heads),
      scale: element("input", { type: "checkbox" }),
      mask: list(about.masks, (mask) => text[`mask ${mask}`]),
      n_padding: element("input", { type: "number", min: 1, max: about.limits.size, step: 1 }),
      subtract_maximum: element("input", { type: "checkbox" }),
      precision: list(Object.keys(about.precisions)),
    };
    /** @type {(field: HTMLElement, label: string) => HTMLElement} */
    const named = (field, label) => element("label", {}, element("span", {}, label), field);
    const padding = named(fields.n_padding, text["padding"]);
    const form = element(
      "form",
      { class: "ask" },
      named(fields.n_heads, text["heads"]),
      named(fields.mask, text["mask"]),
      padding,
      named(fields.precision, text["precision"]),
      named(fields.scale, text["scale"]),
      named(fields.subtract_maximum, text["subtract"]),
    );
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => this.take({ matrices: this.matrices, options: this.chosen }));
    return { fields, form, padding };
  }

  /** @returns {Options} */
  get chosen() {
    const { n_heads, scale, mask, n_padding, subtract_maximum, precision } = this.choices.fields;
    const { size } = this.about.limits;
    return {
      n_heads: Number(n_heads.value),
      scale: scale.checked,
      mask: mask.value,
      n_padding: Math.min(Math.max(Math.round(Number(n_padding.value)), 1), size),
      subtract_maximum: subtract_maximum.checked,
      precision: /** @type {Precision} */ (precision.value),
    };
  }

  // Nothing here has a colour that is not in a style sheet.
  recolour() {}

  draw() {
    const { options, text } = this;
    const { fields, padding } = this.choices;
    fields.n_heads.value = String(options.n_heads);
    fields.scale.checked = options.scale;
    fields.mask.value = options.mask;
    fields.n_padding.value = String(options.n_padding);
    fields.subtract_maximum.checked = options.subtract_maximum;
    fields.precision.value = options.precision;
    padding.hidden = options.mask !== "padding";
    const words = { cell: text["cell"], size: text["size"] };
    for (const name of ["add_row", "remove_row", "add_column", "remove_column"])
      Object.assign(words, { [name]: text[name.replace("_", " ")] });
    this.editor.show({ matrices: this.matrices, largest: this.about.limits.size, words });
    this.message.textContent = this.problem;
    this.message.hidden = !this.problem;
    this.drawSteps();
  }

  // One after another, each with what it says about itself.
  drawSteps() {
    const { inputs, steps, options } = this.result;
    const head = this.head < options.n_heads ? this.head : 0;
    this.site.write({ [HEAD]: head ? String(head + 1) : null });
    const { scores, next } = this.scores(head, options.n_heads > 1 ? 3 : 2);
    const projections = [
      productView(["X", inputs.X], ["W_Q", inputs.W_Q], ["Q", steps.Q]),
      productView(["X", inputs.X], ["W_K", inputs.W_K], ["K", steps.K]),
      productView(["X", inputs.X], ["W_V", inputs.W_V], ["V", steps.V]),
    ];
    this.steps.replaceChildren(
      this.prose("step projections"),
      matrixViews(...projections),
      ...(options.n_heads > 1 ? [this.split(head)] : []),
      element("div", { class: "two" }, element("div", {}, ...scores), element("div", {}, ...this.mixture(head, next))),
    );
  }

  // Which head is shown below.
  /** @type {(head: number) => HTMLElement} */
  split(head) {
    const { steps, options } = this.result;
    const values = {
      heads: options.n_heads,
      d_key: steps.heads[0].q[0].length,
      columns: steps.Q[0].length,
      head: head + 1,
    };
    const group = element("div", { class: "heads", role: "group", "aria-label": this.text["head"] });
    for (let index = 0; index < options.n_heads; index++) {
      const button = element("button", { type: "button", "aria-pressed": String(index === head) }, index + 1);
      button.addEventListener("click", () => {
        this.head = index;
        this.drawSteps();
        this.steps.querySelectorAll("button")[index].focus();
      });
      group.append(button);
    }
    return element("div", { class: "split" }, this.prose("step split", values), group);
  }

  // From the dot products to the scores that the softmax takes; ``next`` is the number of the step after them.
  /** @type {(head: number, number: number) => { scores: HTMLElement[], next: number }} */
  scores(head, number) {
    const { text } = this;
    const { options, steps } = this.result;
    const { q, k, products, scaled, scores } = steps.heads[head];
    const suffix = this.suffix(head);
    const keys = `K${suffix}ᵀ`;
    const shown = [
      this.prose("step products", { number }),
      matrixViews(productView([`Q${suffix}`, q], [keys, transposed(k)], [`Q${suffix} ${keys}`, products])),
    ];
    let next = number + 1;
    const d_key = q[0].length;
    const values = { number: next++, d_key, root: fixed(Math.sqrt(d_key), 3) };
    shown.push(this.prose(options.scale ? "step scale" : "step no scale", values));
    if (options.scale) shown.push(matrixViews(matrixView([text["shown scaled"], scaled])));
    if (options.mask !== "none") {
      shown.push(this.prose("step mask", { number: next++ }));
      shown.push(matrixViews(matrixView([text["shown scores"], scores])));
    }
    return { scores: shown, next };
  }

  // The softmax, and what is made of its pattern.
  /** @type {(head: number, number: number) => HTMLElement[]} */
  mixture(head, number) {
    const { text } = this;
    const { options, steps, inputs } = this.result;
    const { shifted, exponentials, sums, pattern, v, z } = steps.heads[head];
    const suffix = this.suffix(head);
    const softmax = [
      matrixView([text["shown exponentials"], exponentials]),
      matrixView([text["shown sums"], sums.map((sum) => [sum])]),
      matrixView([text["shown pattern"], pattern], { largest: 1 }),
    ];
    if (options.subtract_maximum) softmax.unshift(matrixView([text["shown shifted"], shifted]));
    return [
      this.prose(options.subtract_maximum ? "step softmax shifted" : "step softmax", { number }),
      matrixViews(...softmax),
      ...this.notes(pattern),
      this.prose("step values", { number: number + 1 }),
      matrixViews(
        productView([text["shown pattern"], pattern], [`V${suffix}`, v], [`Z${suffix}`, z], { largestLeft: 1 }),
      ),
      this.prose("step output", { number: number + 2 }),
      matrixViews(
        productView(
          [text["shown concatenated"], steps.concatenated],
          ["W_O", inputs.W_O],
          [text["shown output"], steps.output],
        ),
      ),
    ];
  }

  // What happened to the numbers, and what an example shows.
  /** @type {(pattern: Matrix) => HTMLElement[]} */
  notes(pattern) {
    const { about, text } = this;
    const { options, matrices, steps } = this.result;
    const { precision } = options;
    const shown = [];
    const overflow = overflowOf(steps);
    if (overflow) {
      const values = {
        precision,
        limit: about.precisions[precision][overflow === "zeros" ? "smallest" : "largest"],
        subtract: text["subtract"],
      };
      shown.push(element("div", { class: "message" }, this.prose(`overflow ${overflow}`, values)));
    }
    const common = { ...options, subtract_maximum: true, precision: "float64" };
    for (const [name, example] of Object.entries(about.examples)) {
      const isShown = isSame(example.matrices, matrices) && isSame(example.options, common);
      if (isShown && `${name} note` in text)
        shown.push(this.prose(`${name} note`, { weight: fixed(pattern[0][0], 4) }));
    }
    return shown;
  }

  // What the names of matrices of one head among several end with.
  /** @param {number} head */
  suffix(head) {
    return this.result.options.n_heads > 1 ? `_${head + 1}` : "";
  }

  /** @type {(name: string, values?: Record<string, unknown>) => HTMLElement} */
  prose(name, values = {}) {
    return prose(this.site, filled(this.site.words.html[`by hand ${name}`], values));
  }

  remove() {
    this.editor.remove();
  }
}

/** @type {(one: Record<string, unknown>, other: Record<string, unknown>) => boolean} */
function isSame(one, other) {
  return Object.entries(one).every(([name, value]) => other[name] === value);
}
