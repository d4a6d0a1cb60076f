// The entry of the site as a folder of files.

import components from "./components.js";
import start from "./host.js";

const { base, languages, pages, version } = document.querySelector("script[data-base]").dataset;
const page = location.href;

// Files are zipped, whatever the server does; of one that says so, the browser unzips them by itself.
async function load(name) {
  const answer = await fetch(new URL(`${name}.bin`, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}.`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unzipped).arrayBuffer());
}

// A browser that could not load a module does not ask for it again at the same address.
const failures = {};
async function imported(name) {
  const again = failures[name] ? `?again=${failures[name]}` : "";
  try {
    return await import(`./${name}${again}`);
  } catch (error) {
    failures[name] = (failures[name] ?? 0) + 1;
    throw error;
  }
}

start({ base, isOneFile: false, languages: languages.split(" "), load, imported, components });

// After the first visit the site works without a network, where the browser keeps files for it: those, too, that are
// loaded before the worker is there.
async function keepFiles() {
  const address = new URL(`${base}worker.js?version=${version}`, page);
  const { installing, waiting, active } = await navigator.serviceWorker.register(address);
  const worker = installing ?? waiting ?? active;
  const addresses = pages.split(" ").map((name) => new URL(`${base}${name && `${name}/`}`, page).href);
  worker.postMessage([page, ...addresses]);
  const observer = new PerformanceObserver((list) => worker.postMessage(list.getEntries().map(({ name }) => name)));
  observer.observe({ type: "resource", buffered: true });
}

if (navigator.serviceWorker) keepFiles().catch(() => {});
