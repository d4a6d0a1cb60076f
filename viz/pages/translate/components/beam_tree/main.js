// A search as a tree: a column for each step, its candidates below each other, the most probable whole on top.

import { element, fill, setAttribute, setText } from "../../../../components/browser/dom.js";
import { mounted } from "../../../../components/browser/mount.js";
import { clamp, fixed, percent } from "../../../../components/browser/numbers.js";
import { unpack } from "../../../../components/browser/payload.js";
import { SvgView } from "../../../../components/browser/svg_view.js";
import { drawTree, layOut } from "./drawing.js";
import { standing } from "./standing.js";

const PACE = 700;

export default mounted((parent) => new BeamTree(parent));

class BeamTree extends SvgView {
  constructor(parent) {
    super(parent, "beam-tree", (by) => this.stepBy(by));
    this.tree = null;
    this.button = element("button", { type: "button" });
    this.button.addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    this.slider = element("input", { type: "range", min: 1, step: 1 });
    this.slider.addEventListener("input", () => {
      this.pause();
      this.goTo(Number(this.slider.value));
    });
    this.said = element("p", { class: "said", "aria-live": "polite" });
    this.svg.addEventListener("focusin", (event) => {
      const number = this.numberOf(event.target);
      if (number >= 0) this.moveTo(number);
    });
  }

  update(bytes, setStateValue) {
    const { header } = unpack(bytes);
    const isOther = this.tree?.tree !== header.tree;
    this.tree = header;
    this.setStateValue = setStateValue;
    const { palette, nodes, words } = header;
    this.receive(header, { title: words.title, file: "beam" }, (menu) => [
      element("div", { class: "controls" }, this.button, this.slider, menu),
      this.said,
    ]);
    this.root.style.setProperty("--hue", palette.hue.join(" "));
    setAttribute(this.slider, "aria-label", words.step);
    setText(this.button, this.timer ? words.pause : words.play);
    this.nSteps = Math.max(...nodes.map(({ step }) => step)) + 1;
    if (isOther) {
      this.pause();
      this.step = this.nSteps;
      this.focused = 0;
    }
    this.slider.max = String(this.nSteps);
    this.resized();
  }

  resized() {
    this.layout = layOut(this.tree, this.box.clientWidth);
    this.draw();
  }

  stepBy(by) {
    this.pause();
    this.goTo(this.step + by);
  }

  play() {
    if (this.step >= this.nSteps) this.goTo(1);
    this.timer = setInterval(() => {
      this.goTo(this.step + 1);
      if (this.step >= this.nSteps) this.pause();
    }, PACE);
    setText(this.button, this.tree.words.pause);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    setText(this.button, this.tree.words.play);
  }

  goTo(step) {
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
    const alt = fill(words.alt, { text: nodes[now.leading[0]].text, step, total: nSteps, ...counts });
    setAttribute(this.root, "data-step", step);
    if (!nodes[this.focused] || nodes[this.focused].step >= step) this.focused = now.leading[0];
    const { layout, focused } = this;
    this.show(layout, alt, drawTree({ tree, layout, step, now, focused, told: (node) => this.told(node), words }));
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

  pointAt(number, { clientX, clientY }) {
    const node = this.tree.nodes[number];
    const box = this.nodeOf(number)?.getBoundingClientRect();
    if (node) this.tooltip.show(this.told(node).join("\n"), clientX, clientY, box);
    else this.tooltip.hide();
  }

  choose(number) {
    if (!this.tree.nodes[number]?.can_go_on) return;
    this.tooltip.hide();
    this.setStateValue("chosen", { tree: this.tree.tree, node: number });
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

  remove() {
    clearInterval(this.timer);
    super.remove();
  }
}
