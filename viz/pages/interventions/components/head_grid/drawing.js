// Where the cells stand, and how they are drawn.

import { widthIn } from "../../../../components/browser/canvas.js";
import { channels, inkOn, over } from "../../../../components/browser/colours.js";
import { FONT, TEXT_SIZE, sentences, svgElement, svgText } from "../../../../components/browser/dom.js";
import { clamp, fixed } from "../../../../components/browser/numbers.js";
import { overColumn, standsUpright } from "../../../../components/browser/scripts.js";

const HEAD = 24;
const FOOT = 48;
const LINE_OF_LEGEND = 20;
const WIDEST = 152;
const NARROWEST = 21;
// Narrower cells have no room for a number, and their rows short names; their legend has a line for each of its parts.
const ROOMY = 44;
const GAP = 1.5;
const LEGEND = 110;
// Below 1, so that a small effect still leaves the surface.
const EXPONENT = 0.75;
// Of a number in a cell that is crossed out: pixels of a character and a line, so that the cross keeps off it.
const [CHARACTER, LINE] = [7.5, 15];
// Pixels of the corner that marks a value beyond the scale.
const CORNER = 7;
// Of a cell's width: wider names stand upright.
const UPRIGHT = 1.6;
const LONGEST_NAME = 110;

export function layOut({ rows, columns }, available) {
  const widthOf = widthIn(`${TEXT_SIZE}px ${FONT}`);
  const widest = (names) => Math.max(...names.map(widthOf));
  const labels = Math.ceil(widest(rows)) + 8;
  const width = clamp((available - labels - 1) / columns.length, NARROWEST, WIDEST);
  const isNarrow = width < ROOMY;
  const height = isNarrow ? 26 : 28;
  const foot = FOOT + (isNarrow ? 2 * LINE_OF_LEGEND : 0);
  const areTurned = widest(columns) > UPRIGHT * width;
  const isUpright = columns.map((name) => areTurned || (standsUpright(name) && widest([name]) > width));
  const upright = columns.filter((_, column) => isUpright[column]);
  const head = upright.length ? Math.min(Math.ceil(widest(upright)), LONGEST_NAME) + 10 : HEAD;
  return {
    labels,
    cell: { width, height },
    head,
    foot,
    isNarrow,
    isUpright,
    width: labels + width * columns.length + 1,
    height: head + height * rows.length + foot,
  };
}

export function drawGrid({ grid, layout, focused }) {
  const { cells, rows, columns, palette, words, scale, look } = grid;
  const { cell, labels, head } = layout;
  const top = (row) => head + row * cell.height;
  const left = (column) => labels + column * cell.width;
  const names = [
    ...columns.map((name, column) => heading(name, column)),
    ...rows.map((name, row) => text(name, 0, top(row + 0.5))),
  ];
  return [...names, ...cells.map(drawCell), ...legend()];

  function drawCell(one, index) {
    const x = left(one.column) + GAP;
    const y = top(one.row) + GAP;
    const [width, height] = [one.span * cell.width - 2 * GAP, cell.height - 2 * GAP];
    const strength = clamp(Math.abs(one.effect) / scale, 0, 1);
    const ink = inkOver(one.effect, strength);
    const isCrossed = one.is_off || one.is_within;
    const isWritten = !one.is_idle && Math.abs(one.effect) >= look.least_written;
    const hasNumber = isWritten && (!layout.isNarrow || one.span > 1);
    const written = fixed(one.effect, look.places);
    const number = () => text(written, x + width / 2, y + height / 2, { "text-anchor": "middle", fill: ink });
    const lines = `M${x} ${y}l${width} ${height}m0 ${-height}l${-width} ${height}`;
    const cross = { d: lines, stroke: ink, "stroke-width": one.is_off ? 2 : 1 };
    const isMarked = one.is_off || one.is_chosen;
    const line = isMarked ? { stroke: palette.ink, "stroke-width": 2 } : { stroke: palette.line, "stroke-width": 1 };
    const free = written.length * CHARACTER;
    const ground = { x: x + (width - free) / 2, y: y + (height - LINE) / 2, width: free, height: LINE };
    const fill = one.is_idle ? palette.line : shade(one.effect, strength);
    const frame = { class: "frame", x, y, width, height, rx: 3, fill: "none", "pointer-events": "all", ...line };
    return svgElement(
      "g",
      {
        "data-code": one.code,
        "data-number": index,
        role: "button",
        tabindex: index === focused ? 0 : -1,
        "aria-label": sentences(one.tooltip, words),
        "aria-pressed": String(Boolean(isMarked)),
        ...(one.is_idle ? { "aria-disabled": "true" } : {}),
      },
      svgElement("rect", { x, y, width, height, rx: 3, fill }),
      ...(isCrossed ? [svgElement("path", cross)] : []),
      ...(isCrossed && hasNumber
        ? [palette.surface, fill].map((colour) => svgElement("rect", { ...ground, fill: colour }))
        : []),
      ...(hasNumber ? [number()] : []),
      ...(isCut(one) ? [corner(x + width, y, ink)] : []),
      svgElement("rect", frame),
    );
  }

  function heading(name, column) {
    const x = left(column + 0.5);
    if (!layout.isUpright[column]) return text(name, x, head - 8, { "text-anchor": "middle" });
    return text(name, x, head - 6, overColumn(name, x, head - 6));
  }

  function inkOver(effect, strength) {
    return inkOn(over(channels(palette.surface), [...hueOf(effect), strength ** EXPONENT]));
  }

  function hueOf(effect) {
    return effect * look.blue < 0 ? palette.opposite : palette.hue;
  }

  // What is written in the legend is the last that has a colour of its own.
  function isCut({ effect }) {
    return Number(fixed(Math.abs(effect), look.places)) > Number(fixed(scale, look.places));
  }

  function corner(right, y, fill) {
    const d = `M${right - 2} ${y + 2}h${-CORNER}l${CORNER} ${CORNER}z`;
    return svgElement("path", { class: "cut", d, fill });
  }

  function shade(effect, strength) {
    return `rgb(${hueOf(effect).join(" ")} / ${(strength ** EXPONENT).toFixed(3)})`;
  }

  function legend() {
    const y = layout.height - layout.foot + 12;
    // Where cells are narrow, its words need the room under the names of the rows.
    const begin = layout.isNarrow ? 0 : labels;
    const steps = 22;
    const bar = Array.from({ length: steps }, (_, step) => {
      const share = (2 * step) / (steps - 1) - 1;
      const place = { x: begin + (step * LEGEND) / steps, y, width: LEGEND / steps + 0.2, height: 10 };
      return svgElement("rect", { ...place, fill: shade(share, Math.abs(share)) });
    });
    const cut = cells.filter(isCut);
    const [below, above] = [-1, 1].map((sign) => cut.some(({ effect }) => effect * sign > 0));
    const ends = `${below ? "≤ " : ""}${fixed(-scale, look.places)} … ${above ? "≥ " : ""}${fixed(scale, look.places)} ${words.unit}`;
    const marks = [
      ...(below ? [corner(begin + 12, y, inkOver(-1, 1))] : []),
      ...(above ? [corner(begin + LEGEND, y, inkOver(1, 1))] : []),
    ];
    if (!layout.isNarrow)
      return [...bar, ...marks, text(ends, begin + LEGEND + 6, y + 5), text(words.rule, begin, y + 24)];
    const lines = [ends, words.rule, words.narrow ?? ""];
    return [...bar, ...marks, ...lines.map((line, number) => text(line, begin, y + 24 + number * LINE_OF_LEGEND))];
  }

  function text(content, x, y, look = {}) {
    return svgText(content, x, y, { fill: palette.ink, ...look });
  }
}
