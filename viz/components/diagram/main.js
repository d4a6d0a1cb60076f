// A drawing whose marks are pointed at, chosen by a click or by Enter, and walked through with the arrow keys.

import { element } from "../browser/dom.js";
import { FullScreen, createMenu } from "../browser/menu.js";
import { mounted } from "../browser/mount.js";
import { drawnFiles } from "../browser/svg_file.js";
import { Tooltip } from "../browser/tooltip.js";

const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export default mounted((parent) => new Diagram(parent));

class Diagram {
  constructor(parent) {
    this.place = element("div", { class: "place" });
    this.root = element("div", { class: "diagram" }, this.place);
    parent.append(this.root);
    this.tooltip = new Tooltip(this.root);
    this.fullScreen = new FullScreen(this.root);
    this.place.addEventListener("pointermove", (event) => this.tell(markOf(event.target)));
    this.place.addEventListener("pointerleave", () => this.tell(null));
    this.place.addEventListener(
      "focusin",
      ({ target }) => target instanceof Element && target.matches(":focus-visible") && this.tell(markOf(target)),
    );
    this.place.addEventListener("focusout", () => this.tell(null));
    this.place.addEventListener("click", (event) => this.choose(markOf(event.target)));
    this.place.addEventListener("keydown", (event) => this.press(event));
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(this.place);
  }

  // The drawing comes as HTML in which every text is escaped; st.html would take the SVG out of it.
  update(data, _, setTriggerValue) {
    this.data = data;
    this.setTriggerValue = setTriggerValue;
    this.root.style.cssText = data.style;
    if (!this.menu) this.addMenu();
    this.menu.offer(data.menu.served);
    if (this.html !== data.html) this.place.innerHTML = this.html = data.html;
    const lit = data.lit && new Set(data.lit);
    for (const mark of /** @type {NodeListOf<SVGElement>} */ (this.place.querySelectorAll("[data-code]")))
      mark.classList.toggle("faint", lit !== null && !lit.has(mark.dataset.code));
    this.fit();
  }

  addMenu() {
    const { fileName, menu, name } = this.data;
    const files = drawnFiles(() => this.shown, { name: () => fileName, surface: () => this.data.surface });
    this.menu = createMenu({ labels: menu.labels, name, files, fullScreen: this.fullScreen });
    this.root.prepend(this.menu.node);
  }

  // Shows the widest drawing that has room.
  fit() {
    const drawings = [.../** @type {HTMLCollectionOf<SVGSVGElement>} */ (this.place.children)];
    const room = this.place.clientWidth;
    if (!drawings.length || !room) return;
    /** @type {(svg: SVGSVGElement) => number} */
    const widthOf = (svg) => svg.viewBox.baseVal.width;
    const byWidth = drawings.sort((one, other) => widthOf(other) - widthOf(one));
    this.shown = byWidth.find((svg) => widthOf(svg) <= room) ?? byWidth.at(-1);
    for (const svg of drawings) svg.style.display = svg === this.shown ? "" : "none";
    this.shown.style.width = `${widthOf(this.shown)}px`;
    this.keepStop(this.marks.find((mark) => mark.dataset.code === this.code) ?? this.marks[0]);
  }

  get marks() {
    return [.../** @type {NodeListOf<SVGElement>} */ (this.shown.querySelectorAll("[data-code]"))];
  }

  // One stop of the Tab key leads to all marks: the one that the arrow keys are at.
  keepStop(mark) {
    this.current?.setAttribute("tabindex", -1);
    mark.setAttribute("tabindex", 0);
    this.current = mark;
    this.code = mark.dataset.code;
  }

  tell(mark) {
    if (!mark) return this.tooltip.hide();
    const { left, top, right, bottom } = mark.getBoundingClientRect();
    this.tooltip.show(mark.dataset.told, left, top, { left, top, right, bottom });
  }

  choose(mark) {
    if (!mark) return;
    this.keepStop(mark);
    this.tell(null);
    if (this.fullScreen.isOn) this.fullScreen.toggle();
    if (mark.hasAttribute("href")) return;
    document.querySelector(`.${this.data.leadsTo}`)?.scrollIntoView({ block: "nearest" });
    this.setTriggerValue("picked", mark.dataset.code);
  }

  press(event) {
    const mark = markOf(event.target);
    if (!mark) return;
    const isChosen = !mark.hasAttribute("href") && ["Enter", " "].includes(event.key);
    if (isChosen) this.choose(mark);
    else if (DIRECTIONS[event.key]) this.nearest(mark, DIRECTIONS[event.key])?.focus();
    else return;
    event.preventDefault();
  }

  // The nearest mark in that direction; what lies aside of it counts as farther.
  /** @returns {SVGElement | undefined} */
  nearest(mark, [right, down]) {
    const middle = (node) => {
      const box = node.querySelector("circle").getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(mark);
    const ahead = this.marks.map((other) => {
      const [across, along] = middle(other).map((value, axis) => value - [x, y][axis]);
      const forward = across * right + along * down;
      const aside = Math.abs(across * down) + Math.abs(along * right);
      return { other, forward, distance: forward + 3 * aside };
    });
    const [best] = ahead.filter(({ forward }) => forward > 1).sort((one, other) => one.distance - other.distance);
    if (best) this.keepStop(best.other);
    return best?.other;
  }

  remove() {
    this.sizes.disconnect();
    this.menu?.remove();
    this.fullScreen.remove();
    this.root.remove();
  }
}

/** @type {(target: EventTarget | null) => SVGElement | null} */
function markOf(target) {
  return target instanceof Element ? target.closest("[data-code]") : null;
}
