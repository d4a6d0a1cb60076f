// What is open: a part, with a layer and a head where it has them, a row, the step of a head, a key and a position.

import { clamp } from "../../../../components/browser/numbers.js";
import { stepsOf } from "./head.js";
import { sidesOf } from "./heads.js";
import { isAttention } from "./opened.js";

// A state with everything that it needs, and nothing that is not there; ``player`` knows the word at rest.
export function fitted({ header, blocks, player }, place) {
  const { part, layer, head, row, step, key = null, position = null, pointed = null } = place;
  const own = isOfSource(part) ? strongestSource({ header, blocks }, player.resting) : player.resting;
  const needsLayer = isAttention(part) || part.includes("feed forward");
  const first = isAttention(part) ? clearest(header, part).layer : layersOf(header, part) - 1;
  return {
    part,
    layer: needsLayer ? (layer ?? first) : null,
    head,
    row: clamp(row ?? own, 0, rowsOf(header, part) - 1),
    step: head !== null && stepsOf(part).includes(step) ? step : null,
    key: head !== null && key !== null ? clamp(key, 0, sidesOf(header, part).keys.length - 1) : null,
    position,
    pointed, // the head that was clicked in the whole picture
  };
}

// How far in it is open: a part, a head of it, or a cell of that.
export const levelOf = ({ head, key }) => (head === null ? 1 : key === null ? 2 : 3);

// What is open, as the way back counts it: at whatever row, all is one and the same.
export const nameOf = (state) => (state ? `${state.part} ${levelOf(state)}` : "");

// The same, open no further in than ``level``.
export const upTo = (state, level) => ({ ...state, key: null, ...(level === 1 ? { head: null, step: null } : {}) });

export function stepAfter({ part, step }, by) {
  const steps = stepsOf(part);
  const place = steps.indexOf(step);
  if (place < 0) return by > 0 ? steps[0] : steps[steps.length - 1];
  return steps[(place + by + steps.length) % steps.length];
}

// The head that tells the tokens apart most clearly, and its layer.
export function clearest(header, part) {
  let best = { layer: 0, head: 0, clearness: -1 };
  header.clearness[part].forEach((heads, layer) =>
    heads.forEach((clearness, head) => {
      if (clearness > best.clearness) best = { layer, head, clearness };
    }),
  );
  return best;
}

export function isOfSource(part) {
  return part === "source" || part === "memory" || part.startsWith("encoder");
}

export function rowsOf(header, part) {
  if (isAttention(part)) return sidesOf(header, part).queries.length;
  return isOfSource(part) ? header.source.length : header.written.length;
}

// The mean weight of all heads of the last decoder layer on each source token, while the step's token is written.
export function weightsOf({ header: { source, written, sizes }, blocks }, step) {
  const size = written.length * source.length;
  const first = (sizes.n_decoder_layers - 1) * sizes.n_heads;
  return source.map((_, key) => {
    let sum = 0;
    for (let head = 0; head < sizes.n_heads; head += 1) {
      sum += blocks.cross[(first + head) * size + (step ?? 0) * source.length + key];
    }
    return sum / sizes.n_heads / 255;
  });
}

function layersOf(header, part) {
  return header.sizes[part.startsWith("encoder") ? "n_encoder_layers" : "n_decoder_layers"];
}

// The source token that the word at rest reads most; the end, on which heads rest, only where nothing else is there.
function strongestSource(model, resting) {
  const weights = weightsOf(model, resting);
  const words = weights.length > 1 ? weights.slice(0, -1) : weights;
  return words.indexOf(Math.max(...words));
}
