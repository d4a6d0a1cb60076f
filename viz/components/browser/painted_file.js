// A picture on a canvas as files: painted anew as shapes, or as pixels.

import { pngOf } from "./canvas.js";
import { printed } from "./print.js";
import { svgNodeOf, svgOf } from "./svg_context.js";

// The two files of a picture, and its print, for its menu. ``name``, ``surface`` and ``size`` are functions; paint(context) paints it.
export function paintedFiles(paint, { name, size, surface }) {
  const made = { svg: svgOf, png: pngOf };
  const drawn = (make) => make(paint, size().width, size().height, surface());
  const files = Object.entries(made).map(([kind, make]) => ({
    kind,
    name: () => `${name()}.${kind}`,
    make: () => drawn(make),
  }));
  return [...files, { kind: "print", act: () => printed(drawn(svgNodeOf)) }];
}
