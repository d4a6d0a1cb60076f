// A search as a tree: a column for each step, its candidates below each other, the most probable whole on top.

import { element, fill, setAttribute, setColours, setText, svgElement } from "../../../../components/browser/dom.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { clamp, fixed } from "../../../../components/browser/numbers.js";
import { unpack } from "../../../../components/browser/payload.js";
import { drawnFiles } from "../../../../components/browser/svg_file.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { drawTree, layOut } from "./drawing.js";
import { standing } from "./standing.js";

const PACE = 700;

export default mounted((parent) => new BeamTree(parent));

class BeamTree {
  constructor(parent) {
    this.root = element("div", { class: "beam-tree" });
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.tree = null;
  }

  update(bytes, setStateValue) {
    const { header } = unpack(bytes);
    const isOther = this.tree?.tree !== header.tree;
    this.tree = header;
    this.setStateValue = setStateValue;
    const { palette, nodes } = header;
    setColours(this.root, palette);
    this.root.style.setProperty("--hue", palette.hue.join(" "));
    if (!this.svg) this.build();
    this.menu.offer(header.menu.served);
    this.nSteps = Math.max(...nodes.map(({ step }) => step)) + 1;
    if (isOther) {
      this.pause();
      this.step = this.nSteps;
      this.focused = 0;
    }
    this.slider.max = String(this.nSteps);
    this.place();
  }

  place() {
    this.layout = layOut(this.tree, this.box.clientWidth);
    this.draw();
  }

  build() {
    const { words, menu } = this.tree;
    this.button = element("button", { type: "button", "aria-pressed": "false" }, words.play);
    this.button.addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    this.slider = element("input", { type: "range", min: 1, step: 1, "aria-label": words.step });
    this.slider.addEventListener("input", () => {
      this.pause();
      this.show(Number(this.slider.value));
    });
    this.fullScreen = new FullScreen(this.root, (by) => {
      this.pause();
      this.show(this.step + by);
    });
    const look = { name: () => "beam", surface: () => this.tree.palette.surface };
    const files = drawnFiles(() => this.svg, look);
    this.menu = createMenu({ labels: menu.labels, name: words.title, files, fullScreen: this.fullScreen });
    this.said = element("p", { class: "said", "aria-live": "polite" });
    this.svg = svgElement("svg", { role: "group" });
    this.box = element("div", { class: "box" }, this.svg);
    this.root.append(
      element("div", { class: "controls" }, this.button, this.slider, this.menu.node),
      this.said,
      this.box,
    );
    this.sizes = new ResizeObserver(() => this.place());
    this.sizes.observe(this.box);
    this.svg.addEventListener("pointermove", (event) => this.pointAt(event));
    this.svg.addEventListener("pointerleave", () => this.tooltip.hide());
    this.svg.addEventListener("click", (event) => this.choose(numberOf(event.target)));
    this.svg.addEventListener("keydown", (event) => this.press(event));
    this.svg.addEventListener("focusin", (event) => this.moveTo(numberOf(event.target) ?? this.focused));
  }

  play() {
    if (this.step >= this.nSteps) this.show(1);
    this.timer = setInterval(() => {
      this.show(this.step + 1);
      if (this.step >= this.nSteps) this.pause();
    }, PACE);
    setText(this.button, this.tree.words.pause);
    setAttribute(this.button, "aria-pressed", "true");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    setText(this.button, this.tree.words.play);
    setAttribute(this.button, "aria-pressed", "false");
  }

  show(step) {
    this.step = clamp(step, 1, this.nSteps);
    this.draw();
    const { scrollLeft, clientWidth } = this.box;
    const right = this.layout.columns[this.step - 1].right;
    if (right > scrollLeft + clientWidth || right < scrollLeft) this.box.scrollLeft = right - clientWidth;
  }

  draw() {
    const { tree, step, nSteps } = this;
    const { nodes, words } = tree;
    const now = standing(nodes, step);
    this.slider.value = String(step);
    const counts = { kept: 0, finished: 0 };
    for (const node of nodes) {
      if (node.step === step - 1 && node.fate === "kept") counts.kept += 1;
      if (node.step < step && node.fate === "finished") counts.finished += 1;
    }
    setText(this.said, fill(words.said, { step, total: nSteps, ...counts }));
    setAttribute(
      this.svg,
      "aria-label",
      fill(words.alt, { text: nodes[now.leading[0]].text, step, total: nSteps, ...counts }),
    );
    setAttribute(this.root, "data-step", step);
    if (!nodes[this.focused] || nodes[this.focused].step >= step) this.focused = now.leading[0];
    drawTree(this.svg, {
      tree,
      layout: this.layout,
      step,
      now,
      focused: this.focused,
      told: (node) => this.told(node),
      words,
    });
  }

  told(node) {
    const { words } = this.tree;
    const numbers = {
      total: fixed(node.total, 2),
      score: fixed(node.score, 3),
      probability: percent(node.probability),
    };
    const lines = [node.text, fill(words.worth, numbers), words[`fate ${node.fate}`]];
    return node.can_go_on ? [...lines, words["go on"]] : lines;
  }

  pointAt(event) {
    const node = this.tree.nodes[numberOf(event.target)];
    const box = event.target.closest("[data-node]")?.getBoundingClientRect();
    if (node) this.tooltip.show(this.told(node).join("\n"), event.clientX, event.clientY, box);
    else this.tooltip.hide();
  }

  choose(number) {
    if (!this.tree.nodes[number]?.can_go_on) return;
    this.tooltip.hide();
    this.setStateValue("chosen", { tree: this.tree.tree, node: number });
  }

  press(event) {
    const number = numberOf(event.target);
    if (number === null) return;
    if (event.key === "Enter" || event.key === " ") this.choose(number);
    else {
      const to = this.neighbour(number, event.key);
      if (to === undefined) return;
      this.moveTo(to);
      this.nodeOf(to)?.focus();
    }
    event.preventDefault();
  }

  neighbour(number, key) {
    const { nodes } = this.tree;
    const here = nodes[number];
    if (key === "ArrowLeft") return here.parent ?? undefined;
    if (key === "ArrowRight") {
      const child = nodes.findIndex((node) => node.parent === number && node.step < this.step);
      return child < 0 ? undefined : child;
    }
    const by = { ArrowUp: -1, ArrowDown: 1 }[key];
    const column = nodes.flatMap((node, index) => (by && node.step === here.step ? [index] : []));
    return column[column.indexOf(number) + by];
  }

  moveTo(number) {
    if (number === this.focused) return;
    this.nodeOf(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = number;
    this.nodeOf(number)?.setAttribute("tabindex", "0");
  }

  /** @type {(number: number) => SVGElement | null} */
  nodeOf(number) {
    return this.svg.querySelector(`[data-node="${number}"]`);
  }

  remove() {
    clearInterval(this.timer);
    this.sizes?.disconnect();
    this.menu?.remove();
    this.fullScreen?.remove();
    this.root.remove();
  }
}

function percent(probability) {
  return `${(100 * probability).toFixed(probability < 0.095 ? 1 : 0)}%`;
}

function numberOf(target) {
  const node = target.closest?.("[data-node]");
  return node ? Number(node.dataset.node) : null;
}
