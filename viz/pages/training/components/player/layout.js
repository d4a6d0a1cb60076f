// Where the curves and the maps of the runs stand.

/** @import { HeadMap, Plot, Scene, Square } from "./types" */

export const PLOT_LEFT = 34;
export const SCORE = 15; // pixels of a line of text under a map
export const BIAS = 40; // of a curve over distances, which a line of text is over
const [PLOT, PLOT_TOP, PLOT_RIGHT, PLOT_FOOT] = [120, 24, 20, 24];
const GAP = 18;
const TWO_COLUMNS = 620; // pixels from which on runs stand side by side
const NARROWEST_PLOT = 165;
const [NAME, TITLE, BETWEEN] = [26, 20, 10];
const [NARROWEST_MAP, WIDEST_MAP] = [118, 210]; // with less, the scores of heads would not fit
const LABELS = [62, 82];
const LETTERS = [24, 28]; // of letters in two lanes, left of a row of maps and under each map
const [WIDEST_LABELLED, PLOTS_BESIDE] = [225, 250]; // labels have less room where it is narrow
const LETTER = 7.5; // pixels of a letter

export class Layout {
  /** @param {number} width @param {Scene} scene */
  constructor(width, scene) {
    const { plots, isCross } = scene;
    /** @type {Plot[]} */
    this.plots = [];
    /** @type {{ x: number, y: number }[]} */
    this.runs = [];
    /** @type {HeadMap[]} */
    this.maps = [];
    /** @type {Square[]} */
    this.similarities = [];
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

  /** @type {(plots: string[], top: number, width: number) => number} */
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

  /** @type {(scene: Scene, start: number, top: number) => number} */
  placeMaps({ runs, isCross, scoreNames }, start, top) {
    const beside = this.isWide ? runs.length : 1;
    const spread = isCross || !this.isWide ? 0 : this.sideInOneRow(runs);
    const room = (this.width - start - GAP * 2 * (beside - 1)) / beside;
    const labels = isCross ? LABELS[Number(this.isWide)] : LETTERS[0];
    const lettersBelow = isCross ? 0 : LETTERS[1];
    const heads = Math.max(...runs.map((run) => run.heads[1]));
    const inRow = evenly(heads, (room - labels + BETWEEN) / (NARROWEST_MAP + BETWEEN));
    const widest = isCross ? WIDEST_LABELLED : WIDEST_MAP;
    const side = Math.min(spread || (room - labels - BETWEEN * (inRow - 1)) / inRow, widest);
    let y = top;
    let lowest = top;
    let x = start;
    runs.forEach((run, place) => {
      this.runs.push({ x, y });
      const [layers, count] = run.heads;
      // A row of the picture has all heads of all layers, or some of one layer.
      const perRow = spread ? layers * count : inRow;
      const rowsOfLayer = spread ? 0 : Math.ceil(count / inRow);
      const rows = spread ? 1 : layers * rowsOfLayer;
      const under = side + lettersBelow + 9 + SCORE * scoreNames.length;
      const curve = run.n_distances ? SCORE + BIAS : 0;
      const pitch = TITLE + side + lettersBelow + 6 + (isCross ? 0 : SCORE * scoreNames.length) + curve;
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < count; head++) {
          const index = spread ? layer * count + head : head;
          const line = layer * rowsOfLayer + Math.floor(index / perRow);
          const left = x + labels + (index % perRow) * (side + BETWEEN);
          const isFirst = index % perRow === 0;
          const isLowest = line === rows - 1;
          const mapTop = y + NAME + line * pitch + TITLE;
          const at = { x: left, y: mapTop, side, under: mapTop + under };
          this.maps.push({ place, layer, head, ...at, isFirst, isLowest, letters: Math.floor(labels / LETTER) });
        }
      }
      let end = y + NAME + rows * pitch + (isCross ? labels : 0);
      if (run.has_similarity) {
        this.similarities.push({ place, x: x + labels, y: end + TITLE, side });
        end += TITLE + side + 6;
      }
      lowest = Math.max(lowest, end);
      if (!this.isWide) y = end + 6;
      else x += (spread ? labels + perRow * (side + BETWEEN) - BETWEEN : room) + GAP * 2;
    });
    return lowest;
  }

  /**
   * The side of the maps where those of all layers of all runs stand in one row; 0 where they would be too small.
   * @type {(runs: Scene["runs"]) => number}
   */
  sideInOneRow(runs) {
    const count = runs.reduce((sum, run) => sum + run.heads[0] * run.heads[1], 0);
    const gaps = BETWEEN * (count - runs.length) + GAP * 2 * (runs.length - 1) + LETTERS[0] * runs.length;
    const side = (this.width - gaps) / count;
    return side >= NARROWEST_MAP ? side : 0;
  }

  /** @type {(x: number, y: number) => Plot | undefined} */
  plotAt(x, y) {
    /** @type {(plot: Plot) => boolean} */
    const isIn = (plot) => x >= plot.x - 4 && x <= plot.x + plot.width + 4 && y >= plot.y && y <= plot.y + plot.height;
    return this.plots.find(isIn);
  }

  /** @type {(x: number, y: number) => HeadMap | undefined} */
  mapAt(x, y) {
    return this.maps.find(isAt(x, y));
  }

  /** @type {(x: number, y: number) => Square | undefined} */
  similarityAt(x, y) {
    return this.similarities.find(isAt(x, y));
  }

  /** @type {(x: number, y: number) => HeadMap | undefined} */
  biasAt(x, y) {
    return this.maps.find(
      (map) => x >= map.x && x < map.x + map.side && y >= map.under && y < map.under + SCORE + BIAS,
    );
  }
}

/** @type {(x: number, y: number) => (map: Square) => boolean} */
function isAt(x, y) {
  return (map) => x >= map.x && x < map.x + map.side && y >= map.y && y < map.y + map.side;
}

// So many in a row that all rows but the last are full, and at most as many as there is room for.
/** @type {(count: number, room: number) => number} */
function evenly(count, room) {
  const rows = Math.ceil(count / Math.max(1, Math.floor(room)));
  return Math.ceil(count / rows);
}
