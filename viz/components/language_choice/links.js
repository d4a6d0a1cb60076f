// Links from one page of the app to another carry the language that the address of this page carries.

const NAME = "language";
// Before it is followed, opened in a tab of its own or copied.
const ACTS = ["pointerdown", "focusin", "click"];

// Returns a function that ends it.
export function keepLanguage() {
  const turn = new AbortController();
  for (const act of ACTS) document.addEventListener(act, carry, { capture: true, passive: true, signal: turn.signal });
  return () => turn.abort();
}

function carry(event) {
  const language = new URLSearchParams(location.search).get(NAME);
  const link = event.composedPath().find((node) => node.localName === "a" && node.getAttribute("href"));
  if (!language || !link || link.hasAttribute("download")) return;
  const address = new URL(link.getAttribute("href"), document.baseURI);
  if (address.origin !== location.origin || address.searchParams.has(NAME)) return;
  address.searchParams.set(NAME, language);
  link.setAttribute("href", address.href);
}
