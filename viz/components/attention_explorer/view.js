// What is chosen, as a state that tells who listens.

import { ordersOf } from "./measures.js";

export function createStore(initial) {
  let state = initial;
  const listeners = new Set();
  return {
    get: () => state,
    set(patch) {
      const before = state;
      state = { ...state, ...patch };
      for (const listener of listeners) listener(state, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

// The fields of Python's ExplorerView, under the same names; the rest of the state belongs to the moment.
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

export function fieldsOfView(state) {
  return Object.fromEntries(FIELDS.map((name) => [name, state[name]]));
}

export function samePin([query, key]) {
  return (other) => other[0] === query && other[1] === key;
}

export function togglePin(pins, pin, maxPins) {
  return pins.some(samePin(pin)) ? pins.filter((other) => !samePin(pin)(other)) : [...pins, pin].slice(-maxPins);
}

export function sameHead([layer, head]) {
  return (other) => other[0] === layer && other[1] === head;
}

// At least one head stays.
export function toggleHead(heads, head) {
  const without = heads.filter((other) => !sameHead(head)(other));
  return without.length < heads.length ? (without.length ? without : heads) : [...heads, head];
}

// The order of heads, or the model's where the kind cannot be ordered so.
export function fitOrder({ kind, sort }, field) {
  return ordersOf(field.of(kind)).includes(sort) ? sort : "layer";
}

// What a recording does not have is left out: a kind, heads, an order, pins, a step.
export function fitView(view, field, nSteps) {
  const kind = field.kinds.includes(view.kind) ? view.kind : field.kinds[0];
  const { layers, heads, rows, columns } = field.of(kind);
  const kept = view.heads.filter(([layer, head]) => layer < layers && head < heads);
  const pins = view.pins.filter(([query, key]) => query < rows.labels.length && (key ?? 0) < columns.labels.length);
  const step = view.step !== null && view.step < nSteps ? view.step : null;
  const sort = fitOrder({ kind, sort: view.sort }, field);
  return { ...view, kind, heads: kept.length ? kept : [[layers - 1, 0]], sort, pins, step };
}
