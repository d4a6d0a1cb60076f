// Keeps the way back one from page to page: Streamlit adds an entry to it whenever a page changes its own address.

// In milliseconds. The first change of a new page may come before its address, and is then not for the page that is left.
const PAUSE = 60;

export function keepOneEntryAPage() {
  if (Object.hasOwn(history, "pushState")) return;
  const { pushState, replaceState } = History.prototype;
  let waiting = null;
  let timer;
  const forget = () => {
    clearTimeout(timer);
    waiting = null;
  };
  const write = () => {
    if (waiting) replaceState.apply(history, waiting);
    forget();
  };
  history.pushState = (...entry) => {
    forget();
    // The address of another page carries what was to be written.
    if (new URL(entry[2], location.href).pathname !== location.pathname) return pushState.apply(history, entry);
    waiting = entry;
    timer = setTimeout(write, PAUSE);
  };
  // Whatever is opened by a click, this page is left with all that it carries.
  addEventListener("click", write, true);
  addEventListener("popstate", forget, true);
}
