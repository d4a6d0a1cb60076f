// Where the curves and the maps of the runs stand, and how they are painted at one frame.

import { Cells, useFont } from "../../../../components/browser/canvas.js";
import { colourTable } from "../../../../components/browser/colours.js";
import { fixed, whole } from "../../../../components/browser/numbers.js";
import { FONT, bottomAxis, leftAxis, straight } from "../../../../components/browser/plot.js";

const [PLOT, PLOT_TOP, PLOT_LEFT, PLOT_RIGHT, PLOT_FOOT] = [120, 20, 34, 14, 24];
const GAP = 18;
const TWO_COLUMNS = 620; // pixels from which on runs stand side by side
const NARROWEST_PLOT = 165;
const [NAME, TITLE, SCORE, BETWEEN] = [26, 20, 15, 10];
const [NARROWEST_MAP, WIDEST_MAP] = [96, 165]; // with less, the names of heads would not fit
const [LABELS, WIDEST_LABELLED, PLOTS_BESIDE] = [[62, 82], 225, 250]; // labels have less room where it is narrow
const LINE = 12; // pixels from label to label
const LETTER = 7.5; // pixels of a letter

export class Layout {
  constructor(width, scene) {
    const { plots, isCross } = scene;
    this.width = width;
    this.isWide = width >= TWO_COLUMNS;
    if (!isCross) {
      this.height = this.placeMaps(scene, 0, this.placePlots(plots, 0, width) + 8);
      return;
    }
    // Maps with labels need the height of the screen: the curves stand beside or under them.
    const lowest = this.placeMaps(scene, this.isWide ? PLOTS_BESIDE + GAP : 0, 0);
    const foot = this.isWide ? this.placePlots(plots, 0, PLOTS_BESIDE) : this.placePlots(plots, lowest, width);
    this.height = Math.max(foot, lowest);
  }

  placePlots(plots, top, width) {
    const columns = evenly(plots.length, (width + GAP) / (NARROWEST_PLOT + GAP));
    const plotWidth = (width - GAP * (columns - 1)) / columns;
    const rowHeight = PLOT_TOP + PLOT + PLOT_FOOT;
    this.plots = plots.map((name, index) => ({
      name,
      x: (index % columns) * (plotWidth + GAP) + PLOT_LEFT,
      y: top + Math.floor(index / columns) * rowHeight + PLOT_TOP,
      width: plotWidth - PLOT_LEFT - PLOT_RIGHT,
      height: PLOT,
    }));
    return top + Math.ceil(plots.length / columns) * rowHeight;
  }

  placeMaps({ runs, isCross, scoreNames }, start, top) {
    const beside = this.isWide ? runs.length : 1;
    const room = (this.width - start - GAP * 2 * (beside - 1)) / beside;
    const labels = isCross ? LABELS[Number(this.isWide)] : 0;
    const heads = Math.max(...runs.map((run) => run.heads[1]));
    const inRow = evenly(heads, (room - labels + BETWEEN) / (NARROWEST_MAP + BETWEEN));
    const side = Math.min((room - labels - BETWEEN * (inRow - 1)) / inRow, isCross ? WIDEST_LABELLED : WIDEST_MAP);
    const pitch = TITLE + side + 6 + (isCross ? 0 : SCORE * scoreNames.length);
    this.runs = [];
    this.maps = [];
    let y = top;
    let lowest = top;
    runs.forEach((run, place) => {
      const x = start + (this.isWide ? place * (room + GAP * 2) : 0);
      this.runs.push({ x, y });
      const [layers, count] = run.heads;
      const rows = Math.ceil(count / inRow);
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < count; head++) {
          const row = layer * rows + Math.floor(head / inRow);
          const left = x + labels + (head % inRow) * (side + BETWEEN);
          const isFirst = head % inRow === 0;
          const isLowest = row === layers * rows - 1;
          const at = { x: left, y: y + NAME + row * pitch + TITLE, side };
          this.maps.push({ place, layer, head, ...at, isFirst, isLowest, letters: Math.floor(labels / LETTER) });
        }
      }
      const end = y + NAME + layers * rows * pitch + labels;
      lowest = Math.max(lowest, end);
      if (!this.isWide) y = end + 6;
    });
    return lowest;
  }

  plotAt(x, y) {
    const isIn = (plot) => x >= plot.x - 4 && x <= plot.x + plot.width + 4 && y >= plot.y && y <= plot.y + plot.height;
    return this.plots.find(isIn);
  }

  mapAt(x, y) {
    return this.maps.find((map) => x >= map.x && x < map.x + map.side && y >= map.y && y < map.y + map.side);
  }
}

// So many in a row that all rows but the last are full, and at most as many as there is room for.
function evenly(count, room) {
  const rows = Math.ceil(count / Math.max(1, Math.floor(room)));
  return Math.ceil(count / rows);
}

export class Painter {
  constructor() {
    this.cells = new Cells();
  }

  paint(context, layout, scene, frame) {
    for (const plot of layout.plots) this.paintPlot(context, plot, scene, frame);
    layout.runs.forEach(({ x, y }, place) => {
      const { name, colour } = scene.runs[place];
      context.fillStyle = colour;
      context.fillRect(x, y + 6, 12, 12);
      write(context, name, x + 18, y + 12, scene.look.ink);
    });
    for (const map of layout.maps) this.paintMap(context, map, scene, frame);
  }

  paintPlot(context, plot, scene, frame) {
    const { look, runs, steps, curves, words } = scene;
    // A run whose rate is too high has losses that are no numbers any more.
    const top = Math.max(1, ...runs.flatMap((_, place) => [...curves[plot.name][place]].filter(Number.isFinite)));
    const toX = (step) => plot.x + shareOf(scene, step) * plot.width;
    const toY = (value) => plot.y + (1 - value / top) * plot.height;
    write(context, words[plot.name], plot.x - PLOT_LEFT, plot.y - 12, look.ink);
    const middle = top > 2 ? Math.floor(top / 2) : 0.5;
    const upper = 2 * middle;
    leftAxis(context, plot, [0, middle, upper].map((value) => [toY(value), String(value)]), "", look);
    bottomAxis(context, plot, marked(scene).map((step) => [toX(step), whole(step)]), "", look);
    Object.assign(context, { strokeStyle: look.line, lineWidth: 1 });
    context.strokeRect(plot.x, plot.y, plot.width, plot.height);
    runs.forEach(({ colour }, place) => {
      Object.assign(context, { strokeStyle: colour, lineWidth: 2, lineJoin: "round" });
      context.beginPath();
      // A file in SVG needs the first point to be moved to, which a canvas does by itself.
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

  paintMap(context, { place, layer, head, x, y, side, isFirst, isLowest, letters }, scene, frame) {
    const { look, words, queries, keys, isCross } = scene;
    const values = patternOf(scene, place, layer, head, frame);
    const pixels = this.cells.begin(keys.length, queries.length);
    values.forEach((value, index) => (pixels[index] = look.table[value]));
    const scores = scene.scoreNames.map((_, kind) => scoreOf(scene, place, layer, head, frame, kind));
    const told = scores.map((score) => (Number.isFinite(score) ? fixed(score, 2) : "–"));
    const name = `${words["layer"]} ${layer + 1}, ${words["head"]} ${head + 1}`;
    write(context, isCross ? `${name}: ${told}` : name, x, y - 9, look.ink);
    this.cells.draw(context, x, y, side, side);
    Object.assign(context, { strokeStyle: look.line, lineWidth: 1 });
    context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
    if (!isCross) {
      const under = (index) => y + side + 9 + index * SCORE;
      scene.scoreNames.forEach((kind, index) => write(context, `${words[`score ${kind}`]} ${told[index]}`, x, under(index), look.ink));
      return;
    }
    const shown = (tokens) => tokens.map((token) => shortened(token, letters));
    if (isFirst) writeRows(context, shown(queries), x - 5, y, side, look.ink);
    if (isLowest) writeColumns(context, shown(keys), x, y + side + 5, side, look.ink);
  }
}

function writeRows(context, tokens, x, y, side, ink) {
  useFont(context, FONT);
  Object.assign(context, { fillStyle: ink, textAlign: "right", textBaseline: "middle" });
  sparse(tokens, side).forEach(([token, at]) => context.fillText(token, x, y + at));
}

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
function sparse(tokens, side) {
  const cell = side / tokens.length;
  const every = Math.max(1, Math.ceil(LINE / cell));
  return tokens.flatMap((token, index) => (index % every ? [] : [[token, (index + 0.5) * cell]]));
}

function shortened(token, letters) {
  return token.length > letters ? `${token.slice(0, letters - 1)}…` : token;
}

// Where a step stands along the axis, from 0 to 1; with isLog, twice as many steps are always as far.
export function shareOf({ steps, last, isLog }, step) {
  return isLog ? Math.log(step / steps[0]) / Math.log(last / steps[0]) : step / last;
}

function marked({ steps, last, isLog }) {
  return isLog ? [steps[0], steps[Math.floor((steps.length - 1) / 2)], last] : [0, last / 2, last];
}

// Of runs that are still trained, the frames from mapsFrom on alone have patterns and scores here.
export function patternOf({ patterns, runs, queries, keys, mapsFrom }, place, layer, head, frame) {
  const [layers, heads] = runs[place].heads;
  const size = queries.length * keys.length;
  const start = (((frame - mapsFrom) * layers + layer) * heads + head) * size;
  return patterns[place].subarray(start, start + size);
}

export function scoreOf({ scores, runs, steps, mapsFrom }, place, layer, head, frame, kind) {
  const [layers, heads] = runs[place].heads;
  const frames = steps.length - mapsFrom;
  return scores[place][((kind * frames + frame - mapsFrom) * layers + layer) * heads + head];
}

export function tableOf({ sequential, surface }) {
  return colourTable(sequential, surface, 256);
}

function write(context, text, x, y, ink) {
  useFont(context, FONT);
  Object.assign(context, { fillStyle: ink, textAlign: "left", textBaseline: "middle" });
  context.fillText(text, x, y);
}
