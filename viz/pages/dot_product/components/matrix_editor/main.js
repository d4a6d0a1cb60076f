// Grids of text fields. The cells of a matrix are kept as text: what is no number is for the page to speak about.

import { element, isPlain } from "../../../../components/browser/dom.js";
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
      const isNew = this.matrices[name] === undefined || isExample;
      if (isNew && text !== write(this.matrices[name] ?? [[""]])) this.matrices[name] = parse(text);
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
    const figure = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = words.size
      .replace("{name}", name)
      .replace("{rows}", cells.length)
      .replace("{columns}", cells[0].length);
    const grid = document.createElement("div");
    grid.className = "grid";
    grid.style.gridTemplateColumns = `repeat(${cells[0].length}, minmax(2.4rem, 3.2rem))`;
    cells.forEach((row, r) => row.forEach((_, c) => grid.appendChild(this.cell(name, r, c))));
    const buttons = document.createElement("div");
    buttons.className = "buttons";
    const isWide = cells[0].length;
    buttons.append(
      this.button("− ↓", words.remove_row, name, cells.length > 1, () => cells.pop()),
      this.button("+ ↓", words.add_row, name, cells.length < largest, () => cells.push(cells[0].map(() => "0"))),
      this.button("− →", words.remove_column, name, isWide > 1, () => cells.forEach((row) => row.pop())),
      this.button("+ →", words.add_column, name, isWide < largest, () => cells.forEach((row) => row.push("0"))),
    );
    figure.append(legend, grid, buttons);
    return figure;
  }

  button(sign, words, name, isAllowed, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = words.replace("{name}", name);
    button.setAttribute("aria-label", button.title);
    button.disabled = !isAllowed;
    button.addEventListener("click", () => {
      act();
      this.draw();
      this.changed();
      const again = [...this.root.querySelectorAll("button")].find((other) => other.title === button.title);
      again.focus();
    });
    return button;
  }

  cell(name, row, column) {
    const input = document.createElement("input");
    Object.assign(input.dataset, { name, row, column });
    input.inputMode = "decimal";
    input.autocomplete = "off";
    input.spellcheck = false;
    const label = this.data.words.cell;
    input.setAttribute(
      "aria-label",
      label
        .replace("{name}", name)
        .replace("{row}", row + 1)
        .replace("{column}", column + 1),
    );
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
