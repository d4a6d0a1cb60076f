// A picture by keyboard: arrows move what is followed, Enter keeps it, Escape brings back what was followed before.

import { fill, isPlain, setText } from "../../../../components/browser/dom.js";
import { boxInWindow } from "../../../../components/browser/enlarged.js";

/** @import { Size } from "../../../../components/browser/types" */
/** @import { Change, PictureView, Shared } from "./types" */

const KEY_PAUSE = 250; // milliseconds after the last key until it counts as let go
/** @type {Record<string, ["across" | "down", number]>} */
const STEPS = {
  ArrowLeft: ["across", -1],
  ArrowRight: ["across", 1],
  ArrowUp: ["down", -1],
  ArrowDown: ["down", 1],
  PageUp: ["down", -10],
  PageDown: ["down", 10],
  Home: ["across", -Infinity],
  End: ["across", Infinity],
};

// A function to call with every key, which calls done() when no more come.
/** @type {(done: () => void) => () => void} */
export function afterKeys(done) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(done, KEY_PAUSE);
  };
}

// What the keys of a view do, in words: for those who hear the picture, and for those who see that it has the focus.
/** @type {(view: Pick<PictureView, "keys">, words: Record<string, string>) => string} */
export function keysOf({ keys }, words) {
  const names = Object.fromEntries(Object.entries(keys).map(([axis, name]) => [axis, words[`label ${name}`]]));
  return fill(words[keys.down ? "keys both" : "keys across"], names);
}

// current() is the scene; follow(change) shows another, keep() tells the page of it. Text in live is read aloud, and
// hint says what the keys do.
/** @type {(box: HTMLElement, view: PictureView, options: Pick<Shared, "current" | "follow" | "keep" | "tooltip" | "live"> & { picture: Size; hint: string }) => void} */
export function followKeys(box, view, { picture, current, follow, keep, tooltip, live, hint }) {
  const keepSoon = afterKeys(keep);
  /** @type {Change} */
  let before = {};
  /** @type {number} */
  let greeting = 0;

  /** @type {() => Change} */
  const followed = () => Object.fromEntries(Object.values(view.keys).map((name) => [name, current()[name]]));
  /** @type {(...more: string[]) => void} */
  const tell = (...more) => {
    const { place, x, y } = view.followed(picture, current());
    const { left, top } = boxInWindow(box, { x, y });
    const text = view.tell(place, current());
    tooltip.show([text, ...more].join("\n"), left, top);
    setText(live, text);
  };
  /** @type {Record<string, () => void>} */
  const act = {
    Enter() {
      before = followed();
      keepSoon();
    },
    Escape() {
      follow(before);
      keepSoon();
      setText(live, view.tell(view.followed(picture, current()).place, current()));
    },
  };

  box.addEventListener("focus", () => {
    before = followed();
    // The picture may still have to come into view.
    if (box.matches(":focus-visible")) greeting = requestAnimationFrame(() => tell(hint));
  });
  box.addEventListener("blur", () => {
    cancelAnimationFrame(greeting);
    tooltip.hide();
  });
  box.addEventListener("keydown", (event) => {
    if (!isPlain(event)) return;
    const [axis, count] = STEPS[event.key] ?? ["none", 0];
    const name = { none: undefined, ...view.keys }[axis] ?? (Math.abs(count) === 10 ? view.keys.across : undefined);
    if (name) {
      follow({ [name]: current()[name] + count });
      tell();
      keepSoon();
    } else if (event.key in act) act[event.key]();
    else return;
    cancelAnimationFrame(greeting);
    event.preventDefault();
  });
}
