// What Streamlit calls: again with every rerun, for one and the same view.

import { languageOf } from "./payload.js";

/** @import { Mount, View } from "./types" */

const LETTERS = ['13px "Source Sans"', '13px "Source Code Pro"'];

// Takes a function that makes a view for a parent; a view has update(data, setStateValue, setTriggerValue) and remove().
/** @type {(create: (parent: Element) => View) => (mount: Mount) => () => void} */
export function mounted(create) {
  const views = new WeakMap();
  return ({ data, parentElement, setStateValue, setTriggerValue }) => {
    // Of the words in it: what a view makes once of those is of one language.
    const language = data instanceof Uint8Array ? languageOf(data) : data?.language;
    let entry = views.get(parentElement);
    if (!entry || entry.language !== language) {
      if (entry) {
        entry.calls += 1;
        entry.drop();
      }
      entry = { ...added(create, parentElement), language, calls: 0 };
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

// A new view, and what takes it away with all that it has added: its words are those of one language.
/** @type {(create: (parent: Element) => View, parent: Element) => { view: View; drop: () => void }} */
function added(create, parent) {
  const before = new Set(parent.childNodes);
  const view = create(parent);
  const nodes = [...parent.childNodes].filter((node) => !before.has(node));
  const drop = () => {
    view.remove();
    for (const node of nodes) node.remove();
  };
  return { view, drop };
}
