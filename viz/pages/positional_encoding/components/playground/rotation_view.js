// PE(p + k) = M_k PE(p): the blocks of M_k around the followed pair, and that pair's product in numbers.

import { useFont } from "../../../../components/browser/canvas.js";
import { clamp, fixed, whole } from "../../../../components/browser/numbers.js";
import { FONT, MONOSPACE, markRect } from "../../../../components/browser/plot.js";
import { rotation } from "./encoding.js";

/** @import { Context, Size } from "../../../../components/browser/types" */
/** @import { Scene } from "./scene.js" */
/** @import { PictureView } from "./types" */

const MAX_PAIRS = 8;
const EQUATION = 44; // pixels below the matrix
const TOP = 14;
// Characters of a line of the equation with three decimals; where there is less room, it has two.
const LONGEST_LINE = 37;

/** @type {PictureView} */
export const rotationView = {
  name: "rotation",
  keys: { across: "pair", down: "offset" },

  paint(context, size, scene) {
    const { first, count, cell, x, y } = gridOf(size, scene);
    useFont(context, FONT);
    Object.assign(context, { strokeStyle: scene.line, lineWidth: 1 });
    context.strokeRect(x, y, 2 * count * cell, 2 * count * cell);
    for (let block = 0; block < count; block++) {
      const corner = 2 * block * cell;
      rotation(scene.offset, scene.omega[first + block]).forEach((value, place) => {
        context.fillStyle = scene.colourOf(value);
        context.fillRect(x + corner + (place % 2) * cell, y + corner + (place >> 1) * cell, cell, cell);
      });
      context.strokeRect(x + corner, y + corner, 2 * cell, 2 * cell);
    }
    const followed = 2 * (scene.pair - first) * cell;
    markRect(context, scene, x + followed, y + followed, 2 * cell, 2 * cell);
    Object.assign(context, { fillStyle: scene.muted, textBaseline: "bottom", textAlign: "left" });
    context.fillText(
      scene.say("blocks", { from: 2 * first, to: 2 * (first + count) - 1, d_model: whole(scene.d_model) }),
      x,
      y - 2,
    );
    writeEquation(context, size, scene);
  },

  locate(x, y, size, scene) {
    const grid = gridOf(size, scene);
    const [column, row] = [(x - grid.x) / grid.cell, (y - grid.y) / grid.cell].map(Math.floor);
    const isIn = [column, row].every((index) => index >= 0 && index < 2 * grid.count);
    return isIn ? { row: 2 * grid.first + row, column: 2 * grid.first + column, pair: grid.first + (row >> 1) } : null;
  },

  followed(size, scene) {
    const { first, cell, x, y } = gridOf(size, scene);
    const { pair } = scene;
    const corner = 2 * (pair - first) * cell;
    return { place: { row: 2 * pair, column: 2 * pair, pair }, x: x + corner + cell / 2, y: y + corner + cell / 2 };
  },

  tell({ row, column }, scene) {
    const isBlock = row >> 1 === column >> 1;
    const value = isBlock ? rotation(scene.offset, scene.omega[row >> 1])[2 * (row % 2) + (column % 2)] : 0;
    return scene.say("hover rotation", { row, column, value: fixed(value, 6) });
  },

  table(scene) {
    const [from, to] = scene.ends;
    const names = [
      "pair",
      "cos kω (1,1)",
      "sin kω (1,2)",
      "−sin kω (2,1)",
      "cos kω (2,2)",
      "PE(p) sine",
      "PE(p) cosine",
      "PE(p+k) sine",
      "PE(p+k) cosine",
    ];
    return [
      names,
      ...Array.from(scene.omega, (frequency, pair) => [
        pair,
        ...rotation(scene.offset, frequency),
        from[2 * pair],
        from[2 * pair + 1],
        to[2 * pair],
        to[2 * pair + 1],
      ]),
    ];
  },
};

/** @type {(size: Size, scene: Scene) => { first: number; count: number; cell: number; x: number; y: number }} */
function gridOf({ width, height }, { pair, omega }) {
  const count = Math.min(MAX_PAIRS, omega.length);
  const side = Math.min(width - 2, height - EQUATION - TOP);
  return {
    first: clamp(pair - (count >> 1), 0, omega.length - count),
    count,
    cell: side / (2 * count),
    x: Math.max((width - side) / 2, 1),
    y: TOP,
  };
}

// [to] = [block] [from], in two lines.
/** @type {(context: Context, size: Size, scene: Scene) => void} */
function writeEquation(context, { width, height }, scene) {
  const [from, to] = scene.ends;
  const block = rotation(scene.offset, scene.omega[scene.pair]);
  useFont(context, `13px ${MONOSPACE}`);
  const isWide = context.measureText("0".repeat(LONGEST_LINE)).width <= width;
  /** @type {(value: number) => string} */
  const digits = (value) => (isWide ? fixed(value, 3).padStart(6) : fixed(value, 2).padStart(5));
  Object.assign(context, { fillStyle: scene.ink, textAlign: "center", textBaseline: "middle" });
  for (const half of [0, 1]) {
    const [made, given] = [to, from].map((row) => digits(row[2 * scene.pair + half]));
    const [left, right] = [block[2 * half], block[2 * half + 1]].map(digits);
    const signs = half ? ["  ", "  "] : ["= ", "· "];
    context.fillText(
      `[${made}] ${signs[0]}[${left} ${right}] ${signs[1]}[${given}]`,
      width / 2,
      height - EQUATION + 12 + 17 * half,
    );
  }
}
