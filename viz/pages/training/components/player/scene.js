// How the curves and the maps of the runs are painted at one frame.

import { Cells, useFont } from "../../../../components/browser/canvas.js";
import { fill } from "../../../../components/browser/dom.js";
import { fixed, whole } from "../../../../components/browser/numbers.js";
import { FONT, bottomAxis, leftAxis, straight } from "../../../../components/browser/plot.js";
import { shortened } from "../../../../components/browser/scripts.js";
import { biasOf, marked, patternOf, scoreOf, shareOf, similarityOf } from "./frames.js";
import { BIAS, PLOT_LEFT, SCORE } from "./layout.js";

/** @import { Context } from "../../../../components/browser/types" */
/** @import { Layout } from "./layout.js" */
/** @import { HeadMap, Plot, Scene, Square } from "./types" */

const LINE = 12; // pixels from label to label
// Letters of a map without labels stand in two lanes: pixels from letter to letter, and from lane to lane.
const [LETTER_LINE, LANES] = [10, { rows: 11, columns: 12 }];
const MOST_LETTERS = 2; // of a token that has room there
const TITLE_UP = 15; // from the top of a plot to the middle of its title: clear of the label there

export class Painter {
  constructor() {
    this.cells = new Cells();
  }

  /** @type {(context: Context, layout: Layout, scene: Scene, frame: number) => void} */
  paint(context, layout, scene, frame) {
    for (const plot of layout.plots) this.paintPlot(context, plot, scene, frame);
    layout.runs.forEach(({ x, y }, place) => {
      const { name, colour } = scene.runs[place];
      context.fillStyle = colour;
      context.fillRect(x, y + 6, 12, 12);
      write(context, name, x + 18, y + 12, scene.look.ink);
    });
    for (const map of layout.maps) {
      this.paintMap(context, map, scene, frame);
      if (scene.runs[map.place].n_distances) paintBias(context, map, scene, frame);
    }
    for (const map of layout.similarities) {
      write(context, scene.words["similarity"], map.x, map.y - 9, scene.look.ink);
      this.paintCells(context, map, similarityOf(scene, map.place, frame), scene.queries.length, scene);
    }
  }

  /** @type {(context: Context, square: Pick<Square, "x" | "y" | "side">, values: Uint8Array, nRows: number, scene: Scene) => void} */
  paintCells(context, { x, y, side }, values, nRows, { look }) {
    const pixels = this.cells.begin(values.length / nRows, nRows);
    values.forEach((value, index) => (pixels[index] = look.table[value]));
    this.cells.draw(context, x, y, side, side);
    Object.assign(context, { strokeStyle: look.line, lineWidth: 1 });
    context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
  }

  /** @type {(context: Context, plot: Plot, scene: Scene, frame: number) => void} */
  paintPlot(context, plot, scene, frame) {
    const { look, runs, steps, curves, words } = scene;
    // A run whose rate is too high has losses that are no numbers any more.
    const top = Math.max(1, ...runs.flatMap((_, place) => [...curves[plot.name][place]].filter(Number.isFinite)));
    /** @type {(step: number) => number} */
    const toX = (step) => plot.x + shareOf(scene, step) * plot.width;
    /** @type {(value: number) => number} */
    const toY = (value) => plot.y + (1 - value / top) * plot.height;
    write(context, words[plot.name], plot.x - PLOT_LEFT, plot.y - TITLE_UP, look.ink);
    const middle = top > 2 ? Math.floor(top / 2) : 0.5;
    const upper = 2 * middle;
    leftAxis(
      context,
      plot,
      [0, middle, upper].map((value) => [toY(value), String(value)]),
      "",
      look,
    );
    bottomAxis(
      context,
      plot,
      marked(scene).map((step) => [toX(step), whole(step)]),
      "",
      look,
    );
    Object.assign(context, { strokeStyle: look.line, lineWidth: 1 });
    context.strokeRect(plot.x, plot.y, plot.width, plot.height);
    runs.forEach(({ colour }, place) => {
      Object.assign(context, { strokeStyle: colour, lineWidth: 2, lineJoin: "round" });
      context.beginPath();
      // A file in SVG needs the first point to be moved to, which a canvas does by itself.
      /** @type {"moveTo" | "lineTo"} */
      let draw = "moveTo";
      curves[plot.name][place].forEach((value, index) => {
        if (!Number.isFinite(value)) return;
        context[draw](toX(steps[index]), toY(value));
        draw = "lineTo";
      });
      context.stroke();
    });
    Object.assign(context, { strokeStyle: look.ink, lineWidth: 1 });
    straight(context, toX(steps[frame]), plot.y, toX(steps[frame]), plot.y + plot.height);
    runs.forEach(({ colour }, place) => {
      const value = curves[plot.name][place][frame];
      context.fillStyle = colour;
      if (Number.isFinite(value)) context.fillRect(toX(steps[frame]) - 3, toY(value) - 3, 6, 6);
    });
  }

  /** @type {(context: Context, map: HeadMap, scene: Scene, frame: number) => void} */
  paintMap(context, map, scene, frame) {
    const { place, layer, head, x, y, side, isFirst, isLowest, letters } = map;
    const { look, words, queries, keys, isCross } = scene;
    const scores = scene.scoreNames.map((_, kind) => scoreOf(scene, place, layer, head, frame, kind));
    const told = scores.map((score) => (Number.isFinite(score) ? fixed(score, 2) : "–"));
    const name = fill(words["head"], { layer: layer + 1, head: head + 1 });
    write(context, isCross ? `${name}: ${told}` : name, x, y - 9, look.ink);
    this.paintCells(context, map, patternOf(scene, place, layer, head, frame), queries.length, scene);
    if (!isCross) {
      if (isFirst) writeLetters(context, queries, side, look.ink, (at, lane) => [x - 8 - lane * LANES.rows, y + at]);
      writeLetters(context, keys, side, look.ink, (at, lane) => [x + at, y + side + 8 + lane * LANES.columns]);
      /** @type {(index: number) => number} */
      const under = (index) => map.under - (scene.scoreNames.length - index) * SCORE;
      scene.scoreNames.forEach((kind, index) =>
        write(context, `${words[`score ${kind}`]} ${told[index]}`, x, under(index), look.ink),
      );
      return;
    }
    /** @type {(tokens: string[]) => string[]} */
    const shown = (tokens) => tokens.map((token) => shortened(token, letters));
    if (isFirst) writeRows(context, shown(queries), x - 5, y, side, look.ink);
    if (isLowest) writeColumns(context, shown(keys), x, y + side + 5, side, look.ink);
  }
}

// What a head adds to a score by the distance of the key: the nearest at the left.
/** @type {(context: Context, map: HeadMap, scene: Scene, frame: number) => void} */
function paintBias(context, { place, layer, head, x, side, under }, scene, frame) {
  const { look, runs, words, biasRanges } = scene;
  const values = biasOf(scene, place, layer, head, frame);
  const [low, high] = biasRanges[place];
  const [top, height] = [under + SCORE - 4, BIAS - 6];
  /** @type {(distance: number) => number} */
  const toX = (distance) => x + (distance / Math.max(1, values.length - 1)) * side;
  /** @type {(value: number) => number} */
  const toY = (value) => top + ((high - value) / (high - low)) * height;
  const told = { low: fixed(Math.min(...values), 1), high: fixed(Math.max(...values), 1) };
  write(context, fill(words["bias"], told), x, under, look.ink);
  Object.assign(context, { strokeStyle: look.line, lineWidth: 1 });
  straight(context, x, toY(0), x + side, toY(0));
  Object.assign(context, { strokeStyle: runs[place].colour, lineWidth: 2, lineJoin: "round" });
  context.beginPath();
  values.forEach((value, distance) => context[distance ? "lineTo" : "moveTo"](toX(distance), toY(value)));
  context.stroke();
}

// Beside each cell its token; where cells are low, every second one a lane farther out, and then fewer.
/** @type {(context: Context, tokens: string[], side: number, ink: string, placeOf: (at: number, lane: number) => [number, number]) => void} */
function writeLetters(context, tokens, side, ink, placeOf) {
  useFont(context, FONT);
  Object.assign(context, { fillStyle: ink, textAlign: "center", textBaseline: "middle" });
  const cell = side / tokens.length;
  const isDense = cell < LETTER_LINE;
  const every = Math.max(1, Math.ceil(LETTER_LINE / cell / 2));
  tokens.forEach((token, index) => {
    if (index % every || token.length > MOST_LETTERS) return;
    const place = placeOf((index + 0.5) * cell, isDense ? (index / every) % 2 : 0);
    context.fillText(token, ...place);
  });
}

/** @type {(context: Context, tokens: string[], x: number, y: number, side: number, ink: string) => void} */
function writeRows(context, tokens, x, y, side, ink) {
  useFont(context, FONT);
  Object.assign(context, { fillStyle: ink, textAlign: "right", textBaseline: "middle" });
  sparse(tokens, side).forEach(([token, at]) => context.fillText(token, x, y + at));
}

/** @type {(context: Context, tokens: string[], x: number, y: number, side: number, ink: string) => void} */
function writeColumns(context, tokens, x, y, side, ink) {
  for (const [token, at] of sparse(tokens, side)) {
    context.save();
    context.translate(x + at, y);
    context.rotate(-Math.PI / 2);
    useFont(context, FONT);
    Object.assign(context, { fillStyle: ink, textAlign: "right", textBaseline: "middle" });
    context.fillText(token, 0, 0);
    context.restore();
  }
}

// As many tokens as there is room for, each with the middle of its cell.
/** @type {(tokens: string[], side: number) => [token: string, at: number][]} */
function sparse(tokens, side) {
  const cell = side / tokens.length;
  const every = Math.max(1, Math.ceil(LINE / cell));
  return tokens.flatMap((token, index) => (index % every ? [] : [[token, (index + 0.5) * cell]]));
}

/** @type {(context: Context, text: string, x: number, y: number, ink: string) => void} */
function write(context, text, x, y, ink) {
  useFont(context, FONT);
  Object.assign(context, { fillStyle: ink, textAlign: "left", textBaseline: "middle" });
  context.fillText(text, x, y);
}
