// What was written by what it has otherwise than something else: the counterpart of viz/site/changes.py.

/** @import { Theme, Themed } from "./types" */

// ``before`` with ``changes``: of an object by its keys, of a list by its places, else as a whole.
/** @type {(before: any, changes: any) => any} */
export function changed(before, changes) {
  if (!isObject(changes) || !before || typeof before !== "object") return changes;
  if (Array.isArray(before)) return before.map((one, place) => (place in changes ? changed(one, changes[place]) : one));
  const own = Object.entries(changes).map(([key, value]) => [key, changed(before[key], value)]);
  return { ...before, ...Object.fromEntries(own) };
}

// What is drawn in the light, or in the dark.
/** @type {<T>(drawn: Themed<T>, theme: Theme) => T} */
export function inTheme({ light, dark }, theme) {
  return theme === "dark" ? changed(light, dark) : light;
}

/** @param {any} value */
function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
