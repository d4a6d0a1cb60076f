// From weights to pixels. The scales are the palette's: from the page's own surface to one hue.

import { context2d } from "../browser/canvas.js";
import { colourTable } from "../browser/colours.js";

/** @import { ExplorerPalette } from "./header" */
/** @import { Colouring, Head, MatrixSettings, Shown, Tables } from "./types" */

// 256 pixels for weights from 0 to 1, and 511 for differences from −1 to 1.
/** @type {(palette: ExplorerPalette) => Tables} */
export function colourTables({ sequential, diverging, surface }) {
  /** @type {Uint32Array | null} */
  let differences = null;
  return {
    sequential: colourTable(sequential, surface, 256),
    // Only a comparison needs it.
    get diverging() {
      differences ??= colourTable(diverging, surface, 511);
      return differences;
    },
  };
}

// What lies below the threshold is drawn as nothing.
/** @type {(values: ArrayLike<number>, colouring: Colouring) => Uint32Array<ArrayBuffer>} */
function sequentialPicture(values, { table, top, threshold }) {
  const pixels = new Uint32Array(values.length);
  const factor = 255 / top;
  const least = threshold * top;
  for (let i = 0; i < values.length; i++) {
    if (values[i] >= least) pixels[i] = table[Math.min(255, (values[i] * factor + 0.5) | 0)];
  }
  return pixels;
}

/** @type {(values: ArrayLike<number>, colouring: Colouring) => Uint32Array<ArrayBuffer>} */
function divergingPicture(values, { table, top, threshold }) {
  const pixels = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const share = Math.max(-1, Math.min(1, values[i] / top));
    if (Math.abs(share) >= threshold) pixels[i] = table[Math.round(share * 255) + 255];
  }
  return pixels;
}

// A pixel for each cell of a matrix; rows after the last that is written are drawn as nothing.
/** @type {(shown: Pick<Shown, "values" | "width" | "top">, settings: MatrixSettings) => Uint32Array<ArrayBuffer>} */
export function matrixPicture({ values, width, top }, { table, threshold, lastRow, isSigned }) {
  const written = values.subarray(0, Math.min(values.length, (lastRow + 1) * width));
  const pixels = new Uint32Array(values.length);
  pixels.set((isSigned ? divergingPicture : sequentialPicture)(written, { table, threshold, top }));
  return pixels;
}

/** @type {(canvas: HTMLCanvasElement, pixels: Uint32Array<ArrayBuffer>, width: number, height: number) => void} */
export function paint(canvas, pixels, width, height) {
  canvas.width = width;
  canvas.height = height;
  context2d(canvas).putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
}

// Each head has the colour of its number; where two of the chosen would share one, the second takes the next free.
/** @type {(heads: Head[], colours: string[]) => string[]} */
export function headColours(heads, colours) {
  const taken = new Set();
  return heads.map(([, head]) => {
    let index = head % colours.length;
    while (taken.has(index) && taken.size < colours.length) index = (index + 1) % colours.length;
    taken.add(index);
    return colours[index];
  });
}

// The palette as variables of the style sheet.
/** @type {(palette: ExplorerPalette) => [name: string, value: string][]} */
export function cssColours({ hue, opposite, surface, ink, muted, line }) {
  return [
    ["--hue", hue.join(" ")],
    ["--opposite", opposite.join(" ")],
    ["--surface", surface],
    ["--ink", ink],
    ["--muted", muted],
    ["--line", line],
  ];
}
