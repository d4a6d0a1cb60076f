import assert from "node:assert/strict";
import { test } from "node:test";

import { BOX, layOut, ribbon } from "../../../../../viz/pages/interventions/components/circuit_view/layout.js";

const widthOf = (text) => 7 * text.length;
const part = (lane, level, position, label = "1.1") => ({ lane, level, position, label });
const LEVELS = { encoder: [{ level: 1, label: "Self 1" }], decoder: [{ level: 3, label: "FFN 1" }] };
const LANES = { encoder: "Encoder", cross: "Cross", decoder: "Decoder" };
const PARTS = [
  part("encoder", 0, 0, "The"),
  part("encoder", 0, 1, "internationalisation"),
  part("encoder", 1, 1),
  part("encoder", 1, 1),
  part("cross", 2, 3),
  part("decoder", 0, 3, "der"),
  part("decoder", 4, 3, "Hund 2.00"),
];

test("boxes of one level stand beside each other, and every lane right of the one before", () => {
  const { boxes, width, height } = layOut({ parts: PARTS, levels: LEVELS, lanes: LANES }, widthOf);
  const edges = boxes.map((box) => [box.x - box.width / 2, box.x + box.width / 2]);
  for (const [one, other] of [
    [0, 1],
    [2, 3],
    [1, 4],
    [4, 5],
  ])
    assert.ok(edges[one][1] < edges[other][0]);
  assert.equal(boxes[2].y, boxes[3].y);
  assert.ok(boxes[0].y > boxes[2].y && boxes[2].y > boxes[4].y && boxes[4].y > boxes[6].y);
  assert.ok(edges.every(([left, right]) => left >= 0 && right <= width));
  assert.ok(boxes.every(({ y }) => y - BOX / 2 >= 0 && y + BOX / 2 <= height));
});

test("a lane without a part still has room for its name", () => {
  const parts = [part("encoder", 0, 0, "The"), part("decoder", 4, 3, "Hund 2.00")];
  const { lanes } = layOut({ parts, levels: LEVELS, lanes: LANES }, widthOf);
  const [, cross, decoder] = lanes;
  assert.ok(decoder.middle - cross.middle >= widthOf("Cross"));
});

test("a ribbon goes from the top of a box to the bottom of one above it, else from side to side", () => {
  const [low, high] = [
    { x: 10, y: 200, width: 40 },
    { x: 30, y: 100, width: 40 },
  ];
  assert.ok(ribbon(low, high).startsWith(`M10 ${200 - BOX / 2}C`) && ribbon(low, high).endsWith(`30 ${100 + BOX / 2}`));
  const right = { x: 200, y: 200, width: 40 };
  assert.ok(ribbon(low, right).startsWith("M30 200C") && ribbon(low, right).endsWith("180 200"));
});
