// Where the curves and the maps of the runs stand, and how they are painted at one frame.

import { Cells, useFont } from "../../../../components/browser/canvas.js";
import { colourTable } from "../../../../components/browser/colours.js";
import { fixed, whole } from "../../../../components/browser/numbers.js";
import { FONT, bottomAxis, leftAxis, straight } from "../../../../components/browser/plot.js";

const [PLOT, PLOT_TOP, PLOT_LEFT, PLOT_RIGHT, PLOT_FOOT] = [120, 20, 34, 14, 24];
const GAP = 18;
const TWO_COLUMNS = 620; // pixels from which on runs stand side by side
const NARROWEST_PLOT = 165;
const [NAME, TITLE, SCORES, BETWEEN] = [26, 20, 36, 10];
const [NARROWEST_MAP, WIDEST_MAP] = [96, 165]; // with less, the names of heads would not fit

export class Layout {
  constructor(width, { runs, plots }) {
    this.width = width;
    const isWide = width >= TWO_COLUMNS;
    const columns = evenly(plots.length, (width + GAP) / (NARROWEST_PLOT + GAP));
    const plotWidth = (width - GAP * (columns - 1)) / columns;
    const rowHeight = PLOT_TOP + PLOT + PLOT_FOOT;
    this.plots = plots.map((name, index) => ({
      name,
      x: (index % columns) * (plotWidth + GAP) + PLOT_LEFT,
      y: Math.floor(index / columns) * rowHeight + PLOT_TOP,
      width: plotWidth - PLOT_LEFT - PLOT_RIGHT,
      height: PLOT,
    }));
    const top = Math.ceil(plots.length / columns) * rowHeight + 8;
    const beside = isWide ? runs.length : 1;
    const room = (width - GAP * 2 * (beside - 1)) / beside;
    const heads = Math.max(...runs.map((run) => run.heads[1]));
    const inRow = evenly(heads, (room + BETWEEN) / (NARROWEST_MAP + BETWEEN));
    const side = Math.min((room - BETWEEN * (inRow - 1)) / inRow, WIDEST_MAP);
    this.runs = [];
    this.maps = [];
    let y = top;
    let lowest = top;
    runs.forEach((run, place) => {
      const x = isWide ? place * (room + GAP * 2) : 0;
      this.runs.push({ x, y });
      const [layers, count] = run.heads;
      const rows = Math.ceil(count / inRow);
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < count; head++) {
          const row = layer * rows + Math.floor(head / inRow);
          const left = x + (head % inRow) * (side + BETWEEN);
          this.maps.push({ place, layer, head, x: left, y: y + NAME + row * (TITLE + side + SCORES) + TITLE, side });
        }
      }
      const end = y + NAME + layers * rows * (TITLE + side + SCORES);
      lowest = Math.max(lowest, end);
      if (!isWide) y = end + 6;
    });
    this.height = lowest;
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
    const { look, runs, steps, curves, words, last } = scene;
    // A run whose rate is too high has losses that are no numbers any more.
    const top = Math.max(1, ...runs.flatMap((_, place) => [...curves[plot.name][place]].filter(Number.isFinite)));
    const toX = (step) => plot.x + (step / last) * plot.width;
    const toY = (value) => plot.y + (1 - value / top) * plot.height;
    write(context, words[plot.name], plot.x - PLOT_LEFT, plot.y - 12, look.ink);
    const middle = top > 2 ? Math.floor(top / 2) : 0.5;
    const upper = 2 * middle;
    leftAxis(context, plot, [0, middle, upper].map((value) => [toY(value), String(value)]), "", look);
    bottomAxis(context, plot, [0, last / 2, last].map((step) => [toX(step), whole(step)]), "", look);
    Object.assign(context, { strokeStyle: look.line, lineWidth: 1 });
    context.strokeRect(plot.x, plot.y, plot.width, plot.height);
    runs.forEach(({ colour }, place) => {
      Object.assign(context, { strokeStyle: colour, lineWidth: 2, lineJoin: "round" });
      context.beginPath();
      curves[plot.name][place].forEach((value, index) => {
        if (Number.isFinite(value)) context.lineTo(toX(steps[index]), toY(value));
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

  paintMap(context, { place, layer, head, x, y, side }, scene, frame) {
    const { look, words } = scene;
    const { values, size } = patternOf(scene, place, layer, head, frame);
    const pixels = this.cells.begin(size, size);
    values.forEach((value, index) => (pixels[index] = look.table[value]));
    write(context, `${words["layer"]} ${layer + 1}, ${words["head"]} ${head + 1}`, x, y - 9, look.ink);
    this.cells.draw(context, x, y, side, side);
    Object.assign(context, { strokeStyle: look.line, lineWidth: 1 });
    context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
    ["previous", "induction"].forEach((kind, index) => {
      const score = scoreOf(scene, place, layer, head, frame, index);
      const told = Number.isFinite(score) ? fixed(score, 2) : "–";
      write(context, `${words[`score ${kind}`]} ${told}`, x, y + side + 9 + index * 15, look.ink);
    });
  }
}

// Of runs that are still trained, the frames from mapsFrom on alone have patterns and scores here.
export function patternOf({ patterns, runs, size, mapsFrom }, place, layer, head, frame) {
  const [layers, heads] = runs[place].heads;
  const start = (((frame - mapsFrom) * layers + layer) * heads + head) * size * size;
  return { values: patterns[place].subarray(start, start + size * size), size };
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
