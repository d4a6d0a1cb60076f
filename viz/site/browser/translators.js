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

// onnxruntime-web, ready to run.
/** @type {(load: Load, imported: (name: string) => Promise<Ort>) => Promise<Ort>} */
export async function runtimeOf(load, imported) {
  const [ort, wasm] = await Promise.all([imported("ort.mjs"), load("ort.wasm")]);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = wasm.buffer;
  return ort;
}

export class Translators {
  /** @param {Load} load @param {() => Promise<Ort>} loadRuntime onnxruntime-web, ready to run */
  constructor(load, loadRuntime) {
    this.load = load;
    this.loadRuntime = loadedOnce(loadRuntime);
    /** @type {Map<string, Promise<LoadedTranslator>>} */
    this.loaded = new Map();
    /** @type {WeakSet<Promise<LoadedTranslator>>} */
    this.ready = new WeakSet();
  }

  /** @param {string} name */
  isLoaded(name) {
    const loading = this.loaded.get(name);
    return loading !== undefined && this.ready.has(loading);
  }

  // Those that were asked for before the last two are dropped; one that is still loading has an OvertakenError.
  /** @type {(name: string) => Promise<LoadedTranslator>} */
  of(name) {
    const loading = this.loaded.get(name) ?? this.begun(name);
    this.loaded.delete(name);
    this.loaded.set(name, loading);
    for (const [other, model] of [...this.loaded].slice(0, -MOST_LOADED)) {
      this.loaded.delete(other);
      model.then(({ translator }) => translator.release()).catch(() => {});
    }
    return loading;
  }

  /** @param {string} name */
  begun(name) {
    const isKept = () => this.loaded.get(name) === loading;
    const loading = this.fetched(name, isKept);
    // One that could not be loaded is asked for again.
    const failed = () => isKept() && this.loaded.delete(name);
    loading.then(() => this.ready.add(loading), failed);
    return loading;
  }

  /** @type {(name: string, isKept: () => boolean) => Promise<LoadedTranslator>} */
  async fetched(name, isKept) {
    const [ort, about, weights] = await Promise.all([
      this.loadRuntime(),
      this.load(`${name}.json`),
      this.load(`${name}.weights`),
    ]);
    const { config, pieces, options, hasCapitalNouns, graph } = jsonOf(about);
    const [encoder, step] = await Promise.all(["encoder", "step"].map((part) => this.load(`${graph}.${part}`)));
    const parts = { graphs: { encoder, step }, weights, pieces, config, options, hasCapitalNouns, isLast: isKept };
    const translator = await loadTranslator(ort, parts);
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
