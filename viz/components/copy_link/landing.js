// Keeps the heading that the address names at the top of the view while the page is still growing around it.

const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"];
const LONGEST = 15000;

// Ends at the first act of the visitor; returns a function that ends it before.
export function landOn(hash) {
  const id = decoded(hash.slice(1));
  if (!id) return () => {};
  const turn = new AbortController();
  const land = () => document.getElementById(id)?.scrollIntoView();
  // Streamlit scrolls to the top of a page that it has just begun, perhaps after the heading is there.
  document.addEventListener("scroll", land, { capture: true, signal: turn.signal });
  const growth = new ResizeObserver(land);
  const grown = new MutationObserver(watch);
  function watch() {
    const page = document.getElementById(id)?.closest("[data-testid=stMainBlockContainer]");
    if (!page) return;
    grown.disconnect();
    growth.observe(page);
  }
  grown.observe(document.body, { childList: true, subtree: true });
  watch();
  turn.signal.addEventListener("abort", () => {
    grown.disconnect();
    growth.disconnect();
  });
  for (const act of ACTS)
    addEventListener(act, () => turn.abort(), { capture: true, passive: true, signal: turn.signal });
  setTimeout(() => turn.abort(), LONGEST);
  return () => turn.abort();
}

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}
