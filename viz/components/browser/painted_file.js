// A picture on a canvas as files: painted anew as shapes, or as pixels.

import { pngOf } from "./canvas.js";
import { printed } from "./print.js";
import { svgNodeOf, svgOf } from "./svg_context.js";

/** @import { MenuEntry, Paint, Size } from "./types" */

// The two files of a picture, and its print, for its menu. ``name``, ``surface`` and ``size`` are functions;
// paint(context) paints it.
/** @type {(paint: Paint, look: { name: () => string; size: () => Size; surface: () => string }) => MenuEntry[]} */
export function paintedFiles(paint, { name, size, surface }) {
  /** @type {<T>(make: (paint: Paint, width: number, height: number, background: string) => T) => T} */
  const drawn = (make) => make(paint, size().width, size().height, surface());
  return [
    { kind: "svg", name: () => `${name()}.svg`, make: () => drawn(svgOf) },
    { kind: "png", name: () => `${name()}.png`, make: () => drawn(pngOf) },
    { kind: "print", act: () => printed(drawn(svgNodeOf)) },
  ];
}
