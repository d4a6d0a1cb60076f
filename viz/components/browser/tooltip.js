// A few lines of text beside the pointer, kept inside the window.

import { element, setText } from "./dom.js";

const DISTANCE = 14;

export class Tooltip {
  constructor(parent) {
    this.node = element("div", { class: "tooltip", "aria-hidden": "true" });
    this.node.style.cssText =
      "position:fixed;left:0;top:0;z-index:1000;pointer-events:none;white-space:pre;display:none";
    parent.append(this.node);
  }

  show(text, x, y) {
    setText(this.node, text);
    this.node.style.display = "block";
    const { width, height } = this.node.getBoundingClientRect();
    const left = x + DISTANCE + width > window.innerWidth ? x - DISTANCE - width : x + DISTANCE;
    const top = y + DISTANCE + height > window.innerHeight ? y - DISTANCE - height : y + DISTANCE;
    this.node.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
  }

  hide() {
    this.node.style.display = "none";
  }
}
