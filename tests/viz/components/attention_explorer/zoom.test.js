import assert from "node:assert/strict";
import { test } from "node:test";

import { LARGEST_CELL, Zoom } from "../../../../viz/components/attention_explorer/zoom.js";

const FITTED = [0.4, 1, 2.6, 3, 7.9, 20, 32, 90];

function fitted(size) {
  const zoom = new Zoom();
  zoom.fit(size);
  return zoom;
}

test("a pinch of many small steps is followed, and each click of a wheel doubles", () => {
  const zoom = fitted(8);
  for (let step = 0; step < 10; step++) zoom.byWheel(-2);
  assert.ok(zoom.cell > 8 && zoom.cell < 16, `${zoom.cell}`);
  const clicked = fitted(4);
  clicked.byWheel(-120);
  assert.equal(clicked.cell, 8);
  clicked.byWheel(100);
  assert.equal(clicked.cell, 4);
});

test("no way leads beyond the largest cell, or below the one that fits", () => {
  for (const size of FITTED) {
    for (const act of [(zoom) => zoom.times(2), (zoom) => zoom.byWheel(-100), (zoom) => zoom.byWheel(-7)]) {
      const zoom = fitted(size);
      while (act(zoom)) assert.ok(zoom.cell <= LARGEST_CELL);
      assert.ok(zoom.isLargest && zoom.cell === LARGEST_CELL, `${size}: ${zoom.cell}`);
      while (zoom.times(0.5));
      assert.ok(zoom.isSmallest && zoom.cell === fitted(size).cell);
    }
  }
});

test("what changes nothing is left to the browser", () => {
  const zoom = fitted(LARGEST_CELL);
  assert.deepEqual([zoom.byWheel(-100), zoom.byWheel(100), zoom.times(2)], [false, false, false]);
});

test("in another room the cells stay within their limits", () => {
  const zoom = fitted(1);
  while (zoom.times(2));
  zoom.fit(20);
  assert.equal(zoom.cell, LARGEST_CELL);
  zoom.reset();
  assert.equal(zoom.cell, 20);
});
