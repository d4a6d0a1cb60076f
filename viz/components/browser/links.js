// Links inside a component: a plain click tells the app, which changes the page without loading it anew.

/** @type {(root: GlobalEventHandlers, open: (address: string) => void) => void} */
export function followLinks(root, open) {
  root.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("[data-opens]") : null;
    const address = link?.getAttribute("data-opens");
    // With a modifier key the browser opens a tab of its own.
    if (!address || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(address);
  });
}
