// Single dimensions as waves along the positions: the first pairs, and the followed one.

import { useFont } from "../../../../components/browser/canvas.js";
import { css } from "../../../../components/browser/colours.js";
import { clamp, fixed, written } from "../../../../components/browser/numbers.js";
import { MONOSPACE, bottomAxis, cellTicks, frameIn, isInside, straight } from "../../../../components/browser/plot.js";

/** @import { Context } from "../../../../components/browser/types" */
/** @import { Scene } from "./scene.js" */
/** @import { PictureView } from "./types" */
/** @typedef {{ x: number, middle: number, reach: number, across: number, start: number, count: number }} Strip */

const MARGINS = [2, 10, 32, 74];
const MAX_POSITIONS = 64;
const N_FIRST = 4;
const SMOOTH = 3; // pixels between two points of a curve

/** @type {PictureView} */
export const wavesView = {
  name: "waves",
  keys: { across: "position", down: "pair" },

  paint(context, size, scene) {
    const frame = frameIn(size, MARGINS);
    const { start, count } = windowOf(scene);
    const across = frame.width / count;
    const strips = shownPairs(scene);
    const height = frame.height / strips.length;
    const marked = frame.x + (scene.position - start + 0.5) * across;
    strips.forEach((pair, index) => {
      const middle = frame.y + (index + 0.5) * height;
      const strip = { x: frame.x, middle, reach: height / 2 - 3, across, start, count };
      Object.assign(context, { strokeStyle: scene.line, lineWidth: 1 });
      straight(context, frame.x, middle, frame.x + frame.width, middle);
      wave(context, strip, scene.omega[pair], Math.sin, css(scene.hue));
      wave(context, strip, scene.omega[pair], Math.cos, css(scene.opposite));
      const isFollowed = pair === scene.pair;
      Object.assign(context, {
        fillStyle: isFollowed ? scene.ink : scene.muted,
        textAlign: "right",
        textBaseline: "middle",
      });
      useFont(context, `${isFollowed ? "bold " : ""}13px ${MONOSPACE}`);
      context.fillText(`${2 * pair}, ${2 * pair + 1}`, frame.x - 6, middle);
    });
    Object.assign(context, { strokeStyle: scene.ink, lineWidth: 1 });
    straight(context, marked, frame.y, marked, frame.y + frame.height);
    const columns = cellTicks(count, frame.x, frame.width, 50, start);
    bottomAxis(context, frame, columns, scene.words["axis position"], scene);
  },

  locate(x, y, size, scene) {
    const frame = frameIn(size, MARGINS);
    if (!isInside(frame, x, y)) return null;
    const { start, count } = windowOf(scene);
    const strips = shownPairs(scene);
    const position = start + Math.floor(((x - frame.x) / frame.width) * count);
    return { position, pair: strips[Math.floor(((y - frame.y) / frame.height) * strips.length)] };
  },

  followed(size, scene) {
    const { position, pair } = scene;
    const frame = frameIn(size, MARGINS);
    const { start, count } = windowOf(scene);
    const strips = shownPairs(scene);
    const [across, down] = [(position - start + 0.5) / count, (strips.indexOf(pair) + 0.5) / strips.length];
    return { place: { position, pair }, x: frame.x + across * frame.width, y: frame.y + down * frame.height };
  },

  tell({ position, pair }, scene) {
    const [sine, cosine] = [2 * pair, 2 * pair + 1].map((dimension) => fixed(scene.valueAt(position, dimension), 6));
    return scene.say("hover pair", {
      position,
      pair,
      even: 2 * pair,
      odd: 2 * pair + 1,
      sine,
      cosine,
      wavelength: written(scene.wavelength(pair)),
    });
  },

  table(scene) {
    const dimensions = shownPairs(scene).flatMap((pair) => [2 * pair, 2 * pair + 1]);
    const positions = Array.from({ length: scene.length }, (_, position) => position);
    return [
      ["position", ...dimensions],
      ...positions.map((position) => [position, ...dimensions.map((dimension) => scene.valueAt(position, dimension))]),
    ];
  },
};

/** @type {(scene: Scene) => number[]} */
function shownPairs({ pair, omega }) {
  const first = Array.from({ length: Math.min(N_FIRST, omega.length) }, (_, index) => index);
  return pair < first.length ? first : [...first, pair];
}

// As many positions as can be told apart, around the followed one.
/** @type {(scene: Scene) => { start: number; count: number }} */
function windowOf({ position, length }) {
  const count = Math.min(MAX_POSITIONS, length);
  return { start: clamp(position - (count >> 1), 0, length - count), count };
}

/** @type {(context: Context, strip: Strip, frequency: number, shape: (angle: number) => number, colour: string) => void} */
function wave(context, { x, middle, reach, across, start, count }, frequency, shape, colour) {
  Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 1.25 });
  context.beginPath();
  const points = Math.ceil((count * across) / SMOOTH);
  for (let point = 0; point <= points; point++) {
    const along = (point * count) / points;
    const y = middle - reach * shape((start + along - 0.5) * frequency);
    if (point) context.lineTo(x + along * across, y);
    else context.moveTo(x, y);
  }
  context.stroke();
  for (let index = 0; index < count; index++) {
    const y = middle - reach * shape((start + index) * frequency);
    context.fillRect(x + (index + 0.5) * across - 1.25, y - 1.25, 2.5, 2.5);
  }
}
