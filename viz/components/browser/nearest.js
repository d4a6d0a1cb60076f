// Which of many things on the screen an arrow key leads to.

/** @typedef {{ x: number; y: number }} Point */

/** @type {Record<string, [right: number, down: number]>} */
export const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// The place of the nearest of ``points`` in that direction from the one at ``current``, or undefined; what lies aside
// of it counts as farther.
/** @type {(points: Point[], current: number, direction: [right: number, down: number]) => number | undefined} */
export function nearest(points, current, [right, down]) {
  const from = points[current];
  const ahead = points.map((point, place) => {
    const [across, along] = [point.x - from.x, point.y - from.y];
    const forward = across * right + along * down;
    const aside = Math.abs(across * down) + Math.abs(along * right);
    return { place, forward, distance: forward + 3 * aside };
  });
  const [best] = ahead.filter(({ forward }) => forward > 1).sort((one, other) => one.distance - other.distance);
  return best?.place;
}
