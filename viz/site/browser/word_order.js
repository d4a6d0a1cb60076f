// What the encoder adds up for each token of a sentence, so that the order of the words is there.

import { element, listed } from "../../components/browser/dom.js";
import { norm, rowsOf } from "./arrays.js";
import { Asking, TooLongError } from "./asking.js";
import { inTheme } from "./changes.js";
import { Chart } from "./chart.js";
import { alignedFigure, barsFigure, sumOf } from "./embedding_sum.js";
import { filled } from "./words.js";

/** @import { Site } from "./site.js" */
/** @import { LoadedTranslator } from "./translators.js" */
/** @import { SumPage } from "./types" */

const PARTS = /** @type {const} */ (["embedding", "encoding", "total"]);
const MUCH = 1.5;

export class WordOrderPage {
  // What look() sets, before anything is drawn.
  /** @type {LoadedTranslator} */ model;
  /** @type {number[]} */ ids;
  /** @type {string[]} */ labels;
  /** @type {SumPage | null} */ page = null;

  /** @param {Site} site */
  constructor(site) {
    this.site = site;
    this.isRemoved = false;
    const [text, words] = [site.text("order"), site.text("sum")];
    this.asking = new Asking(site, {
      name: "order_text",
      most: 200,
      isSimplified: false,
      opening: (one) => this.page?.sentences[one.name] ?? one.examples[0],
      changed: () => this.look(),
    });
    this.scale = element("input", { type: "checkbox" });
    this.scale.addEventListener("change", () => {
      site.write({ sum_scale: this.scale.checked ? null : "0" });
      this.draw();
    });
    this.why = element("div", { class: "prose" });
    this.pictures = element("div");
    this.lengths = element("div");
    this.outcome = element("div", { class: "prose" });
    /** @type {Chart[]} */
    this.charts = [];
    site.main.append(
      element("h1", {}, text["question"]),
      this.why,
      this.asking.node,
      element("label", { class: "switch" }, this.scale, words["scale"]),
      element("div", { class: "two" }, this.pictures, element("div", {}, this.lengths, this.outcome)),
    );
    this.load();
  }

  async load() {
    const { site } = this;
    /** @type {SumPage | null} */
    const page = await site.contentOf("word-order");
    if (!page || this.isRemoved) return;
    this.page = page;
    site.fill(this.why, page.why);
    this.charts = [page.parts, page.lengths].map((chart) => new Chart(site, chart));
    this.pictures.append(this.charts[0].node);
    this.lengths.append(this.charts[1].node);
    this.follow();
  }

  follow() {
    this.scale.checked = this.site.linked("sum_scale", (text) => ["0", "1"].includes(text), "0, 1") !== "0";
    this.asking.follow();
    this.look();
  }

  recolour() {
    this.draw();
  }

  look() {
    if (!this.page) return;
    const { asking, site, page } = this;
    return asking.run(async (text, isLast) => {
      const model = await site.translators.of(asking.translator.name);
      const { pieces, words } = model.translator.read(text);
      if (!isLast()) return;
      const [given, most] = [pieces.length - 1, page.most];
      if (given > most) throw new TooLongError(filled(site.text("order")["too long"], { given, most }));
      this.model = model;
      this.ids = model.translator.tokenizer.idsOf(pieces);
      this.labels = site.labels.row({ pieces, words }).labels;
      this.draw();
    });
  }

  draw() {
    const { page, model, ids, labels, site } = this;
    if (!page || !ids) return;
    const [scaled, unscaled] = [true, false].map((isScaled) => sumOf(ids, model, isScaled));
    const shown = this.scale.checked ? scaled : unscaled;
    const text = site.text("sum");
    const { pair, "pair apart": apart } = site.text("lists");
    const parts = PARTS.map((name) => shown[name]);
    const lengths = parts.map((part) => rowsOf(part).map(norm));
    const means = lengths.map((row) => row.reduce((sum, one) => sum + one, 0) / row.length);
    const [aligned, bars] = this.charts;
    aligned.change(
      alignedFigure(inTheme(page.parts.figures, site.theme), parts, labels),
      filled(text["alt parts"], {
        tokens: labels.length,
        d_model: parts[0].shape[1],
        lengths: listed(
          PARTS.map((name, place) => `${text[`part ${name}`]} ${means[place].toFixed(1)}`),
          pair,
        ),
      }),
    );
    bars.change(
      barsFigure(inTheme(page.lengths.figures, site.theme), lengths, labels),
      filled(text["alt lengths"], {
        tokens: listed(labels, pair),
        lengths: listed(
          PARTS.map((name, place) => {
            const written = lengths[place].map((one) => one.toFixed(1));
            return `${text[`short ${name}`]}: ${listed(written, pair)}`;
          }),
          apart,
        ),
      }),
    );
    const { ratio } = shown;
    const outcome = ratio >= MUCH ? "embedding" : ratio <= 1 / MUCH ? "encoding" : "balance";
    const numbers = { ratio: ratio.toFixed(2), inverse: (1 / ratio).toFixed(1) };
    const compared = {
      d_model: parts[0].shape[1],
      root: Number(Math.sqrt(parts[0].shape[1]).toPrecision(4)),
      scaled: scaled.ratio.toFixed(2),
      unscaled: unscaled.ratio.toFixed(2),
      scaled_cosine: scaled.cosine.toFixed(2),
      unscaled_cosine: unscaled.cosine.toFixed(2),
    };
    const paragraphs = [
      filled(page.words[outcome], numbers),
      filled(page.words["both"], compared),
      page.words["scale"],
    ];
    site.fill(this.outcome, paragraphs.join(""));
  }

  remove() {
    this.isRemoved = true;
    this.asking.remove();
    for (const chart of this.charts) chart.remove();
  }
}
