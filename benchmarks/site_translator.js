// Translates by the engine of the site: a request on standard input, answers on standard output.

import { readFileSync } from "node:fs";
import * as ort from "onnxruntime-web/wasm";
import { loadTranslator, SourceTextError } from "../viz/site/engine/translator.js";

const { files, pieces, config, options, hasCapitalNouns, texts, asked, looksInside, atOnce } = JSON.parse(
  readFileSync(0, "utf-8"),
);
const bytes = (path) => new Uint8Array(readFileSync(path));

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmBinary = bytes(files.wasm).buffer;
const start = performance.now();
const translator = await loadTranslator(ort, {
  graphs: { encoder: bytes(files.encoder), step: bytes(files.step) },
  weights: bytes(files.weights),
  pieces,
  config,
  options,
  hasCapitalNouns,
});
const loaded = performance.now() - start;

async function answer(text, each) {
  const start = performance.now();
  try {
    const translation = await translator.translate(text, each);
    const milliseconds = performance.now() - start;
    return { translation, milliseconds, seen: looksInside && (await translator.lookInside(translation, each)) };
  } catch (error) {
    if (!(error instanceof SourceTextError)) {
      throw error;
    }
    return { error: { ...error } };
  }
}

const answers = [];
for (const text of texts) {
  for (const each of asked) {
    const one = answer(text, each);
    answers.push(atOnce ? one : await one);
  }
}
const asJson = (_, value) =>
  value instanceof Float32Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")
    : value;
process.stdout.write(
  JSON.stringify({ answers: await Promise.all(answers), loaded, bytes: process.memoryUsage().rss }, asJson),
);
