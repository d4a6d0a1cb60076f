// A picture that fills the window is laid out at its own size and drawn larger as a whole: how much larger, and where
// the pointer is in it.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

const FACTOR = "--enlarged";
const LETTERS = 13; // pixels of the smallest text of a component
const LEAST_LETTERS = 0.02; // of the window's height
const [LEAST_ROOM, LEAST_LAYOUT] = [800, 720]; // pixels of width that a component keeps for its layout

// The factor at which letters can be read from the last row; on a phone, none.
export function leastFactor() {
  return Math.max(1, Math.min((LEAST_LETTERS * innerHeight) / LETTERS, innerWidth / LEAST_ROOM));
}

// The factor at which what is ``height`` pixels high on the page would fill the window.
/** @type {(height: number) => number} */
export function fillingFactor(height) {
  return Math.max(leastFactor(), Math.min(innerHeight / height, innerWidth / LEAST_LAYOUT));
}

// The style sheets have it too, as the variable of this name; 1 takes it back.
/** @type {(factor: number) => void} */
export function enlarge(factor) {
  const { style } = document.documentElement;
  if (factor === 1) style.removeProperty(FACTOR);
  else style.setProperty(FACTOR, String(factor));
}

// How many times as large as its room what ``root`` holds is, down or, in one of its scrolling boxes, across.
/** @type {(root: HTMLElement) => number} */
export function excessOf(root) {
  const down = root.scrollHeight / root.clientHeight;
  const scrolls = (/** @type {Element} */ node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
  const wide = [root, ...root.querySelectorAll("*")].filter((node) => node.scrollWidth > node.clientWidth + 1);
  const across = wide.filter((node) => node.clientWidth && scrolls(node));
  return Math.max(down, ...across.map((node) => node.scrollWidth / node.clientWidth));
}

// How many times as large as it is laid out a node is drawn.
/** @type {(node: Element) => number} */
export function scaleOf(node) {
  if (!node.closest(".full-screen")) return 1;
  return Number(document.documentElement.style.getPropertyValue(FACTOR)) || 1;
}

// Where the pointer is in a node, in pixels of its layout.
/** @type {(node: Element, event: { clientX: number; clientY: number }) => [x: number, y: number]} */
export function placeIn(node, { clientX, clientY }) {
  const { left, top } = node.getBoundingClientRect();
  const scale = scaleOf(node);
  return [(clientX - left) / scale, (clientY - top) / scale];
}

// Where in the window a box of a node's layout is.
/** @type {(node: Element, box: { x: number; y: number; width?: number; height?: number }) => Box} */
export function boxInWindow(node, { x, y, width = 0, height = 0 }) {
  const { left, top } = node.getBoundingClientRect();
  const scale = scaleOf(node);
  const [right, bottom] = [left + (x + width) * scale, top + (y + height) * scale];
  return { left: left + x * scale, top: top + y * scale, right, bottom };
}
