// What is chosen, as a state that tells who listens, and as the parameters of a URL. There all is counted from 1.

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

export const CHOSEN = {
  kind: "encoder",
  heads: [[0, 0]],
  combine: "mean",
  grain: "pieces",
  pins: [],
  threshold: 0,
  hideSpecial: false,
  normalise: false,
  sort: "layer",
  compare: "off",
  step: null,
};

export const MOST_PINS = 16;

const plain = [(text) => text, (value) => value];
const toggle = [(text) => text === "1", (value) => (value ? "1" : "0")];
const pair = (text) => text.split(".").map((part) => Number(part) - 1);
const pairText = (numbers) => numbers.filter((part) => part !== null).map((part) => part + 1).join(".");

// Of each field: its parameter, how it is read and how it is written.
const CODECS = {
  kind: ["kind", ...plain],
  heads: ["heads", (text) => text.split("-").map(pair), (heads) => heads.map(pairText).join("-")],
  combine: ["combine", ...plain],
  grain: ["by", ...plain],
  pins: ["pins", readPins, (pins) => pins.map(pairText).join("-")],
  threshold: ["threshold", Number, (value) => String(Number(value.toPrecision(3)))],
  hideSpecial: ["hide", ...toggle],
  normalise: ["normalise", ...toggle],
  sort: ["sort", ...plain],
  compare: ["compare", ...plain],
  step: ["step", (text) => Number(text) - 1, (step) => String(step + 1)],
};

function readPins(text) {
  return text.split("-").filter(Boolean).map((part) => {
    const [query, key = null] = pair(part);
    return [query, key];
  });
}

// Python's side has checked the parameters.
export function parseView(parameters) {
  const fields = Object.entries(CODECS).filter(([, [name]]) => name in parameters);
  return { ...CHOSEN, ...Object.fromEntries(fields.map(([field, [name, read]]) => [field, read(parameters[name])])) };
}

export function formatView(view) {
  const usual = writtenFields(CHOSEN);
  const written = writtenFields(view);
  const differing = Object.entries(CODECS).filter(([field]) => written[field] !== usual[field]);
  return Object.fromEntries(differing.map(([field, [name]]) => [name, written[field]]));
}

function writtenFields(view) {
  return Object.fromEntries(
    Object.entries(CODECS).map(([field, [, , write]]) => [field, view[field] === null ? "" : write(view[field])]),
  );
}

export function samePin([query, key]) {
  return (other) => other[0] === query && other[1] === key;
}

export function togglePin(pins, pin) {
  return pins.some(samePin(pin)) ? pins.filter((other) => !samePin(pin)(other)) : [...pins, pin].slice(-MOST_PINS);
}

export function sameHead([layer, head]) {
  return (other) => other[0] === layer && other[1] === head;
}

// At least one head stays.
export function toggleHead(heads, head) {
  const without = heads.filter((other) => !sameHead(head)(other));
  return without.length < heads.length ? (without.length ? without : heads) : [...heads, head];
}

// What a recording does not have is left out: a kind, heads, pins, a step.
export function fitView(view, field, nSteps) {
  const kind = field.kinds.includes(view.kind) ? view.kind : field.kinds[0];
  const { layers, heads, rows, columns } = field.of(kind);
  const kept = view.heads.filter(([layer, head]) => layer < layers && head < heads);
  const pins = view.pins.filter(([query, key]) => query < rows.labels.length && (key ?? 0) < columns.labels.length);
  const step = view.step !== null && view.step < nSteps ? view.step : null;
  return { ...view, kind, heads: kept.length ? kept : [[layers - 1, 0]], pins, step };
}
