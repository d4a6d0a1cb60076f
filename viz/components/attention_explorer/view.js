// What is chosen, as a state that tells of its changes.

import { hasHead, ordersOf } from "./measures.js";

/** @import { ExplorerView } from "./header" */
/** @import { Fields, Head, Pin, State } from "./types" */
/** @typedef {(state: State, before: Partial<State>) => void} Listener */
/** @typedef {{ get(): State, set(patch: Partial<State>): void }} Store */

/** @type {(initial: State, changed: Listener) => Store} */
export function createStore(initial, changed) {
  let state = initial;
  return {
    get: () => state,
    set(patch) {
      const before = state;
      state = { ...state, ...patch };
      changed(state, before);
    },
  };
}

// The fields of Python's ExplorerView, under the same names; the rest of the state belongs to the moment.
/** @type {(keyof ExplorerView)[]} */
export const FIELDS = [
  "kind",
  "heads",
  "combine",
  "grain",
  "pins",
  "threshold",
  "hide_special",
  "normalise",
  "sort",
  "compare",
  "step",
];

/** @type {(state: State) => Record<string, unknown>} */
export function fieldsOfView(state) {
  return Object.fromEntries(FIELDS.map((name) => [name, state[name]]));
}

/** @type {(pin: Pin) => (other: Pin) => boolean} */
function samePin([query, key]) {
  return (other) => other[0] === query && other[1] === key;
}

/** @type {(pins: Pin[], pin: Pin, maxPins: number) => Pin[]} */
export function togglePin(pins, pin, maxPins) {
  return pins.some(samePin(pin)) ? pins.filter((other) => !samePin(pin)(other)) : [...pins, pin].slice(-maxPins);
}

// The pin that a finger has set, which leaves the picture before it: the last one that is new, until it goes or another
// token is written.
/** @type {(touched: Pin | null, state: Pick<State, "pins" | "step">, before?: Pick<State, "pins" | "step">) => Pin | null} */
export function touchedPin(touched, { pins, step }, before) {
  const newest = pins.at(-1);
  if (before && newest && !before.pins.some(samePin(newest))) return newest;
  return touched && step === before?.step && pins.some(samePin(touched)) ? touched : null;
}

/** @type {(head: Head) => (other: Head) => boolean} */
export function sameHead([layer, head]) {
  return (other) => other[0] === layer && other[1] === head;
}

// At least one head stays.
/** @type {(heads: Head[], head: Head) => Head[]} */
export function toggleHead(heads, head) {
  const without = heads.filter((other) => !sameHead(head)(other));
  return without.length < heads.length ? (without.length ? without : heads) : [...heads, head];
}

// The order of heads, or the model's where the kind cannot be ordered so.
/** @type {(view: Pick<ExplorerView, "kind" | "sort">, field: Fields) => ExplorerView["sort"]} */
export function fitOrder({ kind, sort }, field) {
  return ordersOf(field.of(kind)).includes(sort) ? sort : "layer";
}

// Those of a list that pass; the same list where all do, because another one is drawn once more.
/** @template T @param {T[]} list @param {(one: T) => boolean} passes @returns {T[]} */
function thoseThat(list, passes) {
  return list.every(passes) ? list : list.filter(passes);
}

// What a recording does not have is left out: a kind, heads, an order, pins, a step.
/** @template {ExplorerView} V @param {V} view @param {Fields} field @param {number} nSteps @returns {V} */
export function fitView(view, field, nSteps) {
  const kind = /** @type {ExplorerView["kind"]} */ (field.kinds.includes(view.kind) ? view.kind : field.kinds[0]);
  const shown = field.of(kind);
  const { layers, rows, columns } = shown;
  const heads = thoseThat(view.heads, ([layer, head]) => hasHead(shown, layer, head));
  const pins = thoseThat(view.pins, ([query, key]) => query < rows.labels.length && (key ?? 0) < columns.labels.length);
  const step = view.step !== null && view.step < nSteps ? view.step : null;
  const sort = fitOrder({ kind, sort: view.sort }, field);
  return { ...view, kind, heads: heads.length ? heads : [[layers - 1, 0]], sort, pins, step };
}
