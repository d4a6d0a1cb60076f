// Which token a row's weight is put on: by a point of the picture, or by a key of the keyboard.

import { clamp, peakOf } from "../../../../components/browser/numbers.js";

// The nearest token to ``key`` that a row may look at.
export function within(row, key, { nKeys, isCausal }) {
  return clamp(key, 0, isCausal ? Math.min(row, nKeys - 1) : nKeys - 1);
}

// The row at a point of the picture, or null where there is none that can be dragged.
export function rowAt(y, { top, cell }, { nRows }) {
  const row = Math.floor((y - top) / cell.height);
  return row >= 0 && row < nRows ? row : null;
}

// The token under a point, or the nearest one.
export function keyAt(row, x, { left, cell }, size) {
  return within(row, Math.floor((x - left) / cell.width), size);
}

// Where a row's weight is before a key moves it: what is ``held`` may be another row, for which the page has no answer yet.
export function begun(row, held, weights) {
  return held?.row === row ? held : { row, key: peakOf(weights) };
}

// Where a key of the keyboard leads from a row's token; null where it leads nowhere. Another row begins anew: its token
// is undefined.
export function led(name, { row, key }, size) {
  const along = { ArrowLeft: key - 1, ArrowRight: key + 1, Home: 0, End: size.nKeys }[name];
  if (along !== undefined) return { row, key: within(row, along, size) };
  const down = { ArrowUp: -1, ArrowDown: 1 }[name];
  return down ? { row: clamp(row + down, 0, size.nRows - 1), key: undefined } : null;
}
