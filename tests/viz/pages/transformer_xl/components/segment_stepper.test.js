import assert from "node:assert/strict";
import { test } from "node:test";

import { newPage, packed } from "../../../dom.js";

import mount from "../../../../../viz/pages/transformer_xl/components/segment_stepper/main.js";

const LENGTH = 24;
const TEXT = Array.from({ length: 4 * LENGTH + 1 }, (_, place) => String.fromCodePoint(0x4e00 + place)).join("");
const TOLD = { predicted: "{character} after {n}", "predicted before": "{character} before" };
const NAMES = [
  "bits title",
  "flow title",
  "where",
  "waiting",
  "layer",
  "bits of",
  "bits said",
  "share of",
  "flow said",
  "bits below",
  "border",
];
const PALETTE = { hue: [0, 0, 255], opposite: [255, 128, 0], ink: "#000000", surface: "#ffffff", muted: "", line: "" };

async function shown(width, segment) {
  const parentElement = newPage();
  const nCharacters = TEXT.length - 1 - LENGTH;
  const zones = Object.fromEntries(["segment", "memory", "deeper", "lost"].map((name) => [`zone ${name}`, ""]));
  const header = {
    ...{ language: "en", segment, first: 1, total: 4, segment_length: LENGTH, mem_len: LENGTH, n_layers: 1 },
    ...{ shown_from: 0, text: TEXT, text_key: "text", palette: PALETTE, menu: { served: [] } },
    words: { ...Object.fromEntries(NAMES.map((name) => [name, ""])), ...zones, ...TOLD, "flow below": "" },
    series: [{ name: "bits", label: "bits", colour: "blue" }],
  };
  header.menu.labels = { "save of": "", "full screen of": "" };
  const bits = Float32Array.from({ length: nCharacters }, (_, place) => place);
  const edges = Float32Array.from([1, 1, 2, 1, 3, 2].map((border) => border * LENGTH));
  const update = () =>
    mount({
      data: packed(header, { edges, attention: new Float32Array(3 * 2 * LENGTH).fill(1), bits }),
      parentElement,
      setStateValue: () => {},
    });
  update();
  for (const box of parentElement.querySelectorAll(".box")) box.clientWidth = width;
  update();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    figure: parentElement.querySelector("figure.bits"),
    flow: parentElement.querySelector("figure.flow"),
    previous: parentElement.querySelector("button.step"),
    tooltip: parentElement.querySelector(".tooltip"),
  };
}

for (const [width, segment] of [
  [900, 2],
  [900, 3],
  [200, 2],
])
  test(`the tooltip at every character that is drawn is its own: ${width} pixels, segment ${segment}`, async () => {
    const { figure, tooltip } = await shown(width, segment);
    const labels = figure.querySelectorAll("text").filter(({ attributes }) => attributes["font-family"]);
    assert.ok(labels.length > 8);
    const from = segment * LENGTH;
    for (const { textContent, attributes } of labels) {
      figure.querySelector(".box").dispatch("pointermove", { clientX: Number(attributes.x), clientY: 0 });
      const place = TEXT.indexOf(textContent) - 1;
      const [character, cost] = tooltip.textContent.split("\n");
      assert.equal(character, `${textContent} ${place < from ? "before" : `after ${place - from + 1}`}`);
      assert.equal(cost, `bits: ${(place - LENGTH).toFixed(2)}`);
    }
    const marked = () => figure.querySelectorAll("text").filter(({ attributes }) => attributes["font-family"]).length;
    for (const clientX of [-50, width + 50])
      figure.querySelector(".box").dispatch("pointermove", { clientX, clientY: 0 });
    assert.equal(marked(), labels.length);
    assert.ok(tooltip.textContent.startsWith(labels.at(-1).textContent));
  });

test("in the other picture the pointer is at the characters of the segment", async () => {
  const { flow, tooltip } = await shown(900, 2);
  flow.querySelector(".box").dispatch("pointermove", { clientX: -50, clientY: 0 });
  assert.match(tooltip.textContent, /after 1\n/);
  flow.querySelector(".box").dispatch("pointermove", { clientX: 2000, clientY: 0 });
  assert.match(tooltip.textContent, new RegExp(`after ${LENGTH}\n`));
});

test("while a segment is awaited, nothing is said of its characters", async () => {
  const { figure, previous, tooltip } = await shown(900, 3);
  figure.querySelector(".box").dispatch("pointermove", { clientX: 300, clientY: 0 });
  assert.equal(tooltip.isPopoverOpen, true);
  for (let step = 0; step < 2; step++) previous.dispatch("click");
  figure.querySelector(".box").dispatch("pointermove", { clientX: 300, clientY: 0 });
  assert.equal(tooltip.isPopoverOpen, false);
});
