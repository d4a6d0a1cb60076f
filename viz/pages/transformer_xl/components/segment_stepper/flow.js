// How far back a prediction sees: the cone through the layers, as the paper's figures 1 and 2, and where attention goes.

import { fill, listed, setAttribute, setText, svgElement } from "../../../../components/browser/dom.js";
import { css } from "../../../../components/browser/colours.js";
import { clamp, fixed, whole } from "../../../../components/browser/numbers.js";
import { label, line } from "./bits.js";

const LOWEST = 30;
const [TOP, RIGHT, BOTTOM, LEFT] = [16, 10, 34, 84];
const STRIP = 8;

// Draws into the figure, and returns the place of the segment's character nearest to a distance from its left edge.
export function drawFlow(figure, { reading, segment, pointed, palette, words }) {
  const width = figure.box.clientWidth;
  const { from, to } = reading.span(segment);
  const edges = Array.from(reading.edgesOf(segment));
  // The other picture begins before the segment.
  const top = pointed !== null && pointed >= from ? pointed : to - 1;
  const begin = Math.min(edges[edges.length - 1], from);
  const step = (width - LEFT - RIGHT) / (to - begin);
  const row = Math.max(LOWEST, (figure.most() - TOP - BOTTOM) / reading.n_layers);
  const height = TOP + row * reading.n_layers + BOTTOM;
  const x = (place) => LEFT + (place - begin) * step;
  const y = (depth) => TOP + row * depth;
  const drawn = [...borders(reading, begin, to, x, y, palette)];
  for (let depth = 0; depth < reading.n_layers; depth++) {
    const left = depth ? edges[depth] : top;
    drawn.push(cone([left, top + 1], [edges[depth + 1], top + 1], depth, x, y, css(palette.hue, 0.14)));
    const alone = depth ? from : top;
    drawn.push(cone([alone, top + 1], [from, top + 1], depth, x, y, css(palette.opposite, 0.28)));
  }
  for (let layer = 0; layer < reading.n_layers; layer++) drawn.push(...weights(reading, segment, layer, x, y, palette));
  drawn.push(...names(reading, edges, from, x, y, palette, words));
  drawn.push(svgElement("circle", { cx: x(top + 0.5), cy: y(0), r: 4, fill: palette.ink }));
  drawn.push(
    label(x(from), height - 6, fill(words["flow below"], { from: whole(from + 1) }), palette.muted, {
      "text-anchor": x(from) < width / 2 ? "start" : "end",
    }),
  );
  setAttribute(figure.svg, "viewBox", `0 0 ${width} ${height}`);
  setAttribute(figure.svg, "width", width);
  setAttribute(figure.svg, "height", height);
  figure.svg.replaceChildren(...drawn);
  describe(figure, reading, segment, from - begin, words);
  return (distance) => clamp(begin + Math.floor((distance - LEFT) / step), from, to - 1);
}

function borders(reading, begin, to, x, y, palette) {
  const length = reading.segment_length;
  const found = [];
  for (let place = Math.ceil(begin / length) * length; place <= to; place += length)
    found.push(line(x(place), TOP - 6, x(place), y(reading.n_layers) + STRIP, palette.line));
  return found;
}

function cone([left, right], [lowerLeft, lowerRight], depth, x, y, colour) {
  const corners = [
    [left, depth],
    [right, depth],
    [lowerRight, depth + 1],
    [lowerLeft, depth + 1],
  ];
  return svgElement("polygon", {
    points: corners.map(([place, at]) => `${x(place)},${y(at)}`).join(" "),
    fill: colour,
  });
}

// The attention of the segment's characters by a layer lies at what the layer reads: the state below it.
function weights(reading, segment, layer, x, y, palette) {
  const keys = reading.attentionOf(segment, layer);
  const most = Math.max(...keys);
  const first = segment * reading.segment_length - reading.mem_len;
  const depth = reading.n_layers - layer;
  return Array.from(keys, (weight, key) => {
    if (weight <= 0) return null;
    const opacity = Math.sqrt(weight / most).toFixed(3);
    const place = { x: x(first + key), y: y(depth), width: x(1) - x(0) + 0.3, height: STRIP };
    return svgElement("rect", { ...place, fill: css(palette.hue), "fill-opacity": opacity });
  }).filter((made) => made !== null);
}

function names(reading, edges, from, x, y, palette, words) {
  const found = [];
  for (let depth = 0; depth <= reading.n_layers; depth++) {
    const name = depth < reading.n_layers ? fill(words.layer, { layer: reading.n_layers - depth }) : words.characters;
    found.push(label(4, y(depth) + 4, name, palette.muted));
    const back = from - edges[depth];
    if (depth && back > 0) found.push(label(x(edges[depth]) + 2, y(depth) - 3, `−${whole(back)}`, palette.ink));
  }
  return found;
}

function describe(figure, reading, segment, back, words) {
  const shares = Array.from({ length: reading.n_layers }, (_, layer) => {
    const keys = reading.attentionOf(segment, layer);
    const remembered = keys.subarray(0, reading.mem_len).reduce((sum, weight) => sum + weight, 0);
    return fill(words["share of"], { layer: layer + 1, share: fixed(100 * remembered, 0) });
  });
  const numbers = { n_layers: reading.n_layers, mem_len: whole(reading.mem_len), back: whole(back) };
  const said = fill(words["flow said"], { ...numbers, shares: listed(shares, words.pair) });
  setAttribute(figure.svg, "aria-label", said);
  setText(figure.caption, said);
}
