// Making and changing elements. Every text becomes a text node, so that nothing shown can be markup.

/** @typedef {Record<string, unknown>} Attributes none of those that are null, undefined or false */
/** @typedef {Node | string | number | null} Child */

// Of a key that goes to an input method; Safari tells of an Enter that ends its work by this number alone.
const OF_A_METHOD = 229;
const SVG = "http://www.w3.org/2000/svg";

export const FONT =
  '"Source Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif';
// Pixels of the texts in drawings.
export const TEXT_SIZE = 13;

// Of what is data and no words, such as tokens: a browser that translates the page is to leave it as it is.
const DATA = /(^|\s)(tokens?|row-tokens?|labels|marginal|readout)(\s|$)/;

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** @type {(tag: string, attributes?: Attributes, ...children: Child[]) => SVGElement} */
export function svgElement(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

// Text in a drawing, its middle at ``y``; ``look`` may name another font.
/** @type {(content: string, x: number, y: number, look?: Attributes) => SVGElement} */
export function svgText(content, x, y, look = {}) {
  const own = { "font-family": FONT, "font-size": TEXT_SIZE, "dominant-baseline": "central" };
  return svgElement("text", { x, y, ...own, ...look }, content);
}

/**
 * @template {Element} E
 * @param {E} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : String(value));
  }
  if (DATA.test(made.getAttribute("class") ?? "")) made.setAttribute("translate", "no");
  made.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child !== null)));
  return made;
}

// One pass, so that a value that itself holds {braces} is left as it is.
/** @type {(text: string, values: Record<string, unknown>) => string} */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// A list, as ``pair``, the words for a {before} and what comes {next}, writes it.
/** @type {(parts: string[], pair: string) => string} */
export function listed(parts, pair) {
  return parts.length ? parts.reduce((before, next) => fill(pair, { before, next })) : "";
}

// One text of several parts, one after the other and with a full stop between those that have none, as ``marks`` write it.
/** @type {(parts: string[], marks: Readonly<Record<string, string>>) => string} */
export function sentences(parts, marks) {
  const between = parts.map((part, place) => (place < parts.length - 1 ? ended(part, marks) : part));
  return listed(between, marks["sentences"] ?? "");
}

// A sentence with a full stop, where it has no mark at its end.
/** @type {(sentence: string, marks: Readonly<Record<string, string>>) => string} */
export function ended(sentence, marks) {
  return /[.!?:。！？：]$/.test(sentence) ? sentence : fill(marks["full stop"] ?? "", { sentence });
}

// What has the focus, in the page or in the part of it that ``node`` is in.
/** @type {(node: Node) => Element | null} */
export function activeElementOf(node) {
  const root = node.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}

// Whether a text is sent by Enter, which breaks the line with Shift, and belongs to an input method while that is at work.
/** @type {(event: KeyboardEvent) => boolean} */
export function isEnter(event) {
  const { key, shiftKey, isComposing, keyCode } = event;
  return key === "Enter" && isPlain(event) && !(shiftKey || isComposing || keyCode === OF_A_METHOD);
}

// Whether a key is meant for what has the focus: with these it is the browser's own, such as the way back by Alt and an arrow.
/** @type {(event: KeyboardEvent) => boolean} */
export function isPlain({ ctrlKey, metaKey, altKey }) {
  return !(ctrlKey || metaKey || altKey);
}

// The colours that a component's style sheet draws with.
/** @type {(node: HTMLElement, palette: { ink: string; muted: string; line: string; surface: string }) => void} */
export function setColours(node, { ink, muted, line, surface }) {
  for (const [name, colour] of Object.entries({ ink, muted, line, surface }))
    node.style.setProperty(`--${name}`, colour);
}

// Writing what is there already would cost a layout.
/** @type {(node: Node, text: string) => void} */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @type {(node: Element, name: string, value: unknown) => void} */
export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}
