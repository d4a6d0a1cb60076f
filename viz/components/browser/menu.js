// What every picture has at its top right: Save, a menu of files, and Full screen.

import { element, fill, isPlain, setAttribute, svgElement } from "./dom.js";
import { enlarge, excessOf, fillingFactor, leastFactor } from "./enlarged.js";
import { save } from "./save.js";

/** @import { Fillable, Menu, MenuEntry, Words } from "./types" */

const ICONS = {
  save: "M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11",
  fill: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  leave: "M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5",
};

// Files are { kind, label, name, make }, where name and make are functions; make() returns a blob, undefined where it has
// said itself why there is none, or null where there should be one, and ``label`` is that of the kind unless it is given.
// { kind, label, act } is for what is no file.
/** @type {(options: { labels: Words; name: string; files: MenuEntry[]; fullScreen: Fillable }) => Menu} */
export function createMenu({ labels, name, files, fullScreen }) {
  const failed = element("p", { class: "failed", role: "alert" }, labels["failed"]);
  /** @type {(act: () => void | Promise<void>) => () => void | Promise<void>} */
  const pick = (act) => () => {
    close();
    failed.remove();
    return act();
  };
  const made = files.map(({ kind, label = labels[kind], name: file, make, act }) => {
    const saveIt = async () => {
      try {
        const blob = await make?.();
        if (blob && file) save(blob, file());
        if (blob === null) node.append(failed);
      } catch (error) {
        console.error(error);
        node.append(failed);
      }
    };
    return item(label, kind, pick(act ?? saveIt));
  });
  const saving = { "aria-label": fill(labels["save of"], { name }), title: labels["save"] };
  const summary = element("summary", saving, icon(ICONS.save));
  const list = element("div", { class: "files" }, ...made);
  const details = element("details", {}, summary, list);
  const full = element("button", { type: "button", class: "full" });
  const node = element("div", { class: "picture-menu" }, details, full);
  full.addEventListener("click", () => fullScreen.toggle());
  const unheard = fullScreen.onChange(showState);
  showState(fullScreen.isOn);
  details.addEventListener("toggle", () => details.open && keepInSight(list));
  details.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !details.contains(relatedTarget)) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    close();
  });
  // The page around a component hears a press in it as one on the component.
  document.addEventListener("pointerdown", away);

  /** @type {(event: Event) => void} */
  function away(event) {
    if (event.composedPath().includes(details)) return;
    details.open = false;
    failed.remove();
  }

  function close() {
    if (details.open) summary.focus();
    details.open = false;
  }

  /** @type {(isOn: boolean) => void} */
  function showState(isOn) {
    full.replaceChildren(icon(isOn ? ICONS.leave : ICONS.fill));
    setAttribute(full, "title", labels[isOn ? "leave" : "full screen"]);
    setAttribute(full, "aria-label", isOn ? labels["leave"] : fill(labels["full screen of"], { name }));
  }

  let offered = "[]";

  // What Python makes: each { label, button } names a button of the page that is out of sight, and is pressed.
  /** @type {(served: Words[]) => void} */
  function offer(served) {
    // What has the focus, or is being pressed, would lose it.
    if (JSON.stringify(served) === offered) return;
    offered = JSON.stringify(served);
    /** @type {(button: string) => () => void} */
    const press = (button) => () =>
      /** @type {HTMLElement | null} */ (document.querySelector(`.${button} button`))?.click();
    list.replaceChildren(...made, ...served.map(({ label, button }) => item(label, "served", pick(press(button)))));
  }

  function remove() {
    unheard();
    document.removeEventListener("pointerdown", away);
  }

  return { node, offer, remove };
}

/** @type {(lines: string) => SVGElement} */
function icon(lines) {
  const pen = { fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round" };
  const drawn = svgElement("path", { d: lines, ...pen, "stroke-linejoin": "round" });
  return svgElement("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, drawn);
}

/** @type {(label: string, kind: string, act: () => unknown) => HTMLElement} */
function item(label, kind, act) {
  const button = element("button", { type: "button", "data-save": kind }, label);
  button.addEventListener("click", act);
  return button;
}

// At a narrow picture, the menu opens to the right of its button instead of beyond the left edge of the window.
/** @type {(list: Element) => void} */
function keepInSight(list) {
  list.classList.remove("to-right");
  list.classList.toggle("to-right", list.getBoundingClientRect().left < 0);
}

// Who wants to hear whether a picture fills the window: onChange(heard) returns what takes that back.
export class Announced {
  constructor() {
    /** @type {Set<(isOn: boolean) => void>} */
    this.listeners = new Set();
  }

  /** @type {(heard: (isOn: boolean) => void) => () => void} */
  onChange(heard) {
    this.listeners.add(heard);
    return () => this.listeners.delete(heard);
  }

  get isOn() {
    return false;
  }

  announce() {
    this.listeners.forEach((heard) => heard(this.isOn));
  }
}

const ATTEMPTS = 3; // at a size at which all fits
/** @type {Record<string, number | undefined>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

// Lets ``root`` fill the window, above everything else of the page and as large as it fits, and come back to its place.
// Where it has steps, step(by) takes one: by the arrow keys, unless what has the focus has a use for them.
export class FullScreen extends Announced {
  /** @param {HTMLElement} root @param {(by: number) => void} [step] */
  constructor(root, step) {
    super();
    this.root = root;
    this.heightOnPage = 0;
    // Also of a root that has left the page since, and so is no popover any more.
    this.isEntered = false;
    /** @type {number | null} */
    this.frame = null;
    this.refit = () => this.fit();
    /** @type {(event: KeyboardEvent) => void} */
    this.stepByKey = (event) => {
      const by = STEPS[event.key];
      const [target] = event.composedPath();
      const isUsed = event.defaultPrevented || !isPlain(event);
      const isTyped = target instanceof Element && target.matches("input, select, textarea");
      if (!step || !by || isUsed || isTyped) return;
      event.preventDefault();
      step(by);
    };
    // The page below is covered: what has the focus there is not in sight.
    /** @type {(event: FocusEvent) => void} */
    this.holdFocus = (event) => {
      if (event.composedPath().includes(root)) return;
      const first = root.querySelector(".picture-menu summary");
      if (first instanceof HTMLElement) first.focus();
    };
    /** @type {(event: KeyboardEvent) => void} */
    this.leaveByKey = (event) => {
      const isInMenu = event
        .composedPath()
        .some((node) => node instanceof Element && node.matches(".picture-menu details[open]"));
      if (event.key !== "Escape" || isInMenu) return;
      event.preventDefault();
      event.stopPropagation();
      this.toggle();
    };
  }

  get isOn() {
    return this.root.matches(":popover-open");
  }

  toggle() {
    if (this.isOn) this.leave();
    else this.enter();
  }

  // Pixels of height, in its own layout, that there are for it while it fills the window.
  get room() {
    return this.root.clientHeight;
  }

  enter() {
    this.isEntered = true;
    this.heightOnPage = this.root.offsetHeight;
    this.root.setAttribute("popover", "manual");
    this.root.classList.add("full-screen");
    this.root.showPopover();
    // Before everything that Escape lets go of.
    document.addEventListener("keydown", this.leaveByKey, { capture: true });
    document.addEventListener("keydown", this.stepByKey);
    document.addEventListener("focusin", this.holdFocus);
    window.addEventListener("resize", this.refit);
    this.fit();
  }

  fit() {
    this.enlargeTo(fillingFactor(this.heightOnPage), ATTEMPTS);
  }

  // A component lays itself out a moment later; what does not fit then is drawn less large.
  /** @type {(factor: number, attempts: number) => void} */
  enlargeTo(factor, attempts) {
    enlarge(factor);
    this.announce();
    cancelAnimationFrame(this.frame ?? 0);
    this.frame = requestAnimationFrame(() => {
      this.frame = requestAnimationFrame(() => {
        const least = leastFactor();
        const excess = excessOf(this.root);
        if (!attempts || factor <= least || excess <= 1) return;
        this.enlargeTo(Math.max(least, factor / excess), attempts - 1);
      });
    });
  }

  leave() {
    this.remove();
    this.root.hidePopover();
    this.root.removeAttribute("popover");
    this.root.classList.remove("full-screen");
    this.announce();
  }

  remove() {
    document.removeEventListener("keydown", this.leaveByKey, { capture: true });
    document.removeEventListener("keydown", this.stepByKey);
    document.removeEventListener("focusin", this.holdFocus);
    window.removeEventListener("resize", this.refit);
    cancelAnimationFrame(this.frame ?? 0);
    if (this.isEntered) enlarge(1);
    this.isEntered = false;
  }
}
