// The entry of the site as one file, after the function ``start``: parts of the file by name, each zipped, as base64.

async function load(name) {
  const script = document.querySelector(`script[data-asset="${name}"]`);
  if (!script) throw new Error(`${name} is not in this file.`);
  const letters = atob(script.textContent);
  const zipped = new Uint8Array(letters.length);
  for (let index = 0; index < zipped.length; index += 1) zipped[index] = letters.charCodeAt(index);
  const unzipped = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unzipped).arrayBuffer());
}

async function imported(name) {
  const address = URL.createObjectURL(new Blob([await load(name)], { type: "text/javascript" }));
  const module = await import(address);
  URL.revokeObjectURL(address);
  return module;
}

const assets = [...document.querySelectorAll("script[data-asset]")].map(({ dataset }) => dataset.asset);
const languages = assets.flatMap((name) => /^words-(\w+)\.json$/.exec(name)?.[1] ?? []);
start({ base: "", isOneFile: true, languages, load, imported, components: globalThis.components });
