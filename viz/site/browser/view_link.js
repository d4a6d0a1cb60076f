// What is chosen in the explorer as a link carries it: the counterpart of viz/components/attention_explorer/view.py.

/** @import { Allowed, Site } from "./site.js" */
/** @import { ExplorerView } from "../../components/attention_explorer/header" */

const MAX_HEADS = 400;
const MAX_PINS = 16;

/** @type {ExplorerView} */
const DEFAULT = {
  kind: "encoder",
  heads: [[0, 0]],
  combine: "mean",
  grain: "pieces",
  pins: [],
  threshold: 0,
  hide_special: false,
  normalise: false,
  sort: "layer",
  compare: "off",
  step: null,
};

/** @type {(...options: string[]) => Codec} */
const choice = (...options) => ({
  read: (text) => (options.includes(text) ? text : undefined),
  write: (value) => value,
  allowed: options.join(", "),
});
/** @type {Codec} */
const flag = {
  read: (text) => (["0", "1"].includes(text) ? text === "1" : undefined),
  write: (value) => String(Number(value)),
  allowed: "0, 1",
};
const fromOne = (/** @type {string} */ text) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) - 1 : Number.NaN);

// The number that a link writes, as the app reads it; NaN where it is none.
/** @type {(text: string, options?: { isWhole?: boolean }) => number} */
export function numberIn(text, { isWhole = false } = {}) {
  const form = isWhole ? /^\s*[+-]?\d+\s*$/ : /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
  return form.test(text) ? Number(text) : Number.NaN;
}

/** @type {(text: string) => [number, number] | undefined} */
function pair(text) {
  const parts = text.split(".").map(fromOne);
  return parts.length === 2 && parts.every(Number.isInteger) ? [parts[0], parts[1]] : undefined;
}

// Each part once: a number has one form.
/** @param {string[]} parts */
const distinct = (parts) => [...new Set(parts)];

/** @typedef {{ read: (text: string) => any, write: (value: any) => string, allowed: Allowed }} Codec */

/** @type {Record<keyof ExplorerView, [string, Codec]>} */
const CODECS = {
  kind: ["kind", choice("encoder", "decoder", "cross", "all")],
  heads: [
    "heads",
    {
      read: (text) => {
        const heads = all(distinct(text.split("-")).map(pair));
        return heads && heads.length <= MAX_HEADS ? heads : undefined;
      },
      write: (value) => value.map((/** @type {number[]} */ [layer, head]) => `${layer + 1}.${head + 1}`).join("-"),
      allowed: { example: "1.1-2.8" },
    },
  ],
  combine: ["combine", choice("mean", "max")],
  grain: ["by", choice("pieces", "words")],
  pins: [
    "pins",
    {
      read: (text) =>
        all(
          distinct(text.split("-"))
            .filter(Boolean)
            .map((pin) =>
              pin.includes(".") ? pair(pin) : Number.isInteger(fromOne(pin)) ? [fromOne(pin), null] : undefined,
            ),
        )?.slice(0, MAX_PINS),
      write: (value) =>
        value
          .map((/** @type {[number, number | null]} */ [query, key]) =>
            key === null ? `${query + 1}` : `${query + 1}.${key + 1}`,
          )
          .join("-"),
      allowed: { example: "3-4.2" },
    },
  ],
  threshold: [
    "threshold",
    {
      read: (text) => (numberIn(text) >= 0 && numberIn(text) <= 1 ? numberIn(text) : undefined),
      write: (value) => String(Number(value.toPrecision(3))),
      allowed: "0 – 1",
    },
  ],
  hide_special: ["hide", flag],
  normalise: ["normalise", flag],
  sort: ["sort", choice("layer", "pointed", "entropy", "diagonal", "distance", "alignment")],
  compare: ["compare", choice("off", "heads", "recordings")],
  step: [
    "step",
    {
      read: (text) => (Number.isInteger(fromOne(text)) ? fromOne(text) : undefined),
      write: (value) => (value === null ? "" : String(value + 1)),
      allowed: { example: "2" },
    },
  ],
};

export const PARAMETERS = Object.values(CODECS).map(([key]) => key);
const FIELDS = /** @type {(keyof ExplorerView)[]} */ (Object.keys(CODECS));

// The view that a link describes; null where it describes none. Of what cannot be read or is not there, the site tells.
/** @type {(site: Pick<Site, "link" | "linked">, shape: Record<string, any>) => ExplorerView | null} */
export function readView(site, { n_encoder_layers, n_decoder_layers, n_heads }) {
  if (!PARAMETERS.some((key) => site.link.has(key))) return null;
  const nLayers = Math.max(n_encoder_layers, n_decoder_layers);
  const isThere = (/** @type {number[][]} */ heads) =>
    heads.every(([layer, head]) => layer < nLayers && head < n_heads);
  return /** @type {ExplorerView} */ (
    Object.fromEntries(
      FIELDS.map((name) => {
        const [key, codec] = CODECS[name];
        /** @param {string} text */
        const read = (text) => {
          const value = codec.read(text);
          return name === "heads" && value && !isThere(value) ? undefined : value;
        };
        const allowed = name === "heads" ? `1.1 – ${nLayers}.${n_heads}` : codec.allowed;
        const text = site.linked(key, (given) => read(given) !== undefined, allowed);
        return [name, text === null ? DEFAULT[name] : read(text)];
      }),
    )
  );
}

// What a link carries of ``view``: null for what is as by default, but for the kind.
/** @type {(view: ExplorerView) => Record<string, string | null>} */
export function linkOf(view) {
  return Object.fromEntries(
    FIELDS.map((name) => {
      const [key, codec] = CODECS[name];
      const text = codec.write(view[name]);
      return [key, name === "kind" || text !== codec.write(DEFAULT[name]) ? text : null];
    }),
  );
}

/** @type {<T>(parts: (T | undefined)[]) => T[] | undefined} */
function all(parts) {
  return parts.includes(undefined) ? undefined : /** @type {any} */ (parts);
}

/** @type {(alignment: number[][] | null, nLayers: number, nHeads: number) => ExplorerView} */
export function openingView(alignment, nLayers, nHeads) {
  const every = Array.from({ length: nHeads }, (_, head) => /** @type {[number, number]} */ ([nLayers - 1, head]));
  if (!alignment) return { ...DEFAULT, kind: "cross", heads: every };
  let [layer, head] = [0, 0];
  alignment.forEach((rates, row) =>
    rates.forEach((rate, column) => {
      if (rate < alignment[layer][head]) [layer, head] = [row, column];
    }),
  );
  return { ...DEFAULT, kind: "cross", heads: [[layer, head]] };
}
