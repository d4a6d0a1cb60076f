// Sends what is typed into a box of lines: by Enter, while Shift+Enter breaks the line, and by a pause in typing.

import { isEnter } from "../browser/dom.js";

const BOX = "[class*=st-key-lines-] textarea";
// So long that a word can be typed to its end, and so short that nobody reaches for Enter.
const PAUSE = 500;
// After what ends a sentence, or was pasted, nobody is in the middle of a word.
const SHORT_PAUSE = 100;
const ENDS = /[.!?…。！？]\s*$/;

// Returns a function that ends it.
export function sendLines() {
  const turn = new AbortController();
  let timer;
  const wait = (box, { inputType }) => {
    clearTimeout(timer);
    timer = setTimeout(() => send(box), isWhole(box, inputType) ? SHORT_PAUSE : PAUSE);
  };
  const acts = {
    focusin: (box) => {
      box.enterKeyHint = "go";
    },
    input: (box, event) => {
      clearTimeout(timer);
      if (!event.isComposing) wait(box, event);
    },
    compositionstart: () => clearTimeout(timer),
    compositionend: wait,
    focusout: () => clearTimeout(timer), // Streamlit sends it then
    keydown: (box, event) => {
      if (!isEnter(event)) return;
      event.preventDefault();
      clearTimeout(timer);
      send(box);
    },
  };
  const where = { capture: true, signal: turn.signal };
  document.addEventListener("input", ({ target }) => makeWellFormed(target), where);
  for (const [name, act] of Object.entries(acts))
    document.addEventListener(
      name,
      (/** @type {any} */ event) => isBox(event.target) && act(event.target, event),
      where,
    );
  return () => {
    clearTimeout(timer);
    turn.abort();
  };
}

/** @type {(target: any) => boolean} */
function isBox(target) {
  return target.matches?.(BOX) ?? false;
}

function isWhole(box, inputType) {
  const isBehind = ENDS.test(box.value.slice(0, box.selectionStart));
  return inputType === "insertFromPaste" || inputType === "insertFromDrop" || (inputType === "insertText" && isBehind);
}

// As Streamlit's own box is sent.
function send(box) {
  box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
}

// In any box: half of a surrogate pair ends the visit where it is sent. Before Streamlit reads the box.
function makeWellFormed(box) {
  if (!box.matches?.("input, textarea") || (box.value.isWellFormed?.() ?? true)) return;
  // The property of the box itself is React's, which would take what is written to it for known.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value").set.call(box, box.value.toWellFormed());
}
