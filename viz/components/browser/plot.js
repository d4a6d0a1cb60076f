// What plots on a canvas share: a frame, ticks along it, labels, lines through many points.

import { useFont } from "./canvas.js";
import { ticks, whole } from "./numbers.js";

/** @import { Context, Frame, Marks, Size } from "./types" */
/** @typedef {{ x0: number, step: number, toY: (value: number) => number, from?: number, to?: number }} Axis */

export const FONT =
  '13px "Source Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif';
export const MONOSPACE =
  '"Source Code Pro", ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace';

const TICK = 4;

// The part of a picture inside margins [top, right, bottom, left].
/** @type {(size: Size, margins: number[]) => Frame} */
export function frameIn({ width, height }, [top, right, bottom, left]) {
  return { x: left, y: top, width: Math.max(width - left - right, 1), height: Math.max(height - top - bottom, 1) };
}

// Ticks in the middles of so many cells, which fill size pixels from start on and are numbered from first on.
/** @type {(count: number, start: number, size: number, gap: number, first?: number) => Marks} */
export function cellTicks(count, start, size, gap, first = 0) {
  const step = size / count;
  const values = ticks(first, first + count - 1, size / gap, 1);
  return values.map((value) => [start + (value - first + 0.5) * step, whole(value)]);
}

// Marks are pairs of a place in pixels and a text.
/** @type {(context: Context, frame: Frame, marks: Marks, label: string, look: { ink: string; line: string }) => void} */
export function bottomAxis(context, frame, marks, label, { ink, line }) {
  const y = frame.y + frame.height;
  useFont(context, FONT);
  Object.assign(context, { fillStyle: ink, strokeStyle: line, lineWidth: 1, textBaseline: "top", textAlign: "center" });
  context.beginPath();
  for (const [x, text] of marks) {
    context.moveTo(x, y);
    context.lineTo(x, y + TICK);
    context.fillText(text, x, y + TICK + 1);
  }
  context.stroke();
  context.textAlign = "right";
  context.fillText(label, frame.x + frame.width, y + TICK + 14);
}

/** @type {(context: Context, frame: Frame, marks: Marks, label: string, look: { ink: string; line: string }) => void} */
export function leftAxis(context, frame, marks, label, { ink, line }) {
  useFont(context, FONT);
  Object.assign(context, {
    fillStyle: ink,
    strokeStyle: line,
    lineWidth: 1,
    textBaseline: "middle",
    textAlign: "right",
  });
  context.beginPath();
  for (const [y, text] of marks) {
    context.moveTo(frame.x, y);
    context.lineTo(frame.x - TICK, y);
    context.fillText(text, frame.x - TICK - 2, y);
  }
  context.stroke();
  if (!label) return;
  context.save();
  context.translate(9, frame.y + frame.height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(label, 0, 0);
  context.restore();
}

// A line through values at x0, x0 + step, …; where several share a pixel, from the lowest to the highest of them.
/** @type {(context: Context, values: ArrayLike<number>, axis: Axis) => void} */
export function traceLine(context, values, { x0, step, toY, from = 0, to = values.length }) {
  const run = Math.max(1, Math.floor(1 / Math.abs(step)));
  for (let index = from; index < to; index += run) {
    let [low, high] = [values[index], values[index]];
    for (let next = index + 1; next < Math.min(index + run, to); next++) {
      if (values[next] < low) low = values[next];
      if (values[next] > high) high = values[next];
    }
    const x = x0 + index * step;
    if (index === from) context.moveTo(x, toY(values[index]));
    context.lineTo(x, toY(low));
    if (high > low) context.lineTo(x, toY(high));
  }
}

/** @type {(context: Context, x1: number, y1: number, x2: number, y2: number) => void} */
export function straight(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

// A frame around what is followed: ink beside surface, so that it stands out from whatever colour is under it.
/** @type {(context: Context, look: { ink: string; surface: string }, x: number, y: number, width: number, height: number, dashes?: number[]) => void} */
export function markRect(context, { ink, surface }, x, y, width, height, dashes = []) {
  /** @type {[string, number, number[]][]} */
  const strokes = [
    [surface, 3, []],
    [ink, 1, dashes],
  ];
  for (const [strokeStyle, lineWidth, dash] of strokes) {
    Object.assign(context, { strokeStyle, lineWidth });
    context.setLineDash(dash);
    context.strokeRect(x, y, width, height);
  }
  context.setLineDash([]);
}

/** @type {(frame: Frame, x: number, y: number) => boolean} */
export function isInside(frame, x, y) {
  return x >= frame.x && x < frame.x + frame.width && y >= frame.y && y < frame.y + frame.height;
}
