// The encoding itself: a row for each position, a column for each dimension.

import { Cells } from "../../../../components/browser/canvas.js";
import { fixed } from "../../../../components/browser/numbers.js";
import { bottomAxis, cellTicks, frameIn, isInside, leftAxis, markRect } from "../../../../components/browser/plot.js";
import { paintEncoding, paintValues } from "./encoding.js";

/** @import { Context, Frame } from "../../../../components/browser/types" */
/** @import { Scene } from "./scene.js" */
/** @import { PictureView } from "./types" */

// The wavelengths below it have the same left and right, so that a column there is a column here.
export const SIDES = { left: 54, right: 10 };

const MARGINS = [7, SIDES.right, 32, SIDES.left];

/** @type {() => PictureView} */
export function createMatrixView() {
  const cells = new Cells();

  return {
    name: "matrix",
    keys: { across: "pair", down: "position" },

    paint(context, size, scene) {
      const frame = frameIn(size, MARGINS);
      const run = Math.ceil(scene.length / frame.height);
      const rows = Math.ceil(scene.length / run);
      paintCells(cells, scene, rows, run);
      context.save();
      context.beginPath();
      context.rect(frame.x, frame.y, frame.width, frame.height);
      context.clip();
      // The last row may stand for positions beyond the length; those are cut off.
      cells.draw(context, frame.x, frame.y, frame.width, (frame.height * rows * run) / scene.length);
      mark(context, frame, scene);
      context.restore();
      const columns = cellTicks(scene.d_model, frame.x, frame.width, 60);
      const rowMarks = cellTicks(scene.length, frame.y, frame.height, 40);
      bottomAxis(context, frame, columns, scene.words["axis dimension"], scene);
      leftAxis(context, frame, rowMarks, scene.words["axis position"], scene);
    },

    locate(x, y, size, scene) {
      const frame = frameIn(size, MARGINS);
      if (!isInside(frame, x, y)) return null;
      const position = Math.floor(((y - frame.y) / frame.height) * scene.length);
      const dimension = Math.floor(((x - frame.x) / frame.width) * scene.d_model);
      return { position, dimension, pair: dimension >> 1 };
    },

    followed(size, { position, pair, length, d_model }) {
      const frame = frameIn(size, MARGINS);
      const place = { position, dimension: 2 * pair, pair };
      const [across, down] = [(2 * pair + 1) / d_model, (position + 0.5) / length];
      return { place, x: frame.x + across * frame.width, y: frame.y + down * frame.height };
    },

    tell({ position, dimension }, scene) {
      return scene.say("hover matrix", { position, dimension, value: fixed(scene.valueAt(position, dimension), 6) });
    },

    numbersInTable: ({ length, d_model }) => length * d_model,

    table(scene) {
      const names = Array.from({ length: scene.d_model }, (_, dimension) => dimension);
      return [
        ["position", ...names],
        ...Array.from({ length: scene.length }, (_, position) => [position, ...scene.rowAt(position)]),
      ];
    },
  };
}

/** @type {(cells: Cells, scene: Scene, rows: number, run: number) => void} */
function paintCells(cells, scene, rows, run) {
  const pixels = cells.begin(scene.d_model, rows);
  const exactRows = Math.floor(scene.n_rows / run);
  paintValues(pixels, scene.rows, scene.d_model, { run, rows: exactRows, table: scene.table });
  paintEncoding(pixels, scene.omega, { run, rows, firstRow: exactRows, table: scene.table });
}

/** @type {(context: Context, frame: Frame, scene: Scene) => void} */
function mark(context, frame, { position, target, pair, length, d_model, ink, surface }) {
  const [across, down] = [frame.width / d_model, frame.height / length];
  const look = { ink, surface };
  const column = frame.x + 2 * pair * across;
  /** @type {(at: number) => [number, number, number, number]} */
  const row = (at) => [frame.x - 1, frame.y + at * down - 0.5, frame.width + 2, Math.max(down, 2) + 1];
  markRect(context, look, column - 0.5, frame.y - 1, Math.max(2 * across, 2) + 1, frame.height + 2);
  markRect(context, look, ...row(position));
  if (target < length) markRect(context, look, ...row(target), [3, 3]);
}
