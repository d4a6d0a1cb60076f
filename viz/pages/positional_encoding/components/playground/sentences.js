// The text about each view: its caption, and what a screen reader reads aloud.

import { fixed, whole, written } from "../../../../components/browser/numbers.js";
import { rotation } from "./encoding.js";

/** @import { Scene } from "./scene.js" */

/** @type {(name: string, scene: Scene) => string} */
export function captionOf(name, scene) {
  const key = name === "profile" && !scene.measured ? "caption profile moving" : `caption ${name}`;
  return scene.say(key, FACTS[name](scene));
}

/** @type {(name: string, scene: Scene) => string} */
export function altOf(name, scene) {
  return scene.say(`alt ${name}`, FACTS[name](scene));
}

/** @type {Record<string, (scene: Scene) => Record<string, unknown>>} */
const FACTS = {
  matrix: (scene) => {
    const run = { length: whole(scene.length), d_model: whole(scene.d_model), base: written(scene.base) };
    return {
      ...run,
      ...followed(scene),
      fastest: written(scene.wavelength(0), 3),
      slowest: written(scene.wavelength(scene.omega.length - 1), 3),
    };
  },
  wavelengths: (scene) => {
    const { whole: turning, barely } = scene.turns;
    const pairs = scene.omega.length;
    return {
      pairs,
      turning,
      part: pairs - turning - barely,
      barely,
      length: whole(scene.length),
      base: written(scene.base),
      ...followed(scene),
    };
  },
  waves: followed,
  clocks: (scene) => ({ pairs: scene.omega.length, ...followed(scene) }),
  similarity: (scene) => ({ length: whole(scene.length), most: whole(scene.omega.length), ...atDistance(scene) }),
  profile: (scene) => {
    const [first, middle, last] = scene.anchors.map(whole);
    return { first, middle, last, spread: scene.measured ? written(spread(scene), 2) : "", ...atDistance(scene) };
  },
  rotation: (scene) => {
    const [cosine, sine] = rotation(scene.offset, scene.omega[scene.pair]).map((value) => fixed(value, 3));
    return {
      residual: written(scene.residual, 2),
      d_model: whole(scene.d_model),
      cosine,
      sine,
      target: whole(scene.target),
      ...followed(scene),
    };
  },
};

/** @type {(scene: Scene) => Record<string, unknown>} */
function followed(scene) {
  const [sine, cosine] = [0, 1].map((half) => fixed(scene.valueAt(scene.position, 2 * scene.pair + half), 3));
  const { position, pair, offset } = scene;
  const names = { position: whole(position), offset: whole(offset), pair, even: 2 * pair, odd: 2 * pair + 1 };
  return { ...names, sine, cosine, wavelength: written(scene.wavelength(pair), 3) };
}

/** @type {(scene: Scene) => Record<string, unknown>} */
function atDistance(scene) {
  return { offset: whole(scene.offset), value: written(scene.profile[scene.offset], 4) };
}

// How far the measured similarities lie from those that depend on the distance alone.
/** @type {(scene: Scene) => number} */
function spread({ anchors, measured, profile }) {
  let largest = 0;
  anchors.forEach((anchor, index) =>
    measured?.[index].forEach((value, position) => {
      largest = Math.max(largest, Math.abs(value - profile[Math.abs(position - anchor)]));
    }),
  );
  return largest;
}
