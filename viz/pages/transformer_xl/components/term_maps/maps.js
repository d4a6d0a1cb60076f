// Six maps of one head in one picture: four terms, their sum and the pattern; where each is, and how it is painted.

import { Cells, useFont } from "../../../../components/browser/canvas.js";
import { colourTable } from "../../../../components/browser/colours.js";
import { clamp } from "../../../../components/browser/numbers.js";
import { FONT, markRect, straight } from "../../../../components/browser/plot.js";

export const NAMES = ["a", "b", "c", "d", "scores", "pattern"];

const TITLE = 20;
const FOOT = 36; // below the lowest maps: which keys are memory, and what the columns are
const LINE = 18;
const GAP = 20; // to the left of each map, where what the rows are is written
const TWO_COLUMNS = 560; // pixels from which on maps stand side by side
const [LOWEST, HIGHEST] = [96, 210];
const SHADES = 511;

export class Layout {
  // Where there is ``room``, in pixels, the maps are as high as it lets them be.
  constructor(width, { queries, keys }, room = 0) {
    this.columns = width < TWO_COLUMNS ? 1 : 2;
    this.mapWidth = Math.max(width / this.columns - GAP, 1);
    this.rows = NAMES.length / this.columns;
    const highest = room ? Math.max(LOWEST, (room - FOOT) / this.rows - TITLE - 8) : HIGHEST;
    this.mapHeight = clamp((this.mapWidth * queries) / keys, LOWEST, highest);
    this.height = this.rows * (TITLE + this.mapHeight) + (this.rows - 1) * 8 + FOOT;
    this.queries = queries;
    this.keys = keys;
  }

  frame(index) {
    const [column, row] = [index % this.columns, Math.floor(index / this.columns)];
    const x = column * (this.mapWidth + GAP) + GAP;
    const y = row * (TITLE + this.mapHeight + 8) + TITLE;
    return { x, y, width: this.mapWidth, height: this.mapHeight, isLowest: row === this.rows - 1 };
  }

  // The query and key under a point, or null.
  locate(x, y) {
    for (let index = 0; index < NAMES.length; index++) {
      const frame = this.frame(index);
      const across = (x - frame.x) / frame.width;
      const down = (y - frame.y) / frame.height;
      if (across >= 0 && across < 1 && down >= 0 && down < 1)
        return { query: Math.floor(down * this.queries), key: Math.floor(across * this.keys) };
    }
    return null;
  }

  // The middle of a cell in the first map.
  middle({ query, key }) {
    const { x, y, width, height } = this.frame(0);
    return [x + ((key + 0.5) * width) / this.keys, y + ((query + 0.5) * height) / this.queries];
  }
}

export class Maps {
  constructor() {
    this.cells = NAMES.map(() => new Cells());
  }

  // Values by name, [query, key] each; masked where the score is NaN. Each of terms and sum has its deepest value.
  prepare({ maps, queries, keys, deepest, largest, look }) {
    NAMES.forEach((name, index) => {
      const pixels = this.cells[index].begin(keys, queries);
      const isPattern = name === "pattern";
      const table = isPattern ? look.sequential : look.diverging;
      maps[name].forEach((value, place) => {
        const share = isPattern ? value / largest : (value / deepest[index] + 1) / 2;
        const isMasked = Number.isNaN(maps.scores[place]);
        pixels[place] = isMasked ? look.masked : table[Math.round(clamp(share, 0, 1) * (SHADES - 1))];
      });
    });
  }

  paint(context, layout, scene, cell) {
    NAMES.forEach((name, index) => {
      const frame = layout.frame(index);
      this.paintTitle(context, frame, scene.titles[name], scene.look);
      this.cells[index].draw(context, frame.x, frame.y, frame.width, frame.height);
      this.paintFrame(context, frame, layout, scene);
      if (cell) markCell(context, frame, layout, cell, scene.look);
    });
  }

  paintTitle(context, frame, title, { ink }) {
    useFont(context, FONT);
    Object.assign(context, { fillStyle: ink, textAlign: "left", textBaseline: "middle" });
    context.fillText(title, frame.x, frame.y - TITLE / 2 + 1);
  }

  paintFrame(context, { x, y, width, height, isLowest }, { keys }, { nRemembered, words, look }) {
    Object.assign(context, { strokeStyle: look.line, lineWidth: 1 });
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    const border = x + (width * nRemembered) / keys;
    if (nRemembered) {
      context.save();
      context.setLineDash([3, 3]);
      context.strokeStyle = look.ink;
      straight(context, border, y, border, y + height);
      context.restore();
    }
    Object.assign(context, { fillStyle: look.muted, textBaseline: "bottom", textAlign: "center" });
    context.save();
    context.translate(x - 4, y + height / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(words["row"], 0, 0, height);
    context.restore();
    if (!isLowest) return;
    context.textBaseline = "top";
    context.fillText(words["column"], x + width / 2, y + height + 4 + LINE, width);
    context.textAlign = "right";
    if (nRemembered) context.fillText(`${words["memory"]} `, border - 2, y + height + 4);
    context.textAlign = "left";
    context.fillText(words["segment"], border + 3, y + height + 4);
  }
}

// The colours as pixels; what is masked has that of the lines.
export function tables({ sequential, diverging, surface, line }) {
  /** @type {[number, string][]} */
  const masked = [
    [0, line],
    [1, line],
  ];
  return {
    sequential: colourTable(sequential, surface, SHADES),
    diverging: colourTable(diverging, surface, SHADES),
    masked: colourTable(masked, surface, 2)[0],
  };
}

function markCell(context, { x, y, width, height }, { queries, keys }, { query, key }, look) {
  const [across, down] = [width / keys, height / queries];
  markRect(context, look, x + key * across - 0.5, y - 1, Math.max(across, 2) + 1, height + 2);
  markRect(context, look, x - 1, y + query * down - 0.5, width + 2, Math.max(down, 2) + 1);
}
