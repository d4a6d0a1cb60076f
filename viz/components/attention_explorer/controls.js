// The row of controls above the views. Native inputs, so that keys, focus and screen readers work as anywhere.

import { element, setText } from "../browser/dom.js";

/** @import { Words } from "../browser/types" */
/** @import { Parts, State } from "./types" */
/** @typedef {[value: string, label: string, title?: string]} Option */
/** @typedef {{ isOffered?: boolean, isUsed?: boolean }} Usable */
/** @typedef {{ node: HTMLElement, show(value: string, usable?: Usable): void }} Choice */
/** @typedef {{ node: HTMLElement, offer(offered: Option[]): void, show(value: string): void }} Select */

const groups = { count: 0 };

/** @type {(legend: string, options: Option[], onChoose: (value: any) => void) => Choice} */
function choice(legend, options, onChoose) {
  groups.count += 1;
  const name = `explorer-${groups.count}`;
  /** @type {Map<string, HTMLInputElement>} */
  const inputs = new Map();
  const labels = options.map(([value, label, title]) => {
    const input = element("input", { type: "radio", name, value });
    input.addEventListener("change", () => onChoose(value));
    inputs.set(value, input);
    return element("label", { title: title ?? null }, input, element("span", {}, label));
  });
  const node = element("fieldset", { class: "choice" }, element("legend", {}, legend), ...labels);
  return {
    node,
    // What means nothing for the moment keeps its place, so that nothing beside it moves.
    show(value, { isOffered = true, isUsed = true } = {}) {
      node.hidden = !isOffered;
      node.disabled = !isUsed;
      const input = inputs.get(value);
      if (input) input.checked = true;
    },
  };
}

/** @type {(label: string, title: string, onChange: (isOn: boolean) => void) => { node: HTMLElement; show(isOn: boolean): void }} */
function tick(label, title, onChange) {
  const input = element("input", { type: "checkbox" });
  input.addEventListener("change", () => onChange(input.checked));
  const node = element("label", { class: "tick", title }, input, element("span", {}, label));
  return {
    node,
    show: (isOn) => {
      input.checked = isOn;
    },
  };
}

/** @type {(text: Words, onChange: (value: number) => void) => { node: HTMLElement; show(value: number): void }} */
function threshold(text, onChange) {
  const input = element("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": text["threshold"] });
  const output = element("output");
  input.addEventListener("input", () => onChange(Number(input.value)));
  const node = element("label", { class: "slider", title: text["threshold help"] }, text["threshold"], input, output);
  return {
    node,
    show(value) {
      if (Number(input.value) !== value) input.value = String(value);
      setText(output, value.toFixed(2));
    },
  };
}

/** @type {(label: string, options: Option[], onChoose: (value: any) => void) => Select} */
export function select(label, options, onChoose) {
  const list = element("select", { "aria-label": label });
  list.addEventListener("change", () => onChoose(list.value));
  /** @type {(offered: Option[]) => void} */
  const offer = (offered) => {
    const names = new Set([...list.options].map(({ value }) => value));
    if (names.size === offered.length && offered.every(([value]) => names.has(value))) return;
    list.replaceChildren(...offered.map(([value, name]) => element("option", { value }, name)));
  };
  offer(options);
  return {
    node: element("label", { class: "select" }, label, list),
    offer,
    show: (value) => {
      list.value = value;
    },
  };
}

/** @type {(parts: Parts) => { node: HTMLElement; rest: HTMLElement; show(state: State): void }} */
export function createControls({ text, kinds, comparisons, hasSpecial, hasWords, isMeasure, choose }) {
  /** @type {(group: string, values: string[]) => Option[]} */
  const options = (group, values) =>
    values.map((value) => [value, text[`${group} ${value}`], text[`${group} ${value} help`]]);
  const kind = choice(text["kind"], options("kind", kinds), (value) =>
    choose({ kind: value, pins: [], preview: null }),
  );
  const combine = choice(text["combine"], options("combine", ["mean", "max"]), (value) => choose({ combine: value }));
  const grain = choice(text["by"], options("by", ["pieces", "words"]), (value) => choose({ grain: value }));
  const least = threshold(text, (value) => choose({ threshold: value }));
  const hide = tick(text["hide special"], text["hide special help"], (isOn) => choose({ hide_special: isOn }));
  const whole = tick(text["normalise"], text["normalise help"], (isOn) => choose({ normalise: isOn }));
  const compare = select(text["compare"], options("compare", comparisons), (value) => choose({ compare: value }));
  // These wait behind a button, so that the picture comes sooner.
  const rest = element("div", { class: "rest" }, least.node, hide.node, whole.node, compare.node);
  const more = element("button", { type: "button", class: "more", "aria-expanded": "false" }, text["more"]);
  /** @type {(isOpen: boolean) => void} */
  const open = (isOpen) => {
    rest.classList.toggle("open", isOpen);
    more.setAttribute("aria-expanded", String(isOpen));
  };
  more.addEventListener("click", () => open(!rest.classList.contains("open")));
  const node = element("div", { class: "controls" }, kind.node, grain.node, combine.node, more);
  return {
    node,
    rest,
    show(state) {
      kind.show(state.kind, { isOffered: kinds.length > 1 });
      grain.show(state.grain, { isOffered: hasWords });
      combine.show(state.combine, { isUsed: state.heads.length > 1 && state.compare !== "heads" });
      least.show(state.threshold);
      hide.show(state.hide_special);
      hide.node.hidden = !hasSpecial;
      whole.node.hidden = !hasSpecial && !isMeasure;
      whole.show(state.normalise);
      compare.show(state.compare);
      // What changes the picture is in sight, also where a link has chosen it.
      if (state.threshold || state.hide_special || state.normalise || state.compare !== "off") open(true);
    },
  };
}
