// The translators of the site, each loaded when it is first asked for.

import { jsonOf } from "../../components/browser/payload.js";
import { readWeights } from "../engine/weights.js";
import { loadTranslator } from "../engine/translator.js";
import { loadedOnce } from "./once.js";

/** @import { Translator } from "../engine/translator.js" */
/** @import { Asked, Ort, Seen, Tensor, Translation } from "../engine/types" */
/** @import { Load } from "./types" */

// More would fill a phone's memory.
const MOST_LOADED = 2;

export class Translators {
  /** @param {Load} load @param {() => Promise<Ort>} loadRuntime onnxruntime-web, ready to run */
  constructor(load, loadRuntime) {
    this.load = load;
    this.loadRuntime = loadedOnce(loadRuntime);
    /** @type {Map<string, Promise<LoadedTranslator>>} */
    this.loaded = new Map();
    /** @type {Set<string>} */
    this.ready = new Set();
  }

  /** @param {string} name */
  isLoaded(name) {
    return this.ready.has(name);
  }

  /** @type {(name: string) => Promise<LoadedTranslator>} */
  of(name) {
    const known = this.loaded.get(name);
    this.loaded.delete(name);
    const loading = known ?? this.fetched(name);
    this.loaded.set(name, loading);
    // One that could not be loaded is asked for again.
    loading.catch(() => this.loaded.delete(name));
    for (const [other, model] of [...this.loaded].slice(0, -MOST_LOADED)) {
      this.loaded.delete(other);
      this.ready.delete(other);
      model.then(({ translator }) => translator.release()).catch(() => {});
    }
    return loading;
  }

  /** @param {string} name */
  async fetched(name) {
    const [ort, about, weights] = await Promise.all([
      this.loadRuntime(),
      this.load(`${name}.json`),
      this.load(`${name}.weights`),
    ]);
    const { config, pieces, options, hasCapitalNouns, graph } = jsonOf(about);
    const [encoder, step] = await Promise.all(["encoder", "step"].map((part) => this.load(`${graph}.${part}`)));
    const parts = { graphs: { encoder, step }, weights, pieces, config, options, hasCapitalNouns };
    const translator = await loadTranslator(ort, parts);
    this.ready.add(name);
    return new LoadedTranslator(translator, { config, pieces, weights });
  }
}

export class LoadedTranslator {
  /** @param {Translator} translator @param {{ config: Record<string, any>, pieces: string[], weights: Uint8Array }} parts */
  constructor(translator, { config, pieces, weights }) {
    this.translator = translator;
    this.config = config;
    this.pieces = pieces;
    this.ids = new Map(pieces.map((piece, id) => [piece, id]));
    this.file = weights;
    /** @type {Map<string, Tensor> | null} */
    this.read = null;
  }

  get weights() {
    this.read ??= readWeights(this.file);
    return this.read;
  }

  // A translation of ``text`` with all that is seen on its way; throws a SourceTextError.
  /** @type {(text: string, asked?: Asked) => Promise<{ translation: Translation, seen: Seen }>} */
  async translate(text, asked = {}) {
    const { translation } = await this.attend(text, asked);
    return { translation, seen: await this.translator.lookInside(translation, asked) };
  }

  // The same with the attention patterns alone, which takes one pass less.
  /** @type {(text: string, asked?: Asked) => Promise<{ translation: Translation, seen: Seen }>} */
  async attend(text, asked = {}) {
    const translation = await this.translator.translate(text, asked);
    return { translation, seen: translation.patterns };
  }
}
