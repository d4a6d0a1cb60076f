// PE(p)·PE(q): as a matrix over p and q, and for a few p along the distance k = q − p.

import { Cells } from "../../../../components/browser/canvas.js";
import { dot, ticks, whole, written } from "../../../../components/browser/numbers.js";
import {
  bottomAxis,
  cellTicks,
  frameIn,
  isInside,
  leftAxis,
  markRect,
  straight,
  traceLine,
} from "../../../../components/browser/plot.js";
import { blockMeans } from "./encoding.js";

/** @import { Frame, Size } from "../../../../components/browser/types" */
/** @import { Scene } from "./scene.js" */
/** @import { Numbers, PictureView } from "./types" */
/** @typedef {{ values: Numbers, distance: number, direction: number, count: number }} Part */

const MATRIX_MARGINS = [7, 6, 32, 56];
const PROFILE_MARGINS = [20, 10, 32, 44];

/** @type {() => PictureView} */
export function createSimilarityView() {
  const cells = new Cells();

  return {
    name: "similarity",
    keys: { across: "offset", down: "position" },

    paint(context, size, scene) {
      const frame = squareIn(size);
      const run = Math.ceil(scene.length / frame.height);
      const rows = Math.ceil(scene.length / run);
      paintCells(cells, scene, rows, run);
      const side = (frame.width * rows * run) / scene.length;
      context.save();
      context.beginPath();
      context.rect(frame.x, frame.y, frame.width, frame.height);
      context.clip();
      cells.draw(context, frame.x, frame.y, side, side);
      const scale = frame.width / scene.length;
      const thick = Math.max(scale, 2) + 1;
      markRect(context, scene, frame.x - 1, frame.y + scene.position * scale - 0.5, frame.width + 2, thick);
      markRect(context, scene, frame.x + scene.target * scale - 0.5, frame.y - 1, thick, frame.height + 2, [3, 3]);
      context.restore();
      const columns = cellTicks(scene.length, frame.x, frame.width, 50);
      const rowMarks = cellTicks(scene.length, frame.y, frame.width, 50);
      bottomAxis(context, frame, columns, scene.words["axis other"], scene);
      leftAxis(context, frame, rowMarks, scene.words["axis position"], scene);
    },

    locate(x, y, size, scene) {
      const frame = squareIn(size);
      if (!isInside(frame, x, y)) return null;
      const [position, other] = [y - frame.y, x - frame.x].map((at) => Math.floor((at / frame.width) * scene.length));
      return { position, other };
    },

    followed(size, { position, target, length }) {
      const frame = squareIn(size);
      // The second position may lie beyond the picture.
      const [x, y] = [Math.min(target, length - 1), position].map((at) => ((at + 0.5) / length) * frame.width);
      return { place: { position, other: target }, x: frame.x + x, y: frame.y + y };
    },

    tell({ position, other }, scene) {
      return scene.say("hover similarity", {
        position,
        other,
        distance: whole(other - position),
        value: similarityOf(position, other, scene),
      });
    },

    table(scene) {
      return [["distance", "similarity"], ...Array.from(scene.profile, (value, distance) => [distance, value])];
    },
  };
}

/** @type {PictureView} */
export const profileView = {
  name: "profile",
  keys: { across: "offset" },

  paint(context, size, scene) {
    const frame = frameIn(size, PROFILE_MARGINS);
    const last = scene.length - 1;
    const { toX, toY, floor } = profileScales(frame, scene);
    const marks = ticks(-last, last, frame.width / 45, 1);
    bottomAxis(
      context,
      frame,
      marks.map((value) => [toX(value), whole(value)]),
      scene.words["axis distance"],
      scene,
    );
    const levels = ticks(floor * scene.omega.length, scene.omega.length, frame.height / 40);
    leftAxis(
      context,
      frame,
      levels.map((value) => [toY(value), written(value, 3)]),
      "",
      scene,
    );
    Object.assign(context, { strokeStyle: scene.line, lineWidth: 1 });
    straight(context, frame.x, toY(0), frame.x + frame.width, toY(0));
    straight(context, toX(0), frame.y, toX(0), frame.y + frame.height);
    curves(scene).forEach((curve, index) => {
      // The first is the widest, so that the next ones lie on it and all can be seen.
      Object.assign(context, { strokeStyle: scene.series[index], lineWidth: [4, 2.5, 1][index], lineJoin: "round" });
      context.beginPath();
      const step = frame.width / (2 * last);
      for (const part of curve)
        traceLine(context, part.values, { x0: toX(part.distance), step: step * part.direction, toY, to: part.count });
      context.stroke();
    });
    Object.assign(context, { textAlign: "left", textBaseline: "top" });
    scene.anchors.forEach((anchor, index) => {
      const x = frame.x + (index * frame.width) / 3;
      context.fillStyle = scene.series[index];
      context.fillRect(x, 6, 10, 4);
      context.fillStyle = scene.ink;
      context.fillText(`p = ${whole(anchor)}`, x + 14, 2);
    });
    Object.assign(context, { strokeStyle: scene.ink, lineWidth: 1 });
    context.setLineDash([3, 3]);
    straight(context, toX(scene.offset), frame.y, toX(scene.offset), frame.y + frame.height);
    context.setLineDash([]);
  },

  locate(x, y, size, scene) {
    const frame = frameIn(size, PROFILE_MARGINS);
    if (!isInside(frame, x, y)) return null;
    const last = scene.length - 1;
    const distance = Math.round(((x - frame.x) / frame.width) * 2 * last - last);
    return { distance, offset: Math.abs(distance) };
  },

  followed(size, scene) {
    const { offset, profile } = scene;
    const { toX, toY } = profileScales(frameIn(size, PROFILE_MARGINS), scene);
    return { place: { distance: offset, offset }, x: toX(offset), y: toY(profile[offset]) };
  },

  tell({ distance }, scene) {
    const value = similarityOf(0, Math.abs(distance), scene);
    return scene.say("hover profile", { distance: whole(distance), value });
  },

  table(scene) {
    const measured =
      scene.measured ??
      scene.anchors.map((anchor) =>
        Float64Array.from({ length: scene.length }, (_, position) => scene.profile[Math.abs(position - anchor)]),
      );
    const names = scene.anchors.map((anchor) => `similarity to ${anchor}`);
    return [
      ["position", ...names],
      ...Array.from({ length: scene.length }, (_, position) => [
        position,
        ...measured.map((values) => values[position]),
      ]),
    ];
  },
};

/** @type {(cells: Cells, scene: Scene, rows: number, run: number) => void} */
function paintCells(cells, scene, rows, run) {
  const pixels = cells.begin(rows, rows);
  const means = blockMeans(scene.measured?.[0] ?? scene.profile, run, rows);
  const middle = (scene.table.length - 1) / 2;
  // From −d_model/2 to d_model/2, the squared length of every encoding.
  const colours = Uint32Array.from(
    means,
    (mean) => scene.table[Math.round((mean / scene.omega.length) * middle + middle)],
  );
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < rows; column++) pixels[row * rows + column] = colours[Math.abs(row - column)];
  }
}

/** @type {(size: Size) => Frame} */
function squareIn(size) {
  const frame = frameIn(size, MATRIX_MARGINS);
  const side = Math.min(frame.width, frame.height);
  return { ...frame, width: side, height: side };
}

/** @type {(position: number, other: number, scene: Scene) => string} */
function similarityOf(position, other, scene) {
  return written(dot(scene.rowAt(position), scene.rowAt(other)), 6);
}

/** @type {(frame: Frame, scene: Scene) => { floor: number; toX(distance: number): number; toY(value: number): number }} */
function profileScales({ x, y, width, height }, scene) {
  const last = scene.length - 1;
  const floor = lowest(scene);
  return {
    floor,
    toX: (distance) => x + ((distance + last) / (2 * last)) * width,
    toY: (value) => y + height * (1 - (value / scene.omega.length - floor) / (1.05 - floor)),
  };
}

/** @type {(scene: Scene) => number} */
function lowest(scene) {
  return scene.profile.some((value) => value < -0.5 * scene.omega.length) ? -1.05 : -0.55;
}

// Of each anchor, what lies before it and after it, as runs of values that start at a distance.
/** @type {(scene: Scene) => Part[][]} */
function curves(scene) {
  const { anchors, measured, profile, length } = scene;
  return anchors.map((anchor, index) => {
    if (measured) return [{ values: measured[index], distance: -anchor, direction: 1, count: length }];
    return [
      { values: profile, distance: 0, direction: -1, count: anchor + 1 },
      { values: profile, distance: 0, direction: 1, count: length - anchor },
    ];
  });
}
