// Grids of text fields. The cells of a matrix are kept as text: what is no number is for the page to speak about.

import { element, fill, isPlain } from "../../../../components/browser/dom.js";
import { mounted } from "../../../../components/browser/mount.js";
import { PendingEdits } from "./pending.js";

const PAUSE = 5; // milliseconds after the last key until the page hears of an edit

export default mounted((parent) => new Editor(parent));

function parse(text) {
  return text.split(";").map((row) => row.trim().split(/\s+/));
}

function write(cells) {
  return cells.map((row) => row.map((cell) => cell.trim().replaceAll(/[\s;]+/g, "_") || "_").join(" ")).join("; ");
}

function isNumber(text) {
  return text.trim() !== "" && Number.isFinite(Number(text.replace("−", "-")));
}

class Editor {
  constructor(parent) {
    this.root = element("div", { class: "editor" });
    parent.append(this.root);
    this.pending = new PendingEdits();
    this.matrices = {};
    this.timer = null;
  }

  update(data, setStateValue) {
    this.data = data;
    this.setStateValue = setStateValue;
    // What came back is what was typed, unless the page brings another example; then typing has the last word.
    const isExample = !this.pending.isAnswer(data.matrices) && !this.timer;
    for (const [name, text] of Object.entries(data.matrices)) {
      const before = this.matrices[name];
      if (before === undefined || (isExample && text !== write(before))) this.matrices[name] = parse(text);
    }
    for (const name of Object.keys(this.matrices)) if (!(name in data.matrices)) delete this.matrices[name];
    this.draw();
  }

  remove() {
    clearTimeout(this.timer);
    this.root.remove();
  }

  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      const texts = Object.fromEntries(Object.entries(this.matrices).map(([name, cells]) => [name, write(cells)]));
      this.pending.add(texts);
      this.setStateValue("matrices", texts);
    }, PAUSE);
  }

  draw() {
    const shapes = Object.entries(this.matrices).map(([name, cells]) => `${name} ${cells.length} ${cells[0].length}`);
    const shape = shapes.join();
    if (shape !== this.shape) {
      this.shape = shape;
      this.root.replaceChildren(...Object.keys(this.matrices).map((name) => this.matrix(name)));
    }
    for (const input of this.root.querySelectorAll("input")) this.refresh(input);
  }

  refresh(input) {
    const { name, row, column } = input.dataset;
    const text = this.matrices[name][row][column];
    const shown = text === "_" ? "" : text;
    if (input.value !== shown) input.value = shown;
    input.setAttribute("aria-invalid", String(!isNumber(text)));
  }

  matrix(name) {
    const { words, largest } = this.data;
    const cells = this.matrices[name];
    const [rows, columns] = [cells.length, cells[0].length];
    const grid = element("div", { class: "grid" });
    grid.style.gridTemplateColumns = `repeat(${columns}, minmax(2.4rem, 3.2rem))`;
    grid.append(...cells.flatMap((row, r) => row.map((_, c) => this.cell(name, r, c))));
    const buttons = element(
      "div",
      { class: "buttons" },
      this.button("− ↓", words.remove_row, name, rows > 1, () => cells.pop()),
      this.button("+ ↓", words.add_row, name, rows < largest, () => cells.push(cells[0].map(() => "0"))),
      this.button("− →", words.remove_column, name, columns > 1, () => cells.forEach((row) => row.pop())),
      this.button("+ →", words.add_column, name, columns < largest, () => cells.forEach((row) => row.push("0"))),
    );
    return element("fieldset", {}, element("legend", {}, fill(words.size, { name, rows, columns })), grid, buttons);
  }

  button(sign, words, name, isAllowed, act) {
    const title = fill(words, { name });
    const button = element("button", { type: "button", title, "aria-label": title, disabled: !isAllowed }, sign);
    button.addEventListener("click", () => {
      act();
      this.draw();
      this.changed();
      const again = [...this.root.querySelectorAll("button")].find((other) => other.title === title);
      again.focus();
    });
    return button;
  }

  cell(name, row, column) {
    const label = fill(this.data.words.cell, { name, row: row + 1, column: column + 1 });
    const input = element("input", {
      ...{ inputmode: "decimal", autocomplete: "off", spellcheck: "false", "aria-label": label },
      ...{ "data-name": name, "data-row": row, "data-column": column },
    });
    input.addEventListener("focus", () => input.select());
    input.addEventListener("input", () => {
      this.matrices[name][row][column] = input.value;
      this.refresh(input);
      this.changed();
    });
    input.addEventListener("keydown", (event) => this.move(event, name, row, column));
    input.addEventListener("paste", (event) => this.paste(event, name, row, column));
    return input;
  }

  move(event, name, row, column) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    const { selectionStart, selectionEnd, value } = event.target;
    const isAll = selectionStart === 0 && selectionEnd === value.length;
    const isAtEdge = event.key === "ArrowLeft" ? selectionEnd === 0 : selectionStart === value.length;
    if (!step || !isPlain(event) || event.shiftKey || (step[1] && !isAll && !isAtEdge)) return;
    const next = this.find(name, row + step[0], column + step[1]);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  find(name, row, column) {
    return [...this.root.querySelectorAll("input")].find(
      ({ dataset }) => dataset.name === name && Number(dataset.row) === row && Number(dataset.column) === column,
    );
  }

  paste(event, name, row, column) {
    const text = event.clipboardData.getData("text").trim();
    if (!/[\s;,]/.test(text)) return;
    event.preventDefault();
    const cells = this.matrices[name];
    text.split(/[\n;]/).forEach((line, r) =>
      line
        .trim()
        .split(/[\s,]+/)
        .forEach((cell, c) => {
          if (row + r < cells.length && column + c < cells[0].length) cells[row + r][column + c] = cell;
        }),
    );
    this.draw();
    this.changed();
  }
}
