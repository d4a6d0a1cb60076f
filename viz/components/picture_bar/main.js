// Save and Full screen for a chart of Plotly. Both are done by buttons of the chart's own bar, which is out of sight.

import { element } from "../browser/dom.js";
import { Announced, createMenu } from "../browser/menu.js";
import { mounted } from "../browser/mount.js";

const FORMATS = ["svg", "png"];

export default mounted((parent) => new PictureBar(parent));

class PictureBar {
  constructor(parent) {
    this.root = element("div", {});
    parent.append(this.root);
    this.fullScreen = new ChartOnScreen(() => this.chart());
  }

  update(data) {
    const isOther = data.name !== this.data?.name;
    this.data = data;
    if (isOther) this.build();
    this.menu.offer(data.served);
  }

  build() {
    this.menu?.remove();
    const files = FORMATS.map((kind) => ({ kind, act: () => this.save(kind) }));
    this.menu = createMenu({ ...this.data, files, fullScreen: this.fullScreen });
    this.root.replaceChildren(this.menu.node);
  }

  // Another chart may have taken the place of one that was there: it is looked for when it is needed.
  /** @type {() => any} */
  chart() {
    return document.querySelector(`.${this.data.chart} .js-plotly-plot`);
  }

  save(format) {
    const chart = this.chart();
    if (!chart) return;
    Object.assign(chart._context.toImageButtonOptions, { format });
    buttonOf(chart, "toImage").click(chart);
  }

  remove() {
    this.menu.remove();
    this.fullScreen.remove();
  }
}

// Streamlit makes a chart as large as the window, and on Escape as small as it was.
class ChartOnScreen extends Announced {
  constructor(chart) {
    super();
    this.chart = chart;
    this.sizes = new ResizeObserver(() => this.announce());
  }

  get isOn() {
    return Boolean(this.frame?.isConnected) && getComputedStyle(this.frame).position === "fixed";
  }

  toggle() {
    const chart = this.chart();
    if (!chart) return;
    this.sizes.disconnect();
    this.frame = chart.closest("[data-testid=stFullScreenFrame]");
    this.sizes.observe(this.frame);
    buttonOf(chart, "fullscreen").click(chart);
  }

  remove() {
    this.sizes.disconnect();
  }
}

function buttonOf(chart, part) {
  const buttons = chart._fullLayout._modeBar.buttons.flat();
  return buttons.find(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
}
