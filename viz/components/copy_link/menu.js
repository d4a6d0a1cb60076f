// Closes the menu of all pages when one is chosen: on a phone it would cover the page that comes.

const OPEN = ".st-key-menu [aria-expanded=true]";

// Returns a function that ends this.
export function closeMenuOnChoice() {
  const turn = new AbortController();
  const close = ({ target }) => {
    if (!target.closest?.(".st-key-menu-pages a")) return;
    // After the link has been followed.
    setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector(OPEN))?.click());
  };
  document.addEventListener("click", close, { capture: true, signal: turn.signal });
  return () => turn.abort();
}
