// How tokens and numbers are written, and how marks are put over a picture.

import { fill } from "../browser/dom.js";

/** @import { Words } from "../browser/types" */
/** @import { Shaping } from "./types" */

/** @type {(label: string, text: Words) => string} */
export function token(label, text) {
  return label === "" ? text["empty token"] : label;
}

// A token within a sentence, between marks that keep its direction of writing to itself.
/** @type {(label: string, text: Words) => string} */
export function quoted(label, text) {
  return `\u2068${token(label, text)}\u2069`;
}

// What the colours stand for: what is measured, or its share of a row that adds up to 1.
/** @type {(measure: string, options: Pick<Shaping, "normalise">, text: Words) => string} */
export function scaleName(measure, { normalise }, text) {
  return normalise ? fill(text["scale of shares"], { measure }) : measure;
}

// As many decimals as the number has meaning: a byte is good for three, a float for six.
/** @type {(value: number, isExact: boolean) => string} */
export function number(value, isExact) {
  if (isExact && value > 0 && value < 5e-7) return value.toExponential(2);
  return value.toFixed(isExact ? 6 : 3);
}

/** @type {(node: HTMLElement, x: number, y: number, width: number, height: number) => void} */
export function place(node, x, y, width, height) {
  node.hidden = false;
  node.style.transform = `translate(${x}px, ${y}px)`;
  node.style.width = `${width}px`;
  node.style.height = `${height}px`;
}
