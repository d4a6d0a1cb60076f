// What sets what the picture of a stop shows, as in the app: sliders, choices side by side, lists and numbers.

import { element, setAttribute, setText } from "../../components/browser/dom.js";

/** @import { Site } from "./site.js" */
/** @import { StopControl } from "./types" */

/** @typedef {{ node: HTMLElement, show: (value: string) => void }} Drawn */
/** @typedef {(control: StopControl, take: (value: string) => void) => Drawn} Draw */

/** @type {Record<StopControl["kind"], Draw>} */
const KINDS = { slider, row, list, number };

export class StopControls {
  /** @param {Site} site @param {StopControl[]} controls @param {() => void} moved */
  constructor(site, controls, moved) {
    this.site = site;
    this.controls = controls;
    this.drawn = controls.map((control) =>
      KINDS[control.kind](control, (value) => {
        site.write({ ...this.nothingOf(control), [control.key]: value === control.opens_at ? null : value });
        moved();
      }),
    );
    this.node = element("div", { class: "ask" }, ...this.drawn.map(({ node }) => node));
  }

  // What the link sets them to, and they show then.
  get values() {
    return this.controls.map(({ key, old_keys, values, allowed, opens_at }, place) => {
      const linked = [key, ...old_keys].map((name) => this.site.linked(name, (text) => values.includes(text), allowed));
      const value = linked.find((text) => text !== null) ?? opens_at;
      this.drawn[place].show(value);
      return value;
    });
  }

  // A link without any of them.
  get nothing() {
    return Object.assign({}, ...this.controls.map((control) => this.nothingOf(control)));
  }

  // A link without ``control``, by its name or the old one.
  /** @type {(control: StopControl) => Record<string, null>} */
  nothingOf({ key, old_keys }) {
    return Object.fromEntries([key, ...old_keys].map((name) => [name, null]));
  }
}

/** @type {Draw} */
function slider({ label, values, labels }, take) {
  const shown = element("span");
  const input = element("input", { type: "range", min: 0, max: values.length - 1, step: 1, "aria-label": label });
  input.addEventListener("input", () => take(values[Number(input.value)]));
  const show = (/** @type {string} */ value) => {
    const place = values.indexOf(value);
    input.value = String(place);
    setAttribute(input, "aria-valuetext", labels[place]);
    setText(shown, `${label}: ${labels[place]}`);
  };
  return { node: element("label", { class: "at-length" }, shown, input), show };
}

/** @type {Draw} */
function row({ label, values, labels }, take) {
  const buttons = values.map((value, place) => {
    const button = element("button", { type: "button" }, labels[place]);
    button.addEventListener("click", () => take(value));
    return button;
  });
  const show = (/** @type {string} */ value) => {
    for (const [place, button] of buttons.entries())
      setAttribute(button, "aria-pressed", String(values[place] === value));
  };
  const group = element("div", { class: "heads", role: "group", "aria-label": label }, ...buttons);
  return { node: element("div", { class: "row" }, element("span", {}, label), group), show };
}

/** @type {Draw} */
function list({ label, values, labels }, take) {
  const options = values.map((value, place) => element("option", { value }, labels[place]));
  const box = element("select", {}, ...options);
  box.addEventListener("change", () => take(box.value));
  const show = (/** @type {string} */ value) => {
    box.value = value;
  };
  return { node: element("label", {}, element("span", {}, label), box), show };
}

/** @type {Draw} */
function number({ label, values }, take) {
  const [low, high] = [values[0], values[values.length - 1]];
  const input = element("input", { type: "number", min: low, max: high, step: 1 });
  let last = low;
  input.addEventListener("input", () => values.includes(input.value) && take(input.value));
  // What it does not take gives way to what is shown.
  input.addEventListener("change", () => {
    input.value = last;
  });
  const show = (/** @type {string} */ value) => {
    last = value;
    if (input.value !== value) input.value = value;
  };
  return { node: element("label", {}, element("span", {}, label), input), show };
}
