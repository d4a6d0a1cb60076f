// A drawing in SVG as a file: as it is, or as pixels.

import { svgElement } from "./dom.js";

const KEPT = [
  ...["fill", "stroke", "stroke-width", "image-rendering"],
  ...["font-family", "font-size", "font-weight", "text-anchor", "text-decoration-line"],
];

export function svgBlob(svg) {
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

export async function pngBlob(svg, scale = 2) {
  const address = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

// A drawing that is on the page, on paper of the colour ``surface``; it takes along what the page's styles make of it.
export function alone(svg, surface) {
  const copy = svg.cloneNode(true);
  const [shown, copied] = [svg, copy].map((root) => [...root.querySelectorAll("*")]);
  shown.forEach((node, index) => {
    const style = getComputedStyle(node);
    for (const name of KEPT) copied[index].style.setProperty(name, style.getPropertyValue(name));
  });
  const { width, height } = svg.getBoundingClientRect();
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height }))
    copy.setAttribute(name, value);
  copy.prepend(svgElement("rect", { width: "100%", height: "100%", fill: surface }));
  return copy;
}

// The two files of a drawing on the page, for its menu. ``name`` and ``surface`` are functions.
export function drawnFiles(svg, { name, surface }) {
  const blobs = { svg: svgBlob, png: pngBlob };
  return Object.entries(blobs).map(([kind, blob]) => ({
    kind,
    name: () => `${name()}.${kind}`,
    make: () => blob(alone(svg(), surface())),
  }));
}
