// What Streamlit calls: again with every rerun, for one and the same view.

/** @import { Mount, View } from "./types" */

const LETTERS = ['13px "Source Sans"', '13px "Source Code Pro"'];

// Takes a function that makes a view for a parent; a view has update(data, setStateValue, setTriggerValue) and remove().
/** @type {(create: (parent: Element) => View) => (mount: Mount) => () => void} */
export function mounted(create) {
  const views = new WeakMap();
  return ({ data, parentElement, setStateValue, setTriggerValue }) => {
    let entry = views.get(parentElement);
    if (!entry) {
      entry = { view: create(parentElement), calls: 0 };
      views.set(parentElement, entry);
    }
    const call = ++entry.calls;
    const update = () => entry.view.update(data, setStateValue, setTriggerValue);
    // The app's letters are measured and drawn: the first picture waits for them.
    if (LETTERS.every((font) => document.fonts.check(font))) update();
    else
      Promise.allSettled(LETTERS.map((font) => document.fonts.load(font))).then(
        () => call === entry.calls && parentElement.isConnected && update(),
      );
    // Streamlit also cleans up after a call that the next one overtook, when the view is still on the page and in use.
    return () =>
      setTimeout(() => {
        if (call !== entry.calls || parentElement.isConnected) return;
        views.delete(parentElement);
        entry.view.remove();
      });
  };
}
