// Links inside a component: a plain click tells the app, which changes the page without loading it anew.

export function followLinks(root, open) {
  root.addEventListener("click", (event) => {
    const address = event.target.closest?.("[data-opens]")?.dataset.opens;
    // With a modifier key the browser opens a tab of its own.
    if (!address || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(address);
  });
}
