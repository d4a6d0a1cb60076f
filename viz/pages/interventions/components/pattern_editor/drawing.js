// Where rows and columns stand, and how they are drawn.

import { svgElement, svgText } from "../../../../components/browser/dom.js";
import { overColumn } from "../../../../components/browser/scripts.js";

const TITLE = 8;
const EDGE = 2;
const GAP = 0.5;
const NARROWEST = 14;

export function layOut({ rows, columns, left, top, row_height: height }, available) {
  const width = Math.max((available - left - EDGE) / columns.length, NARROWEST);
  return {
    left,
    top,
    cell: { width, height },
    width: left + width * columns.length + EDGE,
    height: top + height * rows.length + EDGE,
  };
}

export function drawPattern({ map, weightsOf, layout, focused }) {
  const { rows, columns, palette, words, edited } = map;
  const { left, top, cell } = layout;
  const across = cell.width * columns.length;
  const around = (row, height, line) =>
    svgElement("rect", {
      x: left,
      y: top + row * cell.height,
      width: across,
      height: height * cell.height,
      fill: "none",
      ...line,
    });
  return [
    text(words.title, left, TITLE),
    ...columns.map((name, column) => {
      const x = left + (column + 0.5) * cell.width;
      return text(name, x, top - 6, overColumn(name, x, top - 6));
    }),
    ...rows.map((name, row) => text(name, left - 6, top + (row + 0.5) * cell.height, { "text-anchor": "end" })),
    ...rows.map((_, row) => drawRow(row)),
    around(0, rows.length, { stroke: palette.line, "pointer-events": "none" }),
    ...runs(edited).map(([start, end]) =>
      around(start, end - start, { stroke: palette.ink, "stroke-width": 2, "pointer-events": "none" }),
    ),
  ];

  function drawRow(row) {
    const y = top + row * cell.height;
    const cells = columns.map((_, column) =>
      svgElement("rect", {
        class: "cell",
        x: left + column * cell.width + GAP,
        y: y + GAP,
        width: cell.width - 2 * GAP,
        height: cell.height - 2 * GAP,
      }),
    );
    const frame = svgElement("rect", {
      class: "frame",
      x: left,
      y,
      width: across,
      height: cell.height,
      fill: "none",
      "pointer-events": "all",
    });
    const slider = {
      role: "slider",
      tabindex: row === focused ? 0 : -1,
      "aria-valuemin": 1,
      "aria-valuemax": columns.length,
    };
    const node = svgElement("g", { "data-number": row, ...(row < map.n_rows ? slider : {}) }, ...cells, frame);
    paintRow(node, weightsOf(row), map.scale);
    return node;
  }

  function text(content, x, y, look = {}) {
    return svgText(content, x, y, { fill: palette.ink, ...look });
  }
}

export function paintRow(node, weights, scale) {
  node.querySelectorAll(".cell").forEach((rect, column) => {
    rect.setAttribute("fill", `#${scale[Math.round(Math.min(weights[column], 1) * (scale.length - 1))]}`);
  });
}

// Where flags that are set follow each other, from a start to before an end.
function runs(flags) {
  const starts = flags.flatMap((isSet, place) => (isSet && !flags[place - 1] ? [place] : []));
  const ends = flags.flatMap((isSet, place) => (isSet && !flags[place + 1] ? [place + 1] : []));
  return starts.map((start, index) => [start, ends[index]]);
}
