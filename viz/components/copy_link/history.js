// Keeps the way back one from page to page: Streamlit adds an entry to it whenever a page changes its own address.

export function keepOneEntryAPage() {
  if (Object.hasOwn(history, "pushState")) return;
  const { pushState, replaceState } = History.prototype;
  // The address since the last act of the visitor. What leads to another page may change it before that page's address
  // comes, however much later: that change is not for the page that is left.
  let before = "";
  const forget = () => {
    before = "";
  };
  history.pushState = (...entry) => {
    if (new URL(entry[2] ?? "", location.href).pathname === location.pathname) {
      before ||= location.href;
      return replaceState.apply(history, entry);
    }
    if (before) replaceState.call(history, history.state, "", before);
    forget();
    return pushState.apply(history, entry);
  };
  // Whatever is opened by a click or a key, this page is left with all that it carries.
  for (const act of ["click", "keydown", "popstate"]) addEventListener(act, forget, true);
}
