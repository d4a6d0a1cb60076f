// A trained translator in the browser: text in; translation, alternatives and attention out: model/decoding/translator.py.

import { wholeCharacters } from "./constraints.js";
import { loadModel } from "./graph.js";
import { byHookPoint, ENCODER_OUTPUTS, STEP_OUTPUTS } from "./hooks.js";
import { inTurn } from "./in_turn.js";
import { joinElisions, lowerCapitals, simplify } from "./normalization.js";
import { DEFAULTS } from "./options.js";
import { searchOne } from "./search.js";
import { Tokenizer, UNKNOWN_ID } from "./tokenizer.js";
import { readWeights } from "./weights.js";

/** @import { Model } from "./graph" */
/** @import { Asked, DecodingOptions, Ort, Parts, SearchResult, Seen, SourceTextKey, Token, TokenSequence, Translation } from "./types" */

export const MAX_SOURCE_TOKENS = 256;

// A text or a beginning that cannot be translated; it has `given` tokens, `most` are allowed.
export class SourceTextError extends Error {
  /** @param {SourceTextKey} key @param {number} given */
  constructor(key, given) {
    super(`${key}: ${given} tokens, at most ${MAX_SOURCE_TOKENS}`);
    this.key = key;
    this.given = given;
    this.most = MAX_SOURCE_TOKENS;
  }
}

/** @type {(ort: Ort, parts: Parts) => Promise<Translator>} */
export async function loadTranslator(ort, { graphs, weights, pieces, config, options, hasCapitalNouns, isLast }) {
  const read = await inTurn(() => readWeights(weights), isLast);
  const model = await loadModel(ort, graphs, read, config, isLast);
  return new Translator(model, new Tokenizer(pieces), { ...DEFAULTS, ...options }, hasCapitalNouns);
}

export class Translator {
  /** @param {Model} model @param {Tokenizer} tokenizer @param {DecodingOptions} options @param {boolean} hasCapitalNouns */
  constructor(model, tokenizer, options, hasCapitalNouns = false) {
    this.model = model;
    this.tokenizer = tokenizer;
    this.options = options;
    this.hasCapitalNouns = hasCapitalNouns;
    this.wholeCharacters = wholeCharacters(tokenizer.vocabulary);
  }

  // Throws a SourceTextError: no token in the text, too many in it or in the beginning, or one there that is no text.
  /** @type {(text: string, asked?: Asked) => Promise<Translation>} */
  async translate(text, { prefix = "", changes, isLast, ...options } = {}) {
    const source = this.#source(this.simplify(text));
    const result = await searchOne(this.model, {
      source,
      options: { ...this.options, ...options },
      prefix: this.#prefix(prefix),
      constraints: [this.wholeCharacters],
      changes,
      isLast,
    });
    return this.#translation(source, result);
  }

  // A text as the encoder reads it; throws as translate() does.
  /** @type {(text: string) => TokenSequence} */
  read = (text) => this.tokenizer.sequence(this.#source(text));

  // A text with plain forms of what the tokenizer would cut into bytes, or into letters.
  /** @type {(text: string) => string} */
  simplify(text) {
    const count = (/** @type {string} */ part) => this.tokenizer.encode(part).length;
    return lowerCapitals(simplify(text, this.tokenizer.knows), count, this.hasCapitalNouns);
  }

  // The text that written tokens make.
  /** @type {(tokens: number[]) => string} */
  textOf = (tokens) => joinElisions(this.tokenizer.decode(tokens));

  // All that the graphs show of a translation, by hook point, and the `logits` [P, V]; it takes one pass.
  /** @type {(translation: Translation, asked?: Pick<Asked, "changes" | "isLast">) => Promise<Seen>} */
  async lookInside(translation, asked) {
    const { config } = this.model;
    const source = this.tokenizer.idsOf(translation.source.pieces);
    const read = [config.bos_id, ...translation.hypotheses[0].tokens.slice(0, -1)];
    const { newDecoder, seen } = await this.model.encode(source, ENCODER_OUTPUTS, asked);
    const outputs = await newDecoder().step([read], STEP_OUTPUTS);
    return { ...byHookPoint(config, "encoder", seen), ...byHookPoint(config, "decoder", outputs) };
  }

  release = () => this.model.release();

  /** @type {(text: string) => number[]} */
  #source(text) {
    const ids = this.tokenizer.encode(text);
    if (!ids.length) {
      throw new SourceTextError("no text", 0);
    }
    if (ids.length > MAX_SOURCE_TOKENS) {
      throw new SourceTextError("text too long", ids.length);
    }
    return [...ids, this.model.config.eos_id];
  }

  /** @type {(prefix: string | number[]) => number[]} */
  #prefix(prefix) {
    const ids = typeof prefix === "string" ? this.tokenizer.encode(prefix) : prefix;
    if (ids.length > MAX_SOURCE_TOKENS) {
      throw new SourceTextError("beginning too long", ids.length);
    }
    const { pad_id, bos_id, eos_id } = this.model.config;
    if (!ids.every((id) => id in this.tokenizer.vocabulary && ![pad_id, bos_id, eos_id, UNKNOWN_ID].includes(id))) {
      throw new SourceTextError("beginning is no text", ids.length);
    }
    return ids;
  }

  /** @type {(source: number[], result: SearchResult) => Translation} */
  #translation(source, { hypotheses, alternatives, patterns }) {
    const [{ tokens, logProbabilities }] = hypotheses;
    const { tokenizer } = this;
    /** @type {(id: number, probability: number) => Token} */
    const token = (id, probability) => ({ id, piece: tokenizer.vocabulary[id], probability });
    return {
      source: tokenizer.sequence(source),
      read: tokenizer.sequence([this.model.config.bos_id, ...tokens.slice(0, -1)]),
      target: tokenizer.sequence(tokens),
      tokens: tokens.map((id, place) => ({
        ...token(id, Math.exp(logProbabilities[place])),
        alternatives: alternatives[place].map((each) => token(each.id, each.probability)),
      })),
      text: this.textOf(tokens),
      hypotheses,
      patterns,
    };
  }
}
