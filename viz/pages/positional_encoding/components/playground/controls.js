// A slider with a number field for each thing that can be set. A slider moves the view; letting go commits it.

import { element, fill, isPlain, setAttribute } from "../../../../components/browser/dom.js";
import { clamp, whole } from "../../../../components/browser/numbers.js";
import { afterKeys } from "./keys.js";

/** @import { Words } from "../../../../components/browser/types" */
/** @import { PlaygroundState } from "./header" */
/** @import { Limit } from "./types" */
/** @typedef {(name: keyof PlaygroundState, value: number) => void} Move */
/** @typedef {{ move: Move, commit(): void, refuse(sentence: string): void }} Hooks */

const FINE = 1000; // steps of a logarithmic slider
const MAX_QUOTED = 24;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

// move(name, value) while a slider moves, commit() when it is let go, refuse(sentence) for what cannot be taken.
/** @type {(names: (keyof PlaygroundState)[], words: Words, hooks: Hooks) => { node: HTMLElement; update(view: PlaygroundState, limits: Record<string, Limit>): void }} */
export function createControls(names, words, { move, commit, refuse }) {
  const controls = names.map((name) => createControl(name, words, { move, commit, refuse }));
  return {
    node: element("div", { class: "controls" }, ...controls.map(({ node }) => node)),
    update(view, limits) {
      controls.forEach((control, index) => control.update(view[names[index]], limits[names[index]]));
    },
  };
}

/** @type {(name: keyof PlaygroundState, words: Words, hooks: Hooks) => { node: HTMLElement; update(value: number, limit: Limit): void }} */
function createControl(name, words, { move, commit, refuse }) {
  const { node, field, slider } = createInputs(name, words);
  let value = 0;
  /** @type {Limit} */
  let limit;
  const commitSoon = afterKeys(commit);

  /** @type {(event: KeyboardEvent) => void} */
  function step(event) {
    const count = STEPS[event.key];
    if (!count || !isPlain(event)) return;
    event.preventDefault();
    move(name, stepped(value, count, limit));
    commitSoon();
  }

  field.addEventListener(
    "keydown",
    (event) => event.key.startsWith("Arrow") && !/Left|Right/.test(event.key) && step(event),
  );
  slider.addEventListener("keydown", step);
  slider.addEventListener("input", () => move(name, fromSlider(Number(slider.value), limit)));
  slider.addEventListener("change", commit);
  field.addEventListener("change", () => {
    const typed = read(field.value);
    if (isAllowed(typed, limit)) {
      refuse("");
      move(name, typed);
      commit();
      return;
    }
    refuse(
      fill(words[`trouble ${name}`], {
        given: field.value.trim().slice(0, MAX_QUOTED),
        low: whole(limit.low),
        high: whole(limit.high),
        used: shown(value),
      }),
    );
    field.value = shown(value);
  });

  /** @type {(newValue: number, newLimit: Limit) => void} */
  function update(newValue, newLimit) {
    [value, limit] = [newValue, newLimit];
    const [low, high] = limit.logarithmic ? [0, FINE] : [limit.low, limit.high];
    setAttribute(slider, "min", low);
    setAttribute(slider, "max", high);
    slider.value = String(toSlider(value, limit));
    setAttribute(slider, "aria-valuetext", shown(value));
    if (field.value !== shown(value)) field.value = shown(value);
  }

  return { node, update };
}

/** @type {(name: string, words: Words) => { node: HTMLElement; field: HTMLInputElement; slider: HTMLInputElement }} */
function createInputs(name, words) {
  const label = words[`label ${name}`];
  const field = element("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "data-name": name,
    "aria-label": fill(words["field"], { label }),
  });
  const slider = element("input", {
    type: "range",
    "aria-label": label,
    title: words[`help ${name}`],
    "data-name": name,
  });
  const node = element(
    "div",
    { class: "control" },
    element("span", { class: "label", "aria-hidden": "true" }, label),
    field,
    slider,
  );
  return { node, field, slider };
}

/** @type {(value: number) => string} */
function shown(value) {
  return String(Number(value.toPrecision(12)));
}

/** @type {(text: string) => number} */
function read(text) {
  const plain = text.replaceAll(/[\s,]/g, "").replace("−", "-");
  return plain === "" ? NaN : Number(plain);
}

// A step of 0 allows any number.
/** @type {(value: number, limit: Limit) => boolean} */
function isAllowed(value, { low, high, step }) {
  return value >= low && value <= high && !(step && value % step);
}

/** @type {(value: number, limit: Limit) => number} */
function toSlider(value, { low, high, logarithmic }) {
  return logarithmic ? Math.round((FINE * Math.log(value / low)) / Math.log(high / low)) : value;
}

/** @type {(place: number, limit: Limit) => number} */
function fromSlider(place, limit) {
  return limit.logarithmic ? rounded(limit.low * (limit.high / limit.low) ** (place / FINE), limit) : place;
}

/** @type {(value: number, limit: Limit) => number} */
function rounded(value, { low, high, step }) {
  return clamp(step ? step * Math.round(value / step) : Number(value.toPrecision(3)), low, high);
}

/** @type {(value: number, count: number, limit: Limit) => number} */
function stepped(value, count, limit) {
  return limit.step
    ? clamp(value + count * limit.step, limit.low, limit.high)
    : rounded(value * 10 ** (count / 20), limit);
}
