// How many positions each pair takes for a whole turn, on a logarithmic axis that stays when the base changes.

import { css } from "../../../../components/browser/colours.js";
import { whole, written } from "../../../../components/browser/numbers.js";
import { bottomAxis, cellTicks, frameIn, isInside, leftAxis, straight } from "../../../../components/browser/plot.js";
import { SIDES } from "./matrix_view.js";
import { BARELY } from "./scene.js";

/** @import { Context, Frame } from "../../../../components/browser/types" */
/** @import { Scene } from "./scene.js" */
/** @import { PictureView } from "./types" */

const MARGINS = [6, SIDES.right, 32, SIDES.left];
const [MIN_POWER, MAX_POWER] = [0.6, 7]; // of ten, in positions

/** @type {PictureView} */
export const wavelengthsView = {
  name: "wavelengths",
  keys: { across: "pair" },

  paint(context, size, scene) {
    const frame = frameIn(size, MARGINS);
    const toY = scaleIn(frame);
    const across = (2 * frame.width) / scene.d_model;
    const powers = [1, 2, 3, 4, 5, 6].filter((power) => frame.height > 110 || power % 2 === 0);
    leftAxis(
      context,
      frame,
      powers.map((power) => [toY(10 ** power), `10${"⁰¹²³⁴⁵⁶"[power]}`]),
      scene.words["axis wavelength"],
      scene,
    );
    const columns = cellTicks(scene.d_model, frame.x, frame.width, 60);
    bottomAxis(context, frame, columns, scene.words["axis dimension"], scene);
    drawLength(context, frame, toY(scene.length), scene);
    const dot = Math.max(2, Math.min(across - 1, 6));
    // A colour at a time, because to change it costs more than to draw a dot.
    for (const { colour, isOf } of kinds(scene)) {
      context.fillStyle = colour;
      scene.omega.forEach((frequency, pair) => {
        const wavelength = (2 * Math.PI) / frequency;
        if (isOf(wavelength))
          context.fillRect(frame.x + (pair + 0.5) * across - dot / 2, toY(wavelength) - dot / 2, dot, dot);
      });
    }
    Object.assign(context, { strokeStyle: scene.ink, lineWidth: 1.5 });
    context.strokeRect(frame.x + (scene.pair + 0.5) * across - 4, toY(scene.wavelength(scene.pair)) - 4, 8, 8);
  },

  locate(x, y, size, scene) {
    const frame = frameIn(size, MARGINS);
    return isInside(frame, x, y) ? { pair: Math.floor(((x - frame.x) / frame.width) * scene.omega.length) } : null;
  },

  followed(size, scene) {
    const { pair, omega } = scene;
    const frame = frameIn(size, MARGINS);
    const x = frame.x + ((pair + 0.5) / omega.length) * frame.width;
    return { place: { pair }, x, y: scaleIn(frame)(scene.wavelength(pair)) };
  },

  tell({ pair }, scene) {
    const wavelength = scene.wavelength(pair);
    const turns = written(scene.length / wavelength, 3);
    return scene.say("hover wavelength", {
      pair,
      even: 2 * pair,
      odd: 2 * pair + 1,
      wavelength: written(wavelength),
      turns,
      length: scene.length,
    });
  },

  table(scene) {
    const pairs = Array.from(scene.omega.keys());
    return [
      ["pair", "wavelength", "turns within the length"],
      ...pairs.map((pair) => [pair, scene.wavelength(pair), scene.length / scene.wavelength(pair)]),
    ];
  },
};

/** @type {(frame: Frame) => (positions: number) => number} */
function scaleIn({ y, height }) {
  return (positions) => y + height * (1 - (Math.log10(positions) - MIN_POWER) / (MAX_POWER - MIN_POWER));
}

/** @type {(scene: Scene) => { colour: string; isOf: (wavelength: number) => boolean }[]} */
function kinds({ length, hue, opposite }) {
  return [
    { colour: css(hue), isOf: (wavelength) => wavelength <= length },
    { colour: css(opposite), isOf: (wavelength) => wavelength > length && wavelength <= length / BARELY },
    { colour: css(opposite, 0.45), isOf: (wavelength) => wavelength > length / BARELY },
  ];
}

/** @type {(context: Context, frame: Frame, y: number, scene: Scene) => void} */
function drawLength(context, frame, y, { ink, length, say }) {
  Object.assign(context, { strokeStyle: ink, fillStyle: ink, lineWidth: 1, textAlign: "left", textBaseline: "bottom" });
  context.setLineDash([4, 3]);
  straight(context, frame.x, y, frame.x + frame.width, y);
  context.setLineDash([]);
  context.fillText(say("length line", { length: whole(length) }), frame.x + 4, y - 2);
}
