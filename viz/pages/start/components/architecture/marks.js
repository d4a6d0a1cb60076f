// Marks for numbers: stripes, a pixel each, and bars; with what the pointer reads off them.

import { element } from "../../../../components/browser/dom.js";
import { clamp, fixed } from "../../../../components/browser/numbers.js";

const tips = new WeakMap();

// ``told`` returns what stands beside the pointer, for its place in the node as two shares.
export function tell(node, told) {
  tips.set(node, told);
  return node;
}

export function toldAt(event) {
  const node = event.composedPath().find((one) => tips.has(one));
  if (!node) return "";
  const { left, top, width, height } = node.getBoundingClientRect();
  return tips.get(node)((event.clientX - left) / width, (event.clientY - top) / height);
}

// One row of numbers, or several; each as a share of ``limit``.
export function stripes(values, { table, limit, rows = 1, isSigned = true, named, label }) {
  const columns = values.length / rows;
  const canvas = element("canvas", {
    class: "stripes",
    width: columns,
    height: rows,
    role: "img",
    "aria-label": label,
  });
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  values.forEach((value, index) => {
    const share = clamp(value / limit, isSigned ? -1 : 0, 1);
    pixels[index] = table[Math.round((isSigned ? (share + 1) / 2 : share) * (table.length - 1))];
  });
  context.putImageData(image, 0, 0);
  return tell(canvas, (x, y) => {
    const column = clamp(Math.floor(x * columns), 0, columns - 1);
    const row = clamp(Math.floor(y * rows), 0, rows - 1);
    return named(column, values[row * columns + column], row);
  });
}

// A bar with its number; from the middle where values may be negative.
export function bar(value, { limit, isSigned = false, text = fixed(value, 2), note = "" }) {
  const share = clamp(Math.abs(value) / (limit || 1), 0, 1) * (isSigned ? 50 : 100);
  const left = isSigned ? (value < 0 ? 50 - share : 50) : 0;
  const line = element("span", { class: value < 0 ? "length negative" : "length" });
  line.style.cssText = `left:${left}%;width:${share}%`;
  const track = element("span", { class: isSigned ? "track signed" : "track" }, line);
  const node = element("span", { class: "bar" }, track, element("span", { class: "number" }, text));
  return note ? tell(node, () => note) : node;
}

// A bar for each number, side by side, from its start to the number; ``high`` and ``low`` are the ends of their scale.
export function columnBars(values, { starts, high, low, told, label }) {
  const share = (value) => (100 * (high - value)) / (high - low || 1);
  const bars = Array.from(values, (value, index) => {
    const [start, end] = [starts[index], value];
    const line = element("span", { class: end < start ? "length negative" : "length" });
    const top = share(Math.max(start, end));
    line.style.cssText = `top:${top}%;height:${share(Math.min(start, end)) - top}%`;
    return element("span", { class: "column" }, line);
  });
  const node = element("span", { class: "column-bars", role: "img", "aria-label": label }, ...bars);
  node.style.setProperty("--zero", `${share(0)}%`);
  return tell(node, (x) => told(clamp(Math.floor(x * bars.length), 0, bars.length - 1)));
}

export const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;

// A vector's numbers are drawn up to what 98 % of them stay below, so that an outlier does not hide the others.
export function limitOf(values) {
  const sizes = Float64Array.from(values, Math.abs).sort();
  return sizes[Math.floor(0.98 * (sizes.length - 1))] || 1;
}

// The tokens of the rows as buttons, of which one is chosen.
export function rowTokens(labels, row, choose) {
  return labels.map((label, index) => {
    const button = element(
      "button",
      { type: "button", class: "row-token", "aria-pressed": String(index === row) },
      label,
    );
    button.addEventListener("click", () => choose(index));
    return button;
  });
}
