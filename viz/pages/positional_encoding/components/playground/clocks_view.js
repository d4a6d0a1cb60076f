// A clock for each pair: its hand points to (PE(p, 2i), PE(p, 2i + 1)) and turns with the position.

import { css } from "../../../../components/browser/colours.js";
import { wavesView } from "./waves_view.js";

/** @import { Size } from "../../../../components/browser/types" */
/** @import { PictureView } from "./types" */

const MAX_SIDE = 110; // pixels
const RING = 4; // pixels of radius from which a clock has a rim

/** @type {PictureView} */
export const clocksView = {
  name: "clocks",
  keys: { across: "pair", down: "position" },

  paint(context, size, scene) {
    const { side, middleOf } = gridOf(size, scene.omega.length);
    const radius = Math.max(side / 2 - Math.min(2, side / 10), 1);
    const middles = Array.from(scene.omega, (_, pair) => middleOf(pair));
    if (radius >= RING) {
      Object.assign(context, { strokeStyle: scene.line, lineWidth: 1 });
      context.beginPath();
      for (const [x, y] of middles) {
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
      context.stroke();
    }
    Object.assign(context, { strokeStyle: css(scene.hue), lineWidth: radius > 8 ? 2 : 1.25 });
    context.beginPath();
    middles.forEach(([x, y], pair) => {
      const angle = scene.position * scene.omega[pair];
      context.moveTo(x, y);
      context.lineTo(x + radius * Math.sin(angle), y - radius * Math.cos(angle));
    });
    context.stroke();
    const [x, y] = middles[scene.pair];
    Object.assign(context, { strokeStyle: scene.ink, lineWidth: 1.5 });
    context.beginPath();
    context.moveTo(x + radius + 1, y);
    context.arc(x, y, radius + 1, 0, 2 * Math.PI);
    context.stroke();
  },

  locate(x, y, size, scene) {
    const { side, columns, left } = gridOf(size, scene.omega.length);
    const [column, row] = [Math.floor((x - left) / side), Math.floor(y / side)];
    const pair = row * columns + column;
    return column >= 0 && column < columns && pair < scene.omega.length ? { pair } : null;
  },

  followed(size, { pair, omega }) {
    const [x, y] = gridOf(size, omega.length).middleOf(pair);
    return { place: { pair }, x, y };
  },

  tell({ pair }, scene) {
    return wavesView.tell({ position: scene.position, pair }, scene);
  },

  table(scene) {
    const [row] = scene.ends;
    return [
      ["pair", "sine", "cosine"],
      ...Array.from(scene.omega, (_, pair) => [pair, row[2 * pair], row[2 * pair + 1]]),
    ];
  },
};

// The largest square in which so many fit.
/** @type {(size: Size, count: number) => { side: number; columns: number; left: number; middleOf(pair: number): [x: number, y: number] }} */
function gridOf({ width, height }, count) {
  let columns = 1;
  while (Math.ceil(count / columns) * (width / columns) > height && columns < count) columns++;
  const side = Math.min(width / columns, height / Math.ceil(count / columns), MAX_SIDE);
  // With the size settled there may be room for more in a row.
  columns = Math.min(Math.max(Math.floor(width / side + 1e-9), 1), count);
  const left = Math.max((width - columns * side) / 2, 0);
  /** @type {(pair: number) => [x: number, y: number]} */
  const middleOf = (pair) => [left + ((pair % columns) + 0.5) * side, (Math.floor(pair / columns) + 0.5) * side];
  return { side, columns, left, middleOf };
}
