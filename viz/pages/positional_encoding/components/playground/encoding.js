// The sinusoidal encoding of Vaswani et al. 2017, §3.5, in double precision:
// PE(p, 2i) = sin(p·ω_i), PE(p, 2i + 1) = cos(p·ω_i), with ω_i = base^(−2i / d_model).

/** @import { Numbers } from "./types" */

/** @type {(d_model: number, base: number) => Float64Array} */
export function frequencies(d_model, base) {
  return Float64Array.from({ length: d_model / 2 }, (_, pair) => base ** ((-2 * pair) / d_model));
}

/** @type {(position: number, dimension: number, omega: Float64Array) => number} */
export function encodingValue(position, dimension, omega) {
  const angle = position * omega[dimension >> 1];
  return dimension % 2 ? Math.cos(angle) : Math.sin(angle);
}

/** @type {(position: number, omega: Float64Array) => Float64Array} */
export function encodingRow(position, omega) {
  return Float64Array.from({ length: 2 * omega.length }, (_, dimension) => encodingValue(position, dimension, omega));
}

// PE(p)·PE(p + k) for k = 0 … count − 1: the sum of cos(kω) over the pairs, whatever p is.
/** @type {(count: number, omega: Float64Array) => Float64Array} */
export function similarities(count, omega) {
  const sums = new Float64Array(count);
  // cos((k + 1)ω) = 2 cos(ω) cos(kω) − cos((k − 1)ω). Four pairs at a time, because each step waits for the one before.
  for (let pair = 0; pair < omega.length; pair += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((next) => (pair + next < omega.length ? Math.cos(omega[pair + next]) : 0));
    const isFull = pair + 4 <= omega.length;
    if (isFull) addFourCosines(sums, a, b, c, d);
    else for (const cosine of [a, b, c, d].slice(0, omega.length - pair)) addCosine(sums, cosine);
  }
  return sums;
}

/** @type {(sums: Float64Array, a: number, b: number, c: number, d: number) => void} */
function addFourCosines(sums, a, b, c, d) {
  let [a1, b1, c1, d1] = [a, b, c, d];
  let [a0, b0, c0, d0] = [1, 1, 1, 1];
  const [aa, bb, cc, dd] = [2 * a, 2 * b, 2 * c, 2 * d];
  for (let k = 0; k < sums.length; k++) {
    sums[k] += a0 + b0 + (c0 + d0);
    const [a2, b2, c2, d2] = [aa * a1 - a0, bb * b1 - b0, cc * c1 - c0, dd * d1 - d0];
    a0 = a1;
    b0 = b1;
    c0 = c1;
    d0 = d1;
    a1 = a2;
    b1 = b2;
    c1 = c2;
    d1 = d2;
  }
}

/** @type {(sums: Float64Array, cosine: number) => void} */
function addCosine(sums, cosine) {
  let now = 1;
  let next = cosine;
  for (let k = 0; k < sums.length; k++) {
    sums[k] += now;
    const after = 2 * cosine * next - now;
    now = next;
    next = after;
  }
}

// The 2 × 2 block of M_k that turns a pair on by k positions, row by row.
/** @type {(offset: number, frequency: number) => [number, number, number, number]} */
export function rotation(offset, frequency) {
  const [sine, cosine] = [Math.sin(offset * frequency), Math.cos(offset * frequency)];
  return [cosine, sine, -sine, cosine];
}

// The largest |M_k PE(p) − PE(p + k)| over the dimensions.
/** @type {(from: Numbers, to: Numbers, offset: number, omega: Float64Array) => number} */
export function residual(from, to, offset, omega) {
  let largest = 0;
  for (let pair = 0; pair < omega.length; pair++) {
    const [a, b, c, d] = rotation(offset, omega[pair]);
    const [sine, cosine] = [from[2 * pair], from[2 * pair + 1]];
    const ahead = Math.abs(a * sine + b * cosine - to[2 * pair]);
    const below = Math.abs(c * sine + d * cosine - to[2 * pair + 1]);
    largest = Math.max(largest, ahead, below);
  }
  return largest;
}

// The mean of the encoding over each run of so many positions, as pixels of the table; from the first row given.
/** @type {(pixels: Uint32Array, omega: Float64Array, how: { run: number; rows: number; firstRow?: number; table: Uint32Array }) => void} */
export function paintEncoding(pixels, omega, { run, rows, firstRow = 0, table }) {
  const n_pairs = omega.length;
  const middle = (table.length - 1) / 2;
  const state = new Float64Array(4 * n_pairs);
  for (let pair = 0; pair < n_pairs; pair++) {
    const [step, start] = [run * omega[pair], (firstRow * run + (run - 1) / 2) * omega[pair]];
    // The mean of sin and cos over a run is that of its middle, shrunk by this (Dirichlet's kernel).
    const shrunk = (run > 1 ? Math.sin(step / 2) / (run * Math.sin(omega[pair] / 2)) : 1) * middle;
    state.set([Math.sin(start) * shrunk, Math.cos(start) * shrunk, Math.sin(step), Math.cos(step)], 4 * pair);
  }
  // Half a step, so that cutting off the decimals rounds.
  const neutral = middle + 0.5;
  for (let row = firstRow, at = 2 * n_pairs * firstRow; row < rows; row++) {
    for (let index = 0; index < 4 * n_pairs; index += 4, at += 2) {
      const [sine, cosine, sineStep, cosineStep] = [state[index], state[index + 1], state[index + 2], state[index + 3]];
      pixels[at] = table[(sine + neutral) | 0];
      pixels[at + 1] = table[(cosine + neutral) | 0];
      state[index] = sine * cosineStep + cosine * sineStep;
      state[index + 1] = cosine * cosineStep - sine * sineStep;
    }
  }
}

// The same from numbers that are there already.
/** @type {(pixels: Uint32Array, values: Numbers, columns: number, how: { run: number; rows: number; table: Uint32Array }) => void} */
export function paintValues(pixels, values, columns, { run, rows, table }) {
  const middle = (table.length - 1) / 2;
  const factor = middle / run;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let index = row * run * columns + column, end = index + run * columns; index < end; index += columns)
        sum += values[index];
      pixels[row * columns + column] = table[(sum * factor + middle + 0.5) | 0];
    }
  }
}

// The mean of profile[|p − q|] over a run of p and a run of q, for runs as far apart as the index says.
/** @type {(profile: Numbers, run: number, count: number) => Numbers} */
export function blockMeans(profile, run, count) {
  if (run === 1) return profile.subarray(0, count);
  return Float64Array.from({ length: count }, (_, block) => {
    let sum = 0;
    for (let shift = 1 - run; shift < run; shift++) {
      const apart = Math.min(Math.abs(block * run + shift), profile.length - 1);
      sum += (run - Math.abs(shift)) * profile[apart];
    }
    return sum / (run * run);
  });
}
