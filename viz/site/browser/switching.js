// What can be switched off in a translator, by the codes that links carry, and what each is worth to a translation:
// the counterpart of viz/pages/interventions/study.

import { fill } from "../../components/browser/dom.js";
import { stackOf, unchanged } from "../engine/graph.js";
import { logSoftmax, rowsOf } from "./arrays.js";
import { loadedOnce } from "./once.js";

/** @import { Changes, Config, IsLast, Stack, Translation } from "../engine/types" */
/** @import { LoadedTranslator } from "./translators.js" */

/** @typedef {{ code: string, sort: "head" | "attention" | "feed-forward", stack: Stack, kind: string, layer: number, head: number, place: number }} Part ``layer`` and ``head`` count from 1, and a head is 0 where there is none; ``place`` is among the factors of its stack */

/** @type {Record<string, string>} */
const SORTS = { self_attention: "attention", cross_attention: "attention", feed_forward: "feed-forward" };

// Heads first, then whole blocks.
/** @type {(config: Config) => Part[]} */
export function partsOf(config) {
  /** @type {Part[]} */
  const heads = [];
  /** @type {Part[]} */
  const wholes = [];
  for (const stack of /** @type {Stack[]} */ (["encoder", "decoder"])) {
    const { nLayers, blocks } = stackOf(config, stack);
    const attention = blocks.filter((block) => block.endsWith("attention"));
    for (let layer = 1; layer <= nLayers; layer += 1) {
      blocks.forEach((block, index) => {
        const kind = block === "cross_attention" ? "cross" : stack;
        const sort = /** @type {Part["sort"]} */ (SORTS[block]);
        const code = `${kind}.${layer}.${sort}`;
        wholes.push({ code, sort, stack, kind, layer, head: 0, place: (layer - 1) * blocks.length + index });
        if (sort !== "attention") return;
        const row = (layer - 1) * attention.length + attention.indexOf(block);
        for (let head = 1; head <= config.n_heads; head += 1) {
          const place = row * config.n_heads + head - 1;
          heads.push({ code: `${kind}.${layer}.${head}`, sort: "head", stack, kind, layer, head, place });
        }
      });
    }
  }
  return [...heads, ...wholes];
}

// The factors with which ``parts`` are off.
/** @type {(config: Config, parts: Part[]) => Changes} */
export function without(config, parts) {
  /** @type {Changes} */
  const changes = {};
  for (const { stack, sort, place } of parts) {
    changes[stack] ??= unchanged(config, stack);
    changes[stack][sort === "head" ? "heads" : "blocks"][place] = 0;
  }
  return changes;
}

/** @typedef {(tokens: number[], changes?: Changes) => Promise<number>} Score the log-probability of a target */

// What scores targets of the source of ``translation``.
/** @type {(model: LoadedTranslator, translation: Translation, isLast: IsLast) => Score} */
export function scoreOf({ translator: { model, tokenizer } }, translation, isLast) {
  const source = tokenizer.idsOf(translation.source.pieces);
  const encoded = (/** @type {Changes} */ changes) => model.encode(source, [], { changes, isLast });
  const whole = loadedOnce(() => encoded({}));
  return async (tokens, changes = {}) => {
    // Only one that is changed reads the source in another way: the others share what it makes of it.
    const { newDecoder } = await (changes.encoder ? encoded(changes) : whole());
    const { logits } = await newDecoder(changes).step([[model.config.bos_id, ...tokens.slice(0, -1)]]);
    const rows = rowsOf({ values: logits.values, shape: logits.shape.slice(1) });
    return total(tokens.map((token, place) => logSoftmax(rows[place])[token]));
  };
}

/** @type {(numbers: number[]) => number} */
export const total = (numbers) => numbers.reduce((sum, one) => sum + one, 0);

// What a part is called in a sentence, or in a list where ``form`` is "short".
/** @type {(part: Part, text: Record<string, string>, form?: "name" | "short") => string} */
export function nameOf({ sort, stack, kind, layer, head }, text, form = "name") {
  const names =
    form === "name"
      ? { kind: text[`kind ${kind}`], stack: text[`stack ${stack}`] }
      : { kind: text[`short kind ${kind}`], stack: text[`short kind ${stack}`] };
  return fill(text[`${form} ${sort}`], { layer, head, ...names });
}

// Whether each word of ``ours`` stands in a longest common sequence with ``theirs``.
/** @type {(ours: string[], theirs: string[]) => boolean[]} */
export function shared(ours, theirs) {
  const lengths = Array.from({ length: ours.length + 1 }, () => new Uint16Array(theirs.length + 1));
  for (let one = ours.length - 1; one >= 0; one -= 1)
    for (let other = theirs.length - 1; other >= 0; other -= 1)
      lengths[one][other] =
        ours[one] === theirs[other]
          ? lengths[one + 1][other + 1] + 1
          : Math.max(lengths[one + 1][other], lengths[one][other + 1]);
  /** @type {boolean[]} */
  const isShared = ours.map(() => false);
  let [one, other] = [0, 0];
  while (one < ours.length && other < theirs.length) {
    if (ours[one] === theirs[other]) {
      isShared[one] = true;
      one += 1;
      other += 1;
    } else if (lengths[one + 1][other] >= lengths[one][other + 1]) one += 1;
    else other += 1;
  }
  return isShared;
}
