// A drawing in SVG as a file: as it is, or as pixels.

import { allowedRatio, context2d } from "./canvas.js";
import { svgElement } from "./dom.js";
import { scaleOf } from "./enlarged.js";

/** @import { MenuEntry } from "./types" */

// What style sheets say of marks.
const KEPT = [
  ...["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "display", "visibility", "image-rendering"],
  ...["font-family", "font-size", "font-weight", "text-anchor", "text-decoration-line", "writing-mode"],
];

/** @type {(svg: Element) => Blob} */
export function svgBlob(svg) {
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

/** @type {(svg: Element, scale?: number) => Promise<Blob | null>} */
export async function pngBlob(svg, scale = 2) {
  const address = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    const ratio = allowedRatio(image.width, image.height, scale);
    [canvas.width, canvas.height] = [image.width, image.height].map((size) => Math.round(size * ratio));
    context2d(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

// A drawing that is on the page, on paper of the colour ``surface``; it takes along what the page's styles make of it.
/** @type {(svg: Element, surface: string) => SVGElement} */
export function alone(svg, surface) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  const [shown, copied] = [svg, copy].map((root) => [
    .../** @type {NodeListOf<SVGElement>} */ (root.querySelectorAll("*")),
  ]);
  shown.forEach((node, index) => {
    const style = getComputedStyle(node);
    for (const name of KEPT) copied[index].style.setProperty(name, style.getPropertyValue(name));
  });
  const box = svg.getBoundingClientRect();
  const [width, height] = [box.width, box.height].map((size) => size / scaleOf(svg));
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height }))
    copy.setAttribute(name, String(value));
  copy.prepend(svgElement("rect", { width: "100%", height: "100%", fill: surface }));
  return copy;
}

// The two files of a drawing on the page, for its menu. ``name`` and ``surface`` are functions.
/** @type {(svg: () => Element, look: { name: () => string; surface: () => string }) => MenuEntry[]} */
export function drawnFiles(svg, { name, surface }) {
  const blobs = { svg: svgBlob, png: pngBlob };
  return Object.entries(blobs).map(([kind, blob]) => ({
    kind,
    name: () => `${name()}.${kind}`,
    make: () => blob(alone(svg(), surface())),
  }));
}
