// Where the nodes stand, and how they are drawn.

import { widthIn } from "../../../../components/browser/canvas.js";
import { TEXT_SIZE, sentences, svgElement, svgText } from "../../../../components/browser/dom.js";
import { clamp } from "../../../../components/browser/numbers.js";
import { shortened } from "../../../../components/browser/scripts.js";

const ROW = 27;
const TOP = 8;
const PADDING = 6;
const GAPS = [16, 30];
const FONT =
  '"Source Code Pro", ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace';
const LONGEST = 22;

// Columns as wide as their longest label; the gaps between them shrink, down to a limit, where that fits all into
// the width that there is.
export function layOut({ nodes, beginning }, available) {
  const measured = widthIn(`${TEXT_SIZE}px ${FONT}`);
  const width = (label) => measured(label) + 2 * PADDING;
  const start = { label: endOf(beginning), x: 1 };
  start.width = width(start.label);
  const columns = [];
  const places = [];
  for (const [number, node] of nodes.entries()) {
    const label = shortened(node.label, LONGEST);
    columns[node.step] ??= { width: 0 };
    places[number] = { label, width: width(label), y: TOP + (node.rank + 0.5) * ROW };
    columns[node.step].width = Math.max(columns[node.step].width, places[number].width);
  }
  const filled = columns.reduce((sum, { width }) => sum + width, start.x + start.width + 2);
  const gap = clamp((available - filled) / columns.length, GAPS[0], GAPS[1]);
  let x = start.x + start.width + gap;
  for (const column of columns) {
    column.x = x;
    column.right = x + column.width;
    x = column.right + gap;
  }
  const nRows = Math.max(...nodes.map(({ rank }) => rank)) + 1;
  nodes.forEach((node, number) => (places[number].x = columns[node.step].x));
  return { columns, places, start: { ...start, y: TOP + ROW / 2 }, width: x - gap + 2, height: 2 * TOP + nRows * ROW };
}

export function drawTree({ tree, layout, step, now, focused, told, words }) {
  const { nodes, palette } = tree;
  const isLeading = new Set(now.leading);
  const hue = `rgb(${palette.hue.join(" ")}`;
  const shown = nodes.map((node, number) => ({ node, number })).filter(({ node }) => node.step < step);
  // What leads is drawn last, over what has been left.
  const importance = ({ number }) => (isLeading.has(number) ? 2 : now.alive.has(number) ? 1 : 0);
  const edges = [...shown]
    .sort((one, other) => importance(one) - importance(other))
    .map((one) => {
      const from = one.node.parent === null ? layout.start : layout.places[one.node.parent];
      const look = [
        { stroke: palette.line, "stroke-width": 1 },
        { stroke: palette.muted, "stroke-width": 1.2 },
        { stroke: `${hue})`, "stroke-width": 2.2 },
      ][importance(one)];
      return svgElement("path", { d: curve(from, layout.places[one.number]), fill: "none", ...look });
    });
  const boxes = shown.map((one) => nodeAt(one, importance(one)));
  return [...edges, text(layout.start, palette.muted, 400), ...boxes];

  function nodeAt({ node, number }, weight) {
    const place = layout.places[number];
    const colour = weight ? palette.ink : palette.muted;
    const shade = weight ? `${hue} / ${(0.06 + 0.42 * node.probability).toFixed(3)})` : "none";
    const border = node.fate === "finished" ? palette.ink : "none";
    const box = { x: place.x, y: place.y - 11, width: place.width, height: 22, rx: 3, fill: shade, stroke: border };
    return svgElement(
      "g",
      {
        "data-number": number,
        "data-standing": ["left", "alive", "leading"][weight],
        role: "button",
        tabindex: number === focused ? 0 : -1,
        "aria-label": sentences(told(node), words),
        "aria-disabled": node.can_go_on ? null : "true",
      },
      // Where nothing is filled, the pointer would fall through.
      svgElement("rect", { ...box, "pointer-events": "all" }),
      text(place, colour, weight === 2 ? 600 : 400),
    );
  }
}

function text({ label, x, y }, fill, weight) {
  return svgText(label, x + PADDING, y, { "font-family": FONT, "font-weight": weight, fill });
}

function curve(from, to) {
  const [x0, x1] = [from.x + from.width + 2, to.x - 2];
  const middle = (x0 + x1) / 2;
  return `M${x0} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${x1} ${to.y}`;
}

// The end of a text that is too long.
function endOf(text) {
  const letters = Array.from(text);
  return letters.length > LONGEST ? `…${letters.slice(1 - LONGEST).join("")}` : text;
}
