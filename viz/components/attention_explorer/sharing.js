// One HTML file that holds the explorer, its data and nothing else: it opens anywhere, reaches for nothing, and runs
// nothing but the script with its nonce. Its template comes with the data; page_file.py fills it in the same way.

import { zippedText } from "../browser/zipped.js";

/** @import { PageParts } from "./types" */

const ENTRY = "export default mounted(";

// This very script: in a shared file it is in the page, elsewhere where it was loaded from.
async function ownSource() {
  const script = document.querySelector("script[data-explorer]");
  if (script) return script.textContent.slice(0, script.textContent.lastIndexOf("// begin"));
  const source = (await (await fetch(import.meta.url)).text()).replace(/\n\/\/# sourceURL=.*\s*$/, "");
  // The last one, because the text of it stands above too.
  const entry = source.lastIndexOf(ENTRY);
  return `${source.slice(0, entry)}const open = mounted(${source.slice(entry + ENTRY.length)}`;
}

function nonce() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @type {(text: string) => string} */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** @type {(page: PageParts) => Promise<Blob>} */
export async function sharedPage({ bytes, css, title, surface, template }) {
  /** @type {Record<string, string>} */
  const values = {
    nonce: nonce(),
    title: escaped(title),
    surface,
    css,
    payload: await zippedText(bytes),
    source: (await ownSource()).trimEnd(),
  };
  // One pass, so that a value that itself holds {{braces}} is left as it is.
  return new Blob([template.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name])], { type: "text/html" });
}
