// What is shown as one drawing: matrices with their tokens, and lines. It is saved as it is (SVG) or as pixels (PNG).

import { context2d } from "../browser/canvas.js";
import { svgElement } from "../browser/dom.js";
import { clamp } from "../browser/numbers.js";
import { columnsOf, overColumn, shortened } from "../browser/scripts.js";
import { matrixPicture, paint } from "./colours.js";
import { linesOf, writtenRows } from "./lines.js";
import { scaleName, token } from "./words.js";

/** @import { Words } from "../browser/types" */
/** @import { Lines, NamedColour, Panel, Shown, Style } from "./types" */
/** @typedef {{ node: SVGElement, left: number, top: number, width: number, height: number }} Group */

const LARGEST = 620;
const LETTERS = 12;
const LONGEST = 17;
const MARGIN = 16;
const GAP = 40;
const LINES_WIDTH = 150;
const LETTER_WIDTH = 7.3;
const TITLE = 26;
const TITLE_LETTERS = 14;
const TITLE_WIDTH = 8.5;
// A line of the names of heads, and the square with the colour of one.
const NAMED = { pitch: 18, square: 10 };
// Cells of one matrix that are written as shapes; more would make a file that no program opens with ease.
const MOST_SHAPES = 20_000;
const SCALE = { width: 160, height: 10, steps: 64, room: 58 };

/** @type {(label: string, text: Words) => string} */
function cut(label, text) {
  return shortened(token(label, text), LONGEST);
}

// The room that the labels of a side take.
/** @type {(labels: string[], text: Words) => number} */
function room(labels, text) {
  return 10 + LETTER_WIDTH * Math.max(...labels.map((label) => columnsOf(cut(label, text))));
}

/** @type {(label: string, attributes: Record<string, unknown>, style: Style) => SVGElement} */
function written(label, attributes, { palette, text }) {
  return svgElement(
    "text",
    { "font-size": LETTERS, fill: palette.ink, "unicode-bidi": "isolate", ...attributes },
    cut(label, text),
  );
}

/** @type {(shown: Shown) => number} */
function cellSize(shown) {
  return clamp(LARGEST / Math.max(shown.width, shown.height), 1, 24);
}

/** @type {(shown: Pick<Shown, "values" | "width" | "top">, isSigned: boolean | undefined, style: Style) => Uint32Array<ArrayBuffer>} */
function pixelsOf(shown, isSigned, { tables, threshold, lastRow }) {
  const table = isSigned ? tables.diverging : tables.sequential;
  return matrixPicture(shown, { table, threshold, lastRow, isSigned });
}

/** @type {(pixel: number) => string} */
function hex(pixel) {
  return `#${[pixel, pixel >> 8, pixel >> 16].map((channel) => (channel & 255).toString(16).padStart(2, "0")).join("")}`;
}

// One path for each colour, with cells of one colour in a row as one shape; what is nothing is left to the paper.
/** @type {(pixels: Uint32Array, width: number, size: number[], paper: string) => Map<string, string>} */
export function cellShapes(pixels, width, [cellWidth, cellHeight], paper) {
  const paths = new Map();
  for (let index = 0; index < pixels.length; ) {
    const [row, start] = [Math.floor(index / width), index % width];
    let end = start + 1;
    while (end < width && pixels[row * width + end] === pixels[index]) end++;
    const colour = hex(pixels[index]);
    const across = (end - start) * cellWidth;
    if (pixels[index] && colour !== paper) {
      const shape = `M${start * cellWidth} ${row * cellHeight}h${across}v${cellHeight}h${-across}z`;
      paths.set(colour, (paths.get(colour) ?? "") + shape);
    }
    index += end - start;
  }
  return paths;
}

/** @type {(panel: Panel, cell: number, style: Style) => SVGElement} */
function cellsNode({ shown, isSigned }, cell, style) {
  const pixels = pixelsOf(shown, isSigned, style);
  if (pixels.length > MOST_SHAPES) return cellsImage(shown, pixels, cell);
  return shapesNode(pixels, shown.width, [cell, cell], style);
}

/** @type {(pixels: Uint32Array, width: number, size: number[], style: Style) => SVGElement} */
function shapesNode(pixels, width, size, { palette }) {
  const paths = [...cellShapes(pixels, width, size, palette.surface.toLowerCase())];
  return svgElement(
    "g",
    { "shape-rendering": "crispEdges" },
    ...paths.map(([fill, d]) => svgElement("path", { fill, d })),
  );
}

// Pixels large enough that no viewer has to make them larger, which some would do softly.
/** @type {(shown: Shown, pixels: Uint32Array<ArrayBuffer>, cell: number) => SVGElement} */
function cellsImage(shown, pixels, cell) {
  const small = document.createElement("canvas");
  paint(small, pixels, shown.width, shown.height);
  const large = document.createElement("canvas");
  const scale = Math.max(2, Math.round(cell));
  [large.width, large.height] = [shown.width * scale, shown.height * scale];
  const context = context2d(large);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  return svgElement("image", {
    href: large.toDataURL(),
    x: 0,
    y: 0,
    width: shown.width * cell,
    height: shown.height * cell,
    preserveAspectRatio: "none",
    "image-rendering": "pixelated",
  });
}

/** @type {(panel: Panel, style: Style) => string} */
function measured({ shown, isSigned }, { text, measure }) {
  return isSigned ? text["difference"] : scaleName(measure, shown.options, text);
}

// The colours of a matrix with the numbers at their ends, ``y`` below its top.
/** @type {(panel: Panel, y: number, style: Style) => SVGElement} */
function scaleGroup(panel, y, style) {
  const { shown, isSigned } = panel;
  const { width, height, steps } = SCALE;
  const least = isSigned ? -shown.top : 0;
  const values = Float32Array.from({ length: steps }, (_, step) => least + ((shown.top - least) * step) / (steps - 1));
  const pixels = pixelsOf({ values, width: steps, top: shown.top }, isSigned, style);
  const bar = shapesNode(pixels, steps, [width / steps, height], style);
  const frame = svgElement("rect", { x: 0, y: 0, width, height, fill: "none", stroke: style.palette.line });
  /** @type {(value: number, x: number, anchor: string) => SVGElement} */
  const end = (value, x, anchor) =>
    written(
      String(Number(value.toPrecision(3))).replace("-", "−"),
      { x, y: height + 14, "text-anchor": anchor },
      style,
    );
  const attributes = { x: 0, y: -6, "font-size": LETTERS, fill: style.palette.ink };
  const name = svgElement("text", attributes, measured(panel, style));
  return svgElement(
    "g",
    { transform: `translate(0 ${y})`, "data-scale": "" },
    name,
    bar,
    frame,
    end(least, 0, "start"),
    end(shown.top, width, "end"),
  );
}

/** @type {(panel: Panel, style: Style) => Group} */
function matrixGroup(panel, style) {
  const { shown, caption } = panel;
  const cell = cellSize(shown);
  const every = Math.ceil(LETTERS / cell);
  /** @type {(labels: string[]) => [label: string, index: number][]} */
  const spaced = (labels) => labels.flatMap((label, index) => (index % every ? [] : [[label, index]]));
  const rows = spaced(shown.rows.labels.slice(0, style.lastRow + 1)).map(([label, index]) =>
    written(label, { x: -6, y: (index + 0.5) * cell + 4, "text-anchor": "end" }, style),
  );
  const columns = spaced(shown.columns.labels).map(([label, index]) =>
    written(label, { ...overColumn(label, (index + 0.5) * cell, -6), "dominant-baseline": "central" }, style),
  );
  const frame = svgElement("rect", {
    x: 0,
    y: 0,
    width: shown.width * cell,
    height: shown.height * cell,
    fill: "none",
    stroke: style.palette.line,
  });
  const [left, top] = [room(shown.rows.labels, style.text), room(shown.columns.labels, style.text)];
  const title = svgElement(
    "text",
    { x: -left, y: -top - 10, "font-size": TITLE_LETTERS, "font-weight": 600, fill: style.palette.ink },
    caption,
  );
  const [width, height] = [shown.width * cell, shown.height * cell];
  const scale = scaleGroup(panel, height + SCALE.room / 2, style);
  const node = svgElement("g", {}, title, cellsNode(panel, cell, style), frame, ...rows, ...columns, scale);
  const widths = [width, SCALE.width, columnsOf(caption) * TITLE_WIDTH - left];
  const widest = Math.max(...widths, columnsOf(measured(panel, style)) * LETTER_WIDTH);
  return { node, left, top: top + TITLE, width: widest, height: height + SCALE.room };
}

// The colour of each head beside its name, one below the other and the last of them right above the lines.
/** @type {(colours: NamedColour[], style: Style) => SVGElement[]} */
function namesOfColours(colours, style) {
  const { pitch, square } = NAMED;
  return colours.map(({ colour, name }, index) => {
    const swatch = svgElement("rect", { x: 0, y: -square, width: square, height: square, fill: colour });
    const words = written(name, { x: square + 6, y: -1 }, style);
    return svgElement("g", { transform: `translate(0 ${(index - colours.length) * pitch})` }, swatch, words);
  });
}

/** @type {(lines: Lines, style: Style) => Group} */
function linesGroup({ shown, chosen, colours }, style) {
  const pitch = clamp(LARGEST / Math.max(shown.width, shown.height), 1, 20);
  const every = Math.ceil(LETTERS / pitch);
  /** @type {(index: number) => number} */
  const y = (index) => (index + 0.5) * pitch;
  const middle = LINES_WIDTH / 2;
  const rows = writtenRows(shown, style.lastRow);
  const curves = chosen.map((one, index) => {
    const paths = linesOf(one, shown.width, rows, style.threshold).map(([query, key, share]) =>
      svgElement("path", {
        d: `M0 ${y(query)}C${middle} ${y(query)} ${middle} ${y(key)} ${LINES_WIDTH} ${y(key)}`,
        "stroke-opacity": share.toFixed(2),
      }),
    );
    return svgElement("g", { fill: "none", "stroke-width": 1.4, stroke: colours[index].colour }, ...paths);
  });
  /** @type {(labels: string[], x: number, anchor: string) => SVGElement[]} */
  const side = (labels, x, anchor) =>
    labels.flatMap((label, index) =>
      index % every ? [] : [written(label, { x, y: y(index) + 4, "text-anchor": anchor }, style)],
    );
  const labels = [
    ...side(shown.rows.labels.slice(0, rows.length), -6, "end"),
    ...side(shown.columns.labels, LINES_WIDTH + 6, "start"),
  ];
  const height = Math.max(shown.width, shown.height) * pitch;
  const [left, right] = [room(shown.rows.labels, style.text), room(shown.columns.labels, style.text)];
  // One alone has the colour of the matrix.
  const names = chosen.length > 1 ? namesOfColours(colours, style) : [];
  const node = svgElement("g", {}, ...names, ...curves, ...labels);
  return { node, left, top: (names.length + 1) * NAMED.pitch, width: LINES_WIDTH + right, height };
}

// ``panels`` are matrices with captions; ``lines`` is what the lines show, or null.
/** @type {(panels: Panel[], lines: Lines | null, style: Style) => SVGElement} */
export function drawing(panels, lines, style) {
  const groups = panels.map((panel) => matrixGroup(panel, style));
  if (lines) groups.push(linesGroup(lines, style));
  const top = MARGIN + Math.max(...groups.map((group) => group.top));
  let x = MARGIN;
  for (const { node, left, width } of groups) {
    node.setAttribute("transform", `translate(${x + left} ${top})`);
    x += left + width + GAP;
  }
  const width = Math.ceil(x - GAP + MARGIN);
  const height = Math.ceil(top + Math.max(...groups.map((group) => group.height)) + MARGIN);
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const paper = svgElement("rect", { width, height, fill: style.palette.surface });
  const fonts = { "font-family": "'Source Code Pro', ui-monospace, Menlo, Consolas, monospace" };
  return svgElement(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...size, ...fonts },
    paper,
    ...groups.map(({ node }) => node),
  );
}
