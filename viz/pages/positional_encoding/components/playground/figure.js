// One view with its title, its picture, its caption, and a menu that saves it.

import { Picture } from "../../../../components/browser/canvas.js";
import { element, setAttribute, setText } from "../../../../components/browser/dom.js";
import { placeIn } from "../../../../components/browser/enlarged.js";
import { FullScreen, createMenu } from "../../../../components/browser/menu.js";
import { whole } from "../../../../components/browser/numbers.js";
import { paintedFiles } from "../../../../components/browser/painted_file.js";
import { csv } from "../../../../components/browser/save.js";
import { followKeys, keysOf } from "./keys.js";
import { altOf, captionOf } from "./sentences.js";

/** @import { Paint, Size, Words } from "../../../../components/browser/types" */
/** @import { Scene } from "./scene.js" */
/** @import { PictureView, Place, Shared } from "./types" */
/** @typedef {{ node: HTMLElement, draw(): void, caption(): void, describe(): void, remove(): void }} Figure */

const MAX_TABLE_NUMBERS = 2 ** 20; // numbers of a CSV file, which takes about twenty bytes for each

// current() is the scene. Called are: changed() when the picture must be drawn again, pick(place) when it is clicked,
// follow(change) and keep() when it is worked by keys, refuse(sentence) when a file would be too large. ``more`` are files
// of all the views.
/** @type {(view: PictureView, words: Words, shared: Shared) => Figure} */
export function createFigure(
  view,
  words,
  { menuLabels, more, current, changed, pick, step, follow, keep, refuse, tooltip, live },
) {
  const hint = element("p", { class: "unseen", id: `keys-${view.name}` }, keysOf(view, words));
  const box = element("div", {
    class: "picture",
    tabindex: 0,
    role: "application",
    "aria-roledescription": words["picture"],
    "aria-describedby": hint.id,
  });
  const caption = element("figcaption");
  const picture = new Picture(box, changed);
  /** @type {Paint} */
  const paint = (context) => view.paint(context, picture, current());
  const node = element("figure", { class: view.name });
  const fullScreen = new FullScreen(node, step);
  const fileName = `encoding-${view.name}`;
  const files = [
    ...paintedFiles(paint, { name: () => fileName, size: () => picture, surface: () => current().surface }),
    { kind: "csv", name: () => `${fileName}.csv`, make: () => table(view, current(), refuse) },
    ...more,
  ];
  const name = words[`title ${view.name}`];
  const menu = createMenu({ labels: menuLabels, name, files, fullScreen });
  node.append(element("div", { class: "title" }, element("h2", {}, name), menu.node), box, hint, caption);
  followPointer(box, view, { picture, current, pick, tooltip });
  followKeys(box, view, { picture, current, follow, keep, tooltip, live, hint: hint.textContent ?? "" });

  return {
    node,
    draw() {
      if (!picture.isOnScreen || !picture.width) return;
      paint(picture.begin());
    },
    // After all pictures are drawn: a text changed in between would make each bring the page's styles up to date.
    caption() {
      if (picture.isOnScreen) setText(caption, captionOf(view.name, current()));
    },
    // Only when the view has settled: a screen reader would not keep up with a drag.
    describe() {
      setText(caption, captionOf(view.name, current()));
      setAttribute(box, "aria-label", altOf(view.name, current()));
    },
    remove() {
      picture.remove();
      menu.remove();
      fullScreen.remove();
    },
  };
}

/** @type {(view: PictureView, scene: Scene, refuse: (sentence: string) => void) => Blob | undefined} */
function table(view, scene, refuse) {
  const count = view.numbersInTable?.(scene) ?? 0;
  if (count <= MAX_TABLE_NUMBERS) return csv(view.table(scene));
  refuse(scene.say("table too large", { given: whole(count), high: whole(MAX_TABLE_NUMBERS) }));
  return undefined;
}

/** @type {(box: HTMLElement, view: PictureView, options: Pick<Shared, "current" | "pick" | "tooltip"> & { picture: Size }) => void} */
function followPointer(box, view, { picture, current, pick, tooltip }) {
  /** @type {(event: MouseEvent) => Place | null} */
  const place = (event) => view.locate(...placeIn(box, event), picture, current());
  box.addEventListener("pointermove", (event) => {
    const cell = place(event);
    box.classList.toggle("pointed", cell !== null);
    if (cell) tooltip.show(view.tell(cell, current()), event.clientX, event.clientY);
    else tooltip.hide();
  });
  box.addEventListener("pointerleave", () => tooltip.hide());
  // A click is reported in whole pixels, where a cell may be smaller; so what counts is where the pointer went down.
  /** @type {Place | null} */
  let pressed = null;
  box.addEventListener("pointerdown", (event) => (pressed = place(event)));
  box.addEventListener("click", () => {
    if (pressed) pick(pressed);
  });
}
