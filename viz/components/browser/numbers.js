// Numbers for people: short, with a true minus sign, thousands apart.

// Made when first asked for, because the first one takes longer than drawing a picture, and kept, because toLocaleString
// would make one at every call.
const FORMATS = new Map();

/** @type {(value: number, low: number, high: number) => number} */
export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

// So many significant digits, with an exponent only where zeros would hide the number.
/** @type {(value: number, digits?: number) => string} */
export function written(value, digits = 4) {
  const size = Math.abs(value);
  const text =
    size !== 0 && (size < 1e-4 || size >= 1e7)
      ? value.toExponential(Math.max(digits - 2, 1))
      : formatted("maximumSignificantDigits", digits, value);
  return signed(text);
}

/** @type {(value: number, decimals: number) => string} */
export function fixed(value, decimals) {
  return signed(value.toFixed(decimals));
}

// With true minus signs, and none at zero.
/** @type {(text: string) => string} */
function signed(text) {
  return (Number(text) === 0 ? text.replace("-", "") : text).replaceAll("-", "−");
}

/** @type {(value: number) => string} */
export function whole(value) {
  return signed(formatted("maximumFractionDigits", 0, value));
}

// With a decimal where there would be one digit, as Python's has it.
/** @type {(share: number) => string} */
export function percent(share) {
  return `${fixed(100 * share, share < 0.095 ? 1 : 0)}%`;
}

/** @type {(rule: string, digits: number, value: number) => string} */
function formatted(rule, digits, value) {
  const name = `${rule} ${digits}`;
  if (!FORMATS.has(name)) FORMATS.set(name, new Intl.NumberFormat("en", { [rule]: digits }));
  return FORMATS.get(name).format(value);
}

/** @type {(one: ArrayLike<number>, other: ArrayLike<number>) => number} */
export function dot(one, other) {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += one[index] * other[index];
  return sum;
}

// The place of the largest value, the first of several.
/** @type {(values: ArrayLike<number>) => number} */
export function peakOf(values) {
  let peak = 0;
  for (let index = 1; index < values.length; index++) if (values[index] > values[peak]) peak = index;
  return peak;
}

// Round numbers from low to high, about count of them and never closer than minStep.
/** @type {(low: number, high: number, count: number, minStep?: number) => number[]} */
export function ticks(low, high, count, minStep = 0) {
  const rough = Math.max((high - low) / Math.max(count, 1), minStep, Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const values = [];
  // The sum turns a negative zero into zero.
  for (let index = Math.ceil(low / step - 1e-9); index * step <= high + step * 1e-9; index++)
    values.push(index * step + 0);
  return values;
}
