import assert from "node:assert/strict";
import { test } from "node:test";

import { stepsOf } from "../../../viz/site/browser/explorer_payload.js";
import { Labels } from "../../../viz/site/browser/labels.js";

test("a step says which of its alternatives was written, also where two look alike", () => {
  const going = { id: 2, piece: "en", probability: 0.4 };
  const alone = { id: 3, piece: "▁en", probability: 0.5 };
  const steps = stepsOf(
    [
      { ...going, alternatives: [alone, going] },
      { ...going, alternatives: [alone] },
    ],
    new Labels({}),
  );
  assert.deepEqual(steps, [
    {
      label: "en",
      alternatives: [
        ["en", 0.5],
        ["·en", 0.4],
      ],
      chosen: 1,
    },
    { label: "en", alternatives: [["en", 0.5]], chosen: null },
  ]);
});
