// What is shown as one drawing: matrices with their tokens, and lines. It is saved as it is (SVG) or as pixels (PNG).

import { svgElement } from "../browser/dom.js";
import { clamp } from "../browser/numbers.js";
import { divergingPicture, paint, sequentialPicture } from "./colours.js";
import { linesOf } from "./lines.js";
import { token } from "./words.js";

const LARGEST = 620;
const LETTERS = 12;
const LONGEST = 17;
const MARGIN = 16;
const GAP = 40;
const LINES_WIDTH = 150;
const LETTER_WIDTH = 7.3;
const TITLE = 26;

function cut(label, text) {
  const letters = [...token(label, text)];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : letters.join("");
}

// The room that the labels of a side take.
function room(labels, text) {
  return 10 + LETTER_WIDTH * Math.max(...labels.map((label) => [...cut(label, text)].length));
}

function written(label, attributes, { palette, text }) {
  return svgElement("text", { "font-size": LETTERS, fill: palette.ink, "unicode-bidi": "isolate", ...attributes }, cut(label, text));
}

function cellSize(shown) {
  return clamp(LARGEST / Math.max(shown.width, shown.height), 1, 24);
}

// Pixels large enough that no viewer has to make them larger, which some would do softly.
function cellsImage({ shown, isSigned }, cell, { tables, threshold }) {
  const small = document.createElement("canvas");
  const options = { threshold, top: shown.top, table: isSigned ? tables.diverging : tables.sequential };
  paint(small, (isSigned ? divergingPicture : sequentialPicture)(shown.values, options), shown.width, shown.height);
  const large = document.createElement("canvas");
  const scale = Math.max(2, Math.round(cell));
  [large.width, large.height] = [shown.width * scale, shown.height * scale];
  const context = large.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  return svgElement("image", {
    href: large.toDataURL(), x: 0, y: 0, width: shown.width * cell, height: shown.height * cell, preserveAspectRatio: "none",
  });
}

function matrixGroup(panel, style) {
  const { shown, caption } = panel;
  const cell = cellSize(shown);
  const every = Math.ceil(LETTERS / cell);
  const spaced = (labels) => labels.map((label, index) => [label, index]).filter(([, index]) => index % every === 0);
  const rows = spaced(shown.rows.labels).map(([label, index]) =>
    written(label, { x: -6, y: (index + 0.5) * cell + 4, "text-anchor": "end" }, style),
  );
  const columns = spaced(shown.columns.labels).map(([label, index]) =>
    written(label, { transform: `translate(${(index + 0.5) * cell + 4} -6) rotate(-90)` }, style),
  );
  const frame = svgElement("rect", {
    x: 0, y: 0, width: shown.width * cell, height: shown.height * cell, fill: "none", stroke: style.palette.line,
  });
  const [left, top] = [room(shown.rows.labels, style.text), room(shown.columns.labels, style.text)];
  const title = svgElement("text", { x: -left, y: -top - 10, "font-size": 14, "font-weight": 600, fill: style.palette.ink }, caption);
  const node = svgElement("g", {}, title, cellsImage(panel, cell, style), frame, ...rows, ...columns);
  return { node, left, top: top + TITLE, width: shown.width * cell, height: shown.height * cell };
}

function linesGroup({ shown, chosen, colours }, style) {
  const pitch = clamp(LARGEST / Math.max(shown.width, shown.height), 1, 20);
  const every = Math.ceil(LETTERS / pitch);
  const y = (index) => (index + 0.5) * pitch;
  const middle = LINES_WIDTH / 2;
  const curves = chosen.map((one, index) => {
    const paths = linesOf(one, shown.width, shown.rows.labels.keys(), style.threshold).map(([query, key, share]) =>
      svgElement("path", {
        d: `M0 ${y(query)}C${middle} ${y(query)} ${middle} ${y(key)} ${LINES_WIDTH} ${y(key)}`,
        "stroke-opacity": share.toFixed(2),
      }),
    );
    return svgElement("g", { fill: "none", "stroke-width": 1.4, stroke: colours[index].colour }, ...paths);
  });
  const side = (labels, x, anchor) =>
    labels.flatMap((label, index) =>
      index % every ? [] : [written(label, { x, y: y(index) + 4, "text-anchor": anchor }, style)],
    );
  const labels = [...side(shown.rows.labels, -6, "end"), ...side(shown.columns.labels, LINES_WIDTH + 6, "start")];
  const height = Math.max(shown.width, shown.height) * pitch;
  const [left, right] = [room(shown.rows.labels, style.text), room(shown.columns.labels, style.text)];
  return { node: svgElement("g", {}, ...curves, ...labels), left, top: 0, width: LINES_WIDTH + right, height };
}

// ``panels`` are matrices with captions; ``lines`` is what the lines show, or null.
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
  const fonts = { "font-family": "ui-monospace, Menlo, Consolas, monospace" };
  return svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, ...fonts }, paper, ...groups.map(({ node }) => node));
}

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
