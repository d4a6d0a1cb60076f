import assert from "node:assert/strict";
import { test } from "node:test";

import { newPage, packed } from "../../../dom.js";

import mount from "../../../../../viz/pages/interventions/components/circuit_view/main.js";

const LANES = { encoder: "Encoder", cross: "Cross", decoder: "Decoder" };
const PALETTE = { hue: [0, 0, 255], opposite: [255, 128, 0], ink: "#000000", surface: "#ffffff", muted: "", line: "" };

const part = (code) => ({
  code,
  kind: "part",
  label: code,
  tooltip: [code],
  effect: 1,
  lane: "decoder",
  level: 0,
  position: 0,
});

function circuit() {
  const parentElement = newPage();
  const show = (codes, chosen) =>
    mount({
      data: packed({
        ...{ language: "en", parts: codes.map(part), paths: [], lanes: LANES, chosen, fileName: "circuit", alt: "" },
        ...{ levels: { encoder: [], decoder: [] }, words: { title: "" }, palette: PALETTE },
        menu: { labels: { "save of": "", "full screen of": "" }, served: [] },
      }),
      parentElement,
      setTriggerValue: () => {},
    });
  const box = (code) => parentElement.querySelector(`[data-code="${code}"]`);
  return {
    show,
    box,
    stops: () => parentElement.querySelectorAll('[tabindex="0"]').map(({ dataset }) => dataset.code),
  };
}

test("the focus stays on its part when the page answers", () => {
  const { show, box, stops } = circuit();
  show(["a", "b", "c"], null);
  box("c").focus();
  box("c").dispatch("keydown", { key: "Enter" });
  box("c").dispatch("keydown", { key: "Tab" });
  for (const [codes, chosen] of [
    [["a", "b", "c"], "c"],
    [["a", "b", "c"], "a"],
    [["c", "a", "b"], "a"],
  ]) {
    show(codes, chosen);
    assert.equal(document.activeElement, box("c"));
    assert.deepEqual(stops(), ["c"]);
  }
});

test("without the focus the chosen part is the stop of the Tab key", () => {
  const { show, stops } = circuit();
  show(["a", "b"], "b");
  assert.deepEqual(stops(), ["b"]);
});
