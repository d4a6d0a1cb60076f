// A drawing whose marks are pointed at, chosen by a click or by Enter, and walked through with the arrow keys.

import { element, isPlain } from "../browser/dom.js";
import { FullScreen, createMenu } from "../browser/menu.js";
import { mounted } from "../browser/mount.js";
import { DIRECTIONS, nearest } from "../browser/nearest.js";
import { drawnFiles } from "../browser/svg_file.js";
import { Tooltip } from "../browser/tooltip.js";

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
    this.tooltip.show(mark.dataset.tooltip, left, top, { left, top, right, bottom });
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
    if (!mark || !isPlain(event)) return;
    const isChosen = !mark.hasAttribute("href") && ["Enter", " "].includes(event.key);
    if (isChosen) this.choose(mark);
    else if (DIRECTIONS[event.key]) this.nearest(mark, DIRECTIONS[event.key])?.focus();
    else return;
    event.preventDefault();
  }

  /** @returns {SVGElement | undefined} */
  nearest(mark, direction) {
    const marks = this.marks;
    const place = nearest(marks.map(middleOf), marks.indexOf(mark), direction);
    if (place === undefined) return undefined;
    this.keepStop(marks[place]);
    return marks[place];
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

/** @type {(mark: SVGElement) => { x: number; y: number }} */
function middleOf(mark) {
  const { x, y, width, height } = mark.querySelector("circle").getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
