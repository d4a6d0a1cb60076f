// Every part as a cell that can be switched off, or chosen: by a click, or by the arrow keys with Enter.

import { activeElementOf, element, setColours, svgElement } from "../../../../components/browser/dom.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { mounted } from "../../../../components/browser/mount.js";
import { unpack } from "../../../../components/browser/payload.js";
import { drawnFiles } from "../../../../components/browser/svg_file.js";
import { Tooltip } from "../../../../components/browser/tooltip.js";
import { drawGrid, layOut } from "./drawing.js";

export default mounted((parent) => new HeadGrid(parent));

class HeadGrid {
  constructor(parent) {
    this.root = element("div", { class: "head-grid" });
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.focused = 0;
  }

  update(bytes, _, setTriggerValue) {
    this.grid = unpack(bytes).header;
    this.setTriggerValue = setTriggerValue;
    const { palette } = this.grid;
    setColours(this.root, palette);
    if (!this.svg) this.build();
    this.menu.offer(this.grid.menu.served);
    this.focused = Math.min(this.focused, this.grid.cells.length - 1);
    this.place();
  }

  build() {
    const { words, menu } = this.grid;
    this.svg = svgElement("svg", { role: "group" });
    this.box = element("div", { class: "box" }, this.svg);
    const fullScreen = new FullScreen(this.root);
    const files = drawnFiles(() => this.svg, {
      name: () => this.grid.look.file_name,
      surface: () => this.grid.palette.surface,
    });
    this.menu = createMenu({ labels: menu.labels, name: words.title, files, fullScreen });
    this.fullScreen = fullScreen;
    this.root.append(element("div", { class: "top" }, this.menu.node), this.box);
    this.sizes = new ResizeObserver(() => this.place());
    this.sizes.observe(this.box);
    this.svg.addEventListener("pointermove", (event) => this.pointAt(event));
    this.svg.addEventListener("pointerleave", () => this.tooltip.hide());
    this.svg.addEventListener("click", (event) => this.choose(this.numberOf(event.target)));
    this.svg.addEventListener("keydown", (event) => this.press(event));
  }

  place() {
    this.layout = layOut(this.grid, this.box.clientWidth);
    const hadFocus = this.svg.contains(activeElementOf(this.svg));
    drawGrid(this.svg, { grid: this.grid, layout: this.layout, focused: this.focused });
    if (hadFocus) this.cellOf(this.focused).focus({ preventScroll: true });
  }

  /** @type {(number: number) => any} */
  cellOf(number) {
    return this.svg.querySelectorAll("[data-code]")[number];
  }

  numberOf(target) {
    const code = target.closest?.("[data-code]")?.dataset.code;
    return this.grid.cells.findIndex((cell) => cell.code === code);
  }

  pointAt(event) {
    const cell = this.grid.cells[this.numberOf(event.target)];
    if (cell) this.tooltip.show(cell.told.join("\n"), event.clientX, event.clientY);
    else this.tooltip.hide();
  }

  choose(number) {
    const cell = this.grid.cells[number];
    if (!cell || cell.is_idle) return;
    this.tooltip.hide();
    this.focused = number;
    // At once, for the eye; what the page answers takes its place.
    if (cell.is_chosen === null) cell.is_off = !cell.is_off;
    else for (const one of this.grid.cells) one.is_chosen = one === cell;
    this.place();
    this.setTriggerValue("pressed", cell.code);
  }

  press(event) {
    const number = this.numberOf(event.target);
    if (number < 0) return;
    if (event.key === "Enter" || event.key === " ") this.choose(number);
    else {
      const to = this.neighbour(this.grid.cells[number], event.key);
      if (to === undefined) return;
      this.focused = to;
      this.place();
    }
    event.preventDefault();
  }

  // The nearest cell in the next row, or column, that has one.
  neighbour({ row, column, span }, key) {
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key] ?? [
      0, 0,
    ];
    if (!down && !right) return undefined;
    const ahead = this.grid.cells.map((cell, number) => {
      const along = down ? (cell.row - row) * down : (cell.column - column) * right;
      const across = down ? distance(cell, column, span) : Math.abs(cell.row - row) * 100;
      return { number, far: along > 0 ? 1000 * along + across : Infinity, isBeside: down || cell.row === row };
    });
    const [best] = ahead
      .filter(({ far, isBeside }) => isBeside && far < Infinity)
      .sort((one, other) => one.far - other.far);
    return best?.number;
  }

  remove() {
    this.menu?.remove();
    this.fullScreen?.remove();
    this.sizes?.disconnect();
    this.root.remove();
  }
}

function distance(cell, column, span) {
  const overlaps = cell.column < column + span && column < cell.column + cell.span;
  return overlaps ? 0 : Math.abs(cell.column - column);
}
