// One HTML file that holds the explorer, its data and nothing else: it opens anywhere, reaches for nothing, and runs
// nothing but the script with its nonce.

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

function base64(bytes) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
    reader.readAsDataURL(new Blob([bytes]));
  });
}

const BEGIN = `// begin
const text = document.querySelector("script[data-payload]").textContent;
const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
open({ data, parentElement: document.body, setStateValue() {} });
`;

function nonce() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

export async function sharedPage({ bytes, css, title, surface }) {
  const once = nonce();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${once}'`,
    `style-src 'nonce-${once}'`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const parts = [
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>`,
    `<style nonce="${once}">body { margin: 1.5rem; background: ${surface}; }</style>`,
    `<style nonce="${once}">${css}</style></head><body>`,
    `<script type="text/plain" data-payload>${await base64(bytes)}<\/script>`,
    `<script type="module" nonce="${once}" data-explorer>${await ownSource()}\n${BEGIN}<\/script></body></html>\n`,
  ];
  return new Blob(parts, { type: "text/html" });
}
