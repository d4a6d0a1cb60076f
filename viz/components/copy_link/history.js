// Keeps the way back one from page to page: Streamlit adds an entry to it whenever a page changes its own address.

// In milliseconds. The first change of a new page may come before its address, and is then not for the page that is left.
const PAUSE = 60;

export function keepOneEntryAPage() {
  if (Object.hasOwn(history, "pushState")) return;
  const { pushState, replaceState } = History.prototype;
  let before = "";
  let timer = 0;
  const forget = () => {
    clearTimeout(timer);
    before = "";
  };
  history.pushState = (...entry) => {
    if (new URL(entry[2] ?? "", location.href).pathname === location.pathname) {
      before ||= location.href;
      clearTimeout(timer);
      timer = window.setTimeout(forget, PAUSE);
      return replaceState.apply(history, entry);
    }
    if (before) replaceState.call(history, history.state, "", before);
    forget();
    return pushState.apply(history, entry);
  };
  // Whatever is opened by a click, this page is left with all that it carries.
  addEventListener("click", forget, true);
  addEventListener("popstate", forget, true);
}
