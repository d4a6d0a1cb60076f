// The entry of the site as a folder of files.

import components from "./components.js";
import start from "./host.js";

const { base, version } = document.querySelector("script[data-base]").dataset;
const assets = new URL(`${base}assets/`, location.href);

// Files are zipped, whatever the server does; of one that says so, the browser unzips them by itself.
async function load(name) {
  const answer = await fetch(new URL(`${name}.bin`, assets));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}.`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unzipped).arrayBuffer());
}

async function loadRuntime() {
  const [ort, wasm] = await Promise.all([import("./ort.mjs"), load("ort.wasm")]);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = wasm.buffer;
  return ort;
}

let plotly;
function loadPlotly() {
  plotly ??= import("./plotly.js").then(() => globalThis.Plotly);
  return plotly;
}

start({ base, load, loadRuntime, loadPlotly, components });
// After the first visit the site works without a network, where the browser keeps files for it.
navigator.serviceWorker?.register(new URL(`${base}worker.js?version=${version}`, location.href)).catch(() => {});
