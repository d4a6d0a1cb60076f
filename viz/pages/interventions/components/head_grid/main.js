// Every part as a cell that can be switched off, or chosen: by a click, or by the arrow keys with Enter.

import { mounted } from "../../../../components/browser/mount.js";
import { DIRECTIONS } from "../../../../components/browser/nearest.js";
import { unpack } from "../../../../components/browser/payload.js";
import { SvgView } from "../../../../components/browser/svg_view.js";
import { drawGrid, layOut } from "./drawing.js";

export default mounted((parent) => new HeadGrid(parent));

class HeadGrid extends SvgView {
  constructor(parent) {
    super(parent, "head-grid");
  }

  update(bytes, _, setTriggerValue) {
    this.grid = unpack(bytes).header;
    this.setTriggerValue = setTriggerValue;
    const { words, look, cells } = this.grid;
    this.receive(this.grid, { title: words.title, file: look.file_name });
    this.focused = Math.min(this.focused, cells.length - 1);
    this.draw();
  }

  resized() {
    this.draw();
  }

  draw() {
    const layout = layOut(this.grid, this.box.clientWidth);
    this.show(layout, this.grid.alt, drawGrid({ grid: this.grid, layout, focused: this.focused }));
  }

  pointAt(number, { clientX, clientY }) {
    const cell = this.grid.cells[number];
    if (cell) this.tooltip.show(cell.tooltip.join("\n"), clientX, clientY);
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
    this.draw();
    this.setTriggerValue("pressed", cell.code);
  }

  // The nearest cell in the next row, or column, that has one.
  neighbour(number, key) {
    const { row, column, span } = this.grid.cells[number];
    const [right, down] = DIRECTIONS[key] ?? [0, 0];
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
}

function distance(cell, column, span) {
  const overlaps = cell.column < column + span && column < cell.column + cell.span;
  return overlaps ? 0 : Math.abs(cell.column - column);
}
