// Small matrices with their numbers, and products of them, in which a cell shows what it was made of: the counterpart of
// viz/components/matrix_view, whose style sheet is for both.

import { element } from "../../components/browser/dom.js";
import { transposed } from "./by_hand.js";

/** @import { Matrix } from "./by_hand.js" */

/** @typedef {[name: string, values: Matrix]} Named */

const SMALLEST = 0.0005;
const LARGEST = 10_000;
const DECIMALS = 3;

// Positive cells in one colour, negative ones in the other; ``largest`` is the absolute value that is drawn deepest, 0
// for the matrix's own.
/** @type {(named: Named, options?: { largest?: number, titles?: string[][] }) => HTMLElement} */
export function matrixView([name, values], { largest = 0, titles } = {}) {
  const deepest = largest || Math.max(0, ...values.flat().filter(Number.isFinite).map(Math.abs)) || 1;
  const rows = values.map((row, r) =>
    element("tr", {}, ...row.map((value, c) => cell(value, deepest, `r${r} c${c}`, titles?.[r][c]))),
  );
  const shape = element("span", { class: "shape" }, `${values.length}×${values[0].length}`);
  return element("table", { class: "matrix" }, element("caption", {}, name, " ", shape), element("tbody", {}, ...rows));
}

// ``left`` times ``right`` equals ``result``. The pointer on a cell of the result lights what it is the product of.
/** @type {(left: Named, right: Named, result: Named, options?: { largestLeft?: number }) => HTMLElement} */
export function productView(left, right, result, { largestLeft = 0 } = {}) {
  const columns = transposed(right[1]);
  const titles = result[1].map((row, r) => row.map((value, c) => sumOf(left[1][r], columns[c], value)));
  const sign = (/** @type {string} */ text) => element("span", { class: "sign" }, text);
  return element(
    "div",
    { class: "product" },
    element("div", { class: "left" }, matrixView(left, { largest: largestLeft })),
    sign("×"),
    element("div", { class: "right" }, matrixView(right)),
    sign("="),
    element("div", { class: "result" }, matrixView(result, { titles })),
  );
}

/** @type {(...views: HTMLElement[]) => HTMLElement} */
export function matrixViews(...views) {
  return element("div", { class: "matrix-views", translate: "no" }, ...views);
}

// Short enough for a cell: whole numbers as such, others with three decimals or an exponent.
/** @type {(value: number) => string} */
export function written(value) {
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  return `${value < 0 ? "−" : ""}${size === Infinity ? "∞" : writtenSize(size)}`;
}

/** @type {(size: number) => string} */
function writtenSize(size) {
  if (size && (size < SMALLEST || size >= LARGEST)) {
    const [digits, exponent] = size.toExponential(1).split("e");
    const power = Math.abs(Number(exponent));
    const step = 10 ** (Number(exponent) - 1);
    const text = evened(digits, (2 * size) % (2 * step) === step);
    return `${text}e${exponent.startsWith("-") ? "−" : "+"}${String(power).padStart(2, "0")}`;
  }
  return Number.isInteger(size) ? String(size) : decimal(size, size < 100 ? DECIMALS : 1);
}

/** @type {(size: number, decimals: number) => string} */
function decimal(size, decimals) {
  // Of two neighbours as near, with so many decimals, the number is an odd multiple of a power of two.
  return evened(size.toFixed(decimals), Math.abs((size * 2 ** (decimals + 1)) % 2) === 1);
}

// A number halfway between two is written as the even one, as Python does; JavaScript wrote the larger one.
/** @type {(text: string, isHalfway: boolean) => string} */
function evened(text, isHalfway) {
  const last = Number(text.at(-1));
  return isHalfway && last % 2 ? `${text.slice(0, -1)}${last - 1}` : text;
}

/** @type {(value: number, deepest: number, place: string, title?: string) => HTMLElement} */
function cell(value, deepest, place, title) {
  const isNumber = Number.isFinite(value);
  const kind = isNumber ? (value < 0 ? "negative" : "positive") : "strange";
  const share = isNumber ? Math.min(Math.abs(value) / deepest, 1) : 0;
  const style = `--a:${decimal(share, DECIMALS)}`;
  return element("td", { class: `${kind} ${place}`, style, title }, written(value));
}

/** @type {(row: number[], column: number[], value: number) => string} */
function sumOf(row, column, value) {
  const terms = row.map((factor, k) => `${written(factor)}·${written(column[k])}`);
  return `${terms.join(" + ")} = ${written(value)}`;
}
