// A chart of the app, drawn by Plotly, with Save and Full screen at its top right.

import { element } from "../../components/browser/dom.js";
import { scaleOf } from "../../components/browser/enlarged.js";
import { FullScreen, createMenu } from "../../components/browser/menu.js";
import { BYTE_ORDER_MARK } from "../../components/browser/save.js";
import { inTheme } from "./changes.js";

/** @import { Site } from "./site.js" */
/** @import { DrawnChart, Figure } from "./types" */

const OPTIONS = { displayModeBar: false, responsive: true, displayNotifier: false };
const SCALE = 2;

export class Chart {
  /** @param {Site} site @param {DrawnChart} chart */
  constructor(site, chart) {
    this.site = site;
    this.chart = chart;
    this.drawing = element("div", { role: "img", "aria-label": chart.alt });
    this.node = element("div", { class: "plot-figure chart" });
    this.fullScreen = new FullScreen(this.node);
    this.isRemoved = false;
    const { table } = chart;
    const files = [
      ...["svg", "png"].map((kind) => ({ kind, name: () => `${chart.name}.${kind}`, make: () => this.blob(kind) })),
      ...(table ? [{ kind: "csv", label: table.label, name: () => table.name, make: () => csv(table.content) }] : []),
    ];
    const name = chart.alt.split(/\. |。/)[0];
    this.menu = createMenu({ labels: site.text("menu"), name, files, fullScreen: this.fullScreen });
    this.unheard = this.fullScreen.onChange(() => this.resize());
    this.node.append(this.menu.node, this.drawing);
  }

  // Draws it in the colours of the theme, once it stands on the page.
  async draw() {
    this.plotly = await this.site.plotly();
    await this.show(inTheme(this.chart.figures, this.site.theme));
  }

  // Draws another chart of the same name.
  /** @param {DrawnChart} chart */
  take(chart) {
    this.chart = chart;
    this.drawing.setAttribute("aria-label", chart.alt);
    return this.draw();
  }

  // Draws other numbers, which ``alt`` says in words.
  /** @type {(figure: Figure, alt: string) => Promise<void>} */
  async change(figure, alt) {
    this.plotly = await this.site.plotly();
    this.drawing.setAttribute("aria-label", alt);
    await this.show(figure);
  }

  /** @param {Figure} figure */
  async show({ data, layout }) {
    // Plotly would keep a listener for a chart that has gone.
    if (this.isRemoved) return;
    await this.plotly?.react(this.drawing, data, layout, OPTIONS);
  }

  resize() {
    if (this.drawing.firstChild) this.plotly?.Plots.resize(this.drawing);
  }

  /** @param {string} format */
  async blob(format) {
    const box = this.drawing.getBoundingClientRect();
    const [width, height] = [box.width, box.height].map((size) => size / scaleOf(this.drawing));
    const address = await this.plotly?.toImage(this.drawing, { format, width, height, scale: SCALE });
    return address ? decoded(address) : null;
  }

  remove() {
    this.isRemoved = true;
    this.unheard();
    this.menu.remove();
    this.fullScreen.remove();
    this.plotly?.purge(this.drawing);
  }
}

/** @param {string} content */
function csv(content) {
  return new Blob([BYTE_ORDER_MARK, content], { type: "text/csv" });
}

// What stands in an address that holds its own content; the page's policy lets no script fetch one.
/** @type {(address: string) => Blob} */
function decoded(address) {
  const [head, content] = [address.slice(5, address.indexOf(",")), address.slice(address.indexOf(",") + 1)];
  const [type] = head.split(";");
  if (!head.endsWith("base64")) return new Blob([decodeURIComponent(content)], { type });
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type });
}
