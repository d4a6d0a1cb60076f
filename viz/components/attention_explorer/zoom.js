// How large the cells of a matrix are: as large as fits, or larger.

import { clamp } from "../browser/numbers.js";

export const LARGEST_CELL = 32;
// What a wheel moves by in one click; the two fingers of a pinch move it by a few at a time.
const CLICK = 100;

// Whole pixels, so that all cells are alike; of small ones quarters.
/** @type {(size: number) => number} */
function rounded(size) {
  const parts = size >= 3 ? 1 : 4;
  // A little more, because a product may end just below a whole number.
  return clamp(Math.floor(size * parts + 1e-6) / parts, 1, LARGEST_CELL);
}

export class Zoom {
  constructor() {
    this.factor = 1;
    this.fitted = 1;
  }

  get cell() {
    return rounded(this.fitted * this.factor);
  }

  get isSmallest() {
    return this.factor <= 1;
  }

  get isLargest() {
    return this.cell >= LARGEST_CELL;
  }

  // ``size`` is that of the largest cell with which all is in sight.
  /** @type {(size: number) => void} */
  fit(size) {
    this.fitted = rounded(size);
    this.times(1);
  }

  // Returns whether anything has changed.
  /** @type {(by: number) => boolean} */
  times(by) {
    const before = this.factor;
    this.factor = clamp(before * by, 1, LARGEST_CELL / this.fitted);
    return this.factor !== before;
  }

  /** @type {(deltaY: number) => boolean} */
  byWheel(deltaY) {
    return this.times(2 ** (-clamp(deltaY, -CLICK, CLICK) / CLICK));
  }

  reset() {
    this.factor = 1;
  }
}
