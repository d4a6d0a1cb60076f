// A few lines of text beside the pointer, kept inside the window.

import { element, setText } from "./dom.js";

/** @import { Box } from "./enlarged.js" */

const DISTANCE = 14;
// The colours are those of the component, and the letters, where its sheet names others.
const LOOK = `position: fixed; inset: 0 auto auto 0; margin: 0; pointer-events: none; box-sizing: border-box;
  max-width: min(90vw / var(--enlarged, 1), 34rem); white-space: pre-wrap; overflow-wrap: anywhere;
  padding: 0.3rem 0.5rem; border: 1px solid var(--line); border-radius: 4px; box-shadow: 0 2px 10px rgb(0 0 0 / 0.2);
  background: var(--surface); color: var(--ink);
  font: 0.8125rem/1.45 var(--tooltip-font, "Source Sans", system-ui, sans-serif);
  transform: scale(var(--enlarged, 1)); transform-origin: 0 0`;

export class Tooltip {
  /** @param {Element} parent */
  constructor(parent) {
    // A popover lies above everything, also above a picture that fills the window.
    this.node = element("div", { class: "tooltip", "aria-hidden": "true", popover: "manual" });
    this.node.style.cssText = LOOK;
    parent.append(this.node);
  }

  // What is told of lies at a point, or in a box { left, top, right, bottom } of the window, which stays in sight.
  /** @param {string} text @param {number} x @param {number} y @param {Box} [box] */
  show(text, x, y, box = { left: x, top: y, right: x, bottom: y }) {
    setText(this.node, text);
    if (!this.node.matches(":popover-open")) this.node.showPopover();
    const { width, height } = this.node.getBoundingClientRect();
    const beside = x + DISTANCE + width > window.innerWidth ? x - DISTANCE - width : x + DISTANCE;
    const left = box.right > box.left ? Math.min(box.left, window.innerWidth - width) : beside;
    const below = box.bottom + DISTANCE;
    const top = below + height > window.innerHeight ? box.top - DISTANCE - height : below;
    this.node.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px) scale(var(--enlarged, 1))`;
  }

  hide() {
    if (this.node.matches(":popover-open")) this.node.hidePopover();
  }
}
