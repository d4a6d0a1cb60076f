// A drawing in SVG with its menu, tooltip and full screen. One of its marks has the stop of the Tab key; the arrow keys
// lead from mark to mark, and Enter chooses one. Grids, trees and graphs are views of this kind.

import { activeElementOf, element, isPlain, setAttribute, setColours, svgElement } from "./dom.js";
import { FullScreen, createMenu } from "./menu.js";
import { drawnFiles } from "./svg_file.js";
import { Tooltip } from "./tooltip.js";

/** @import { Menu, Size, Words } from "./types" */

/** @typedef {{ palette: any; menu: { labels: Words; served: Words[] } }} Header */

export class SvgView {
  /** @param {Element} parent @param {string} name @param {(by: number) => void} [step] */
  constructor(parent, name, step) {
    this.root = element("div", { class: name });
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.svg = /** @type {SVGElement} */ (svgElement("svg", { role: "group" }));
    this.box = element("div", { class: "box" }, this.svg);
    this.fullScreen = new FullScreen(this.root, step);
    this.sizes = new ResizeObserver(() => this.resized());
    this.focused = 0;
    this.fileName = "";
    this.surface = "";
    /** @type {Menu | null} */
    this.menu = null;
    this.svg.addEventListener("keydown", (event) => this.press(event));
    this.svg.addEventListener("click", (event) => this.choose(this.numberOf(event.target)));
    this.svg.addEventListener("pointermove", (event) => this.pointAt(this.numberOf(event.target), event));
    this.svg.addEventListener("pointerleave", (event) => this.pointAt(-1, event));
  }

  // Each update begins with it. The first one puts the picture into the root, below what ``top`` makes of the menu.
  /** @type {(header: Header, names: { title: string; file: string }, top?: (menu: HTMLElement) => Node[]) => void} */
  receive({ palette, menu }, { title, file }, top = topLine) {
    setColours(this.root, palette);
    this.surface = palette.surface;
    this.fileName = file;
    if (!this.menu) {
      const files = drawnFiles(() => this.svg, { name: () => this.fileName, surface: () => this.surface });
      this.menu = createMenu({ labels: menu.labels, name: title, files, fullScreen: this.fullScreen });
      this.root.append(...top(this.menu.node), this.box);
      this.sizes.observe(this.box);
    }
    this.menu.offer(menu.served);
  }

  // Of a view whose drawing depends on the width that there is for it.
  resized() {}

  // The mark of that number.
  /** @type {(number: number) => SVGElement | null} */
  nodeOf(number) {
    return this.svg.querySelector(`[data-number="${number}"]`);
  }

  // The number of the mark that ``target`` is a part of; −1 where it is part of none.
  /** @type {(target: EventTarget | null) => number} */
  numberOf(target) {
    const node = target instanceof Element ? target.closest("[data-number]") : null;
    return node instanceof SVGElement ? Number(node.dataset.number) : -1;
  }

  /** @type {(number: number) => void} */
  choose(_number) {}

  // The pointer is on the mark of that number, or on none.
  /** @type {(number: number, event: PointerEvent) => void} */
  pointAt(_number, _event) {}

  // The number of the mark that a key leads to from another one; undefined where it leads nowhere.
  /** @type {(number: number, key: string) => number | undefined} */
  neighbour(_number, _key) {
    return undefined;
  }

  // Puts ``children`` in place of what was drawn; the focus stays on its mark. ``alt`` is what the picture shows.
  /** @type {(size: Size, alt: string, children: Element[]) => void} */
  show({ width, height }, alt, children) {
    const hadFocus = this.svg.contains(activeElementOf(this.svg));
    for (const [name, value] of Object.entries({ width, height, "aria-label": alt }))
      setAttribute(this.svg, name, value);
    this.svg.replaceChildren(...children);
    if (hadFocus) this.nodeOf(this.focused)?.focus({ preventScroll: true });
  }

  /** @type {(number: number) => void} */
  moveTo(number) {
    this.nodeOf(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = number;
    this.nodeOf(number)?.setAttribute("tabindex", "0");
  }

  /** @type {(event: KeyboardEvent) => void} */
  press(event) {
    const number = this.numberOf(event.target);
    if (number < 0 || !isPlain(event)) return;
    if (event.key === "Enter" || event.key === " ") this.choose(number);
    else {
      const to = this.neighbour(number, event.key);
      if (to === undefined) return;
      this.moveTo(to);
      this.nodeOf(to)?.focus();
    }
    event.preventDefault();
  }

  remove() {
    this.menu?.remove();
    this.fullScreen.remove();
    this.sizes.disconnect();
    this.root.remove();
  }
}

/** @type {(menu: HTMLElement) => Node[]} */
function topLine(menu) {
  return [element("div", { class: "top" }, menu)];
}
