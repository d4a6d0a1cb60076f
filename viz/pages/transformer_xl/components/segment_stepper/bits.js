// What each character costs, around the border where a segment begins.

import { fill, listed, setAttribute, setText, svgElement } from "../../../../components/browser/dom.js";
import { FONT, MONOSPACE } from "../../../../components/browser/plot.js";
import { clamp, fixed, ticks, whole } from "../../../../components/browser/numbers.js";

const LOWEST = 210;
const [TOP, RIGHT, BOTTOM, LEFT] = [14, 8, 38, 34];
// A character has room for its letter.
const NARROWEST = 8;
const BEFORE = 0.2;
export const DASHES = ["", "5 3", "2 3"];

// Draws into the figure, and returns the place of the character drawn at a distance from its left edge, or nearest to it.
export function drawBits(figure, { reading, segment, pointed, palette, words }) {
  const width = figure.box.clientWidth;
  const height = Math.max(LOWEST, figure.most());
  const { from, to } = reading.span(segment);
  const room = Math.max(8, Math.floor((width - LEFT - RIGHT) / NARROWEST));
  const begin = Math.max(reading.start, from - Math.min(16, Math.floor(room * BEFORE)));
  const end = Math.min(to, begin + room);
  const step = (width - LEFT - RIGHT) / (end - begin);
  const shown = reading.series.map(({ bits }) => bits.subarray(begin - reading.start, end - reading.start));
  const most = Math.max(4, ...shown.map((bits) => Math.max(...bits)));
  const y = (bits) => TOP + (height - TOP - BOTTOM) * (1 - bits / most);
  const x = (place) => LEFT + (place - begin + 0.5) * step;
  const drawn = [...axis(y, most, width, palette)];
  const border = LEFT + (from - begin) * step;
  drawn.push(line(border, TOP - 8, border, height - BOTTOM, palette.ink, { "stroke-dasharray": "2 2" }));
  drawn.push(label(border + 4, TOP - 3, words.border, palette.ink));
  if (pointed !== null && pointed >= begin && pointed < end)
    drawn.push(line(x(pointed), TOP, x(pointed), height - BOTTOM, palette.muted));
  reading.series.forEach(({ colour }, index) => {
    const points = Array.from(shown[index], (bits, place) => `${x(begin + place).toFixed(1)},${y(bits).toFixed(1)}`);
    const look = { stroke: colour, "stroke-width": 2, "stroke-dasharray": DASHES[index], fill: "none" };
    drawn.push(svgElement("polyline", { points: points.join(" "), ...look }));
  });
  for (let place = begin; place < end; place++)
    drawn.push(
      label(x(place), height - BOTTOM + 13, reading.shown(place + 1), palette.ink, {
        "text-anchor": "middle",
        "font-family": MONOSPACE,
      }),
    );
  drawn.push(label(width - RIGHT, height - 6, words["bits below"], palette.muted, { "text-anchor": "end" }));
  size(figure.svg, width, height);
  figure.svg.replaceChildren(...drawn);
  describe(figure, reading, segment, words);
  return (distance) => clamp(begin + Math.floor((distance - LEFT) / step), begin, end - 1);
}

function axis(y, most, width, palette) {
  return ticks(0, most, 4).flatMap((value) => [
    line(LEFT, y(value), width - RIGHT, y(value), palette.line),
    label(LEFT - 5, y(value) + 4, whole(value), palette.muted, { "text-anchor": "end" }),
  ]);
}

// The means of the segment, in words: for those who do not see the picture, and those who want the numbers.
function describe(figure, reading, segment, words) {
  const { from, to } = reading.span(segment);
  const quarter = Math.max(1, Math.floor((to - from) / 4));
  const parts = reading.series.map(({ label: name, bits }) => {
    const of = (first, last) => fixed(mean(bits.subarray(first - reading.start, last - reading.start)), 2);
    return fill(words["bits of"], { name, first: of(from, from + quarter), all: of(from, to) });
  });
  const said = fill(words["bits said"], {
    segment: whole(segment + 1),
    n: quarter,
    parts: listed(parts, words["pair apart"]),
  });
  setAttribute(figure.svg, "aria-label", said);
  setText(figure.caption, said);
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function size(svg, width, height) {
  setAttribute(svg, "viewBox", `0 0 ${width} ${height}`);
  setAttribute(svg, "width", width);
  setAttribute(svg, "height", height);
}

export function line(x1, y1, x2, y2, stroke, more = {}) {
  return svgElement("line", { x1, y1, x2, y2, stroke, ...more });
}

export function label(x, y, text, fill_, more = {}) {
  const style = `font: ${FONT}`;
  const made = svgElement("text", {
    x,
    y,
    fill: fill_,
    style: "font-family" in more ? "font-size: 13px" : style,
    ...more,
  });
  made.textContent = text;
  return made;
}
