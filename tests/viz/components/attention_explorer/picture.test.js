import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { drawing } from "../../../../viz/components/attention_explorer/picture.js";
import { prepare } from "../../../../viz/components/attention_explorer/prepare.js";
import { fieldsOf } from "../../../../viz/components/attention_explorer/sides.js";
import { OPTIONS, encoder } from "./recording.js";

// As much of an element as a drawing needs.
class Made {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [] });
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  append(...children) {
    this.children.push(...children);
  }

  get all() {
    return [this, ...this.children.flatMap((child) => (child instanceof Made ? child.all : []))];
  }

  get text() {
    return this.children.filter((child) => typeof child === "string").join("");
  }
}

beforeEach(() => {
  globalThis.document = { createElementNS: (_, tag) => new Made(tag) };
});

const TEXT = { "scale of shares": "{measure}, share", difference: "difference", "empty token": "-" };
const STYLE = {
  text: TEXT,
  tables: { sequential: new Uint32Array(256).fill(0xff0000ff), diverging: new Uint32Array(511).fill(0xff00ff00) },
  palette: { ink: "#000000", surface: "#ffffff", line: "#cccccc", heads: [] },
  measure: "norm",
  threshold: 0,
  lastRow: Infinity,
};
const COLOURS = [
  { colour: "#aa0000", name: "1.1" },
  { colour: "#0000aa", name: "2.2" },
];

function shown(options = {}) {
  return prepare(fieldsOf([encoder([1, 1, 1, 0.5])]).of("encoder"), { ...OPTIONS, ...options });
}

function picture(captions, { options = {}, heads = 1 } = {}) {
  const panels = captions.map((caption) => ({ shown: shown(options), caption }));
  const lines = { shown: shown(options), chosen: Array(heads).fill(shown(options)), colours: COLOURS.slice(0, heads) };
  return drawing(panels, lines, STYLE);
}

const texts = (node) => node.all.filter(({ tag }) => tag === "text");

test("the scale of rows that add up to 1 is one of shares", () => {
  assert.ok(texts(picture(["a"])).some(({ text }) => text === "norm"));
  assert.ok(texts(picture(["a"], { options: { normalise: true } })).some(({ text }) => text === "norm, share"));
});

test("each colour of the lines stands beside the name of its head", () => {
  const { all } = picture(["a"], { heads: 2 });
  const strokes = all.map(({ attributes }) => attributes.stroke).filter((colour) => colour && colour !== "#cccccc");
  assert.deepEqual(strokes, ["#aa0000", "#0000aa"]);
  const named = all
    .filter(({ children }) =>
      children.some(({ tag, attributes }) => tag === "rect" && strokes.includes(attributes.fill)),
    )
    .map(({ children: [swatch, name] }) => ({ colour: swatch.attributes.fill, name: name.text }));
  assert.deepEqual(named, COLOURS);
  assert.ok(!texts(picture(["a"])).some(({ text }) => text === COLOURS[0].name));
});

test("titles keep clear of each other and within the picture, however long", () => {
  const caption = "Encoder · mean of heads 1.1, 1.2, 1.3, 1.4, 2.1, 2.2, 2.3 and 2.4";
  const svg = picture([caption, caption]);
  const groups = svg.children.filter(({ tag }) => tag === "g");
  const begins = groups.flatMap((group) => {
    const title = group.children.find(({ text }) => text === caption);
    const across = Number(/translate\(([\d.]+)/.exec(group.attributes.transform)[1]);
    return title ? [across + title.attributes.x * 1] : [];
  });
  // A monospaced letter is three fifths as wide as it is high.
  const width = caption.length * 14 * 0.6;
  assert.ok(begins[0] + width < begins[1], `${begins}`);
  assert.ok(begins[1] + width <= Number(svg.attributes.width));
});
