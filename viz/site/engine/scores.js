// Scores of tokens: log-probabilities, and the best of them.

// Log-probabilities of logits, in single precision as the model's.
/** @type {(logits: Float32Array) => Float32Array} */
export function logSoftmax(logits) {
  const most = logits[highestPlace(logits)];
  const values = new Float32Array(logits.length);
  let sum = 0;
  for (let place = 0; place < logits.length; place++) {
    values[place] = logits[place] - most;
    sum += Math.exp(values[place]);
  }
  const logSum = Math.fround(Math.log(sum));
  for (let place = 0; place < logits.length; place++) {
    values[place] -= logSum;
  }
  return values;
}

// The places of the `count` highest values, the highest first, and the first of equal ones.
/** @type {(values: Float32Array, count: number) => number[]} */
export function highest(values, count) {
  /** @type {number[]} */
  const best = [];
  for (let place = 0; place < values.length; place++) {
    if (best.length === count && values[place] <= values[best[count - 1]]) {
      continue;
    }
    let rank = Math.min(best.length, count - 1);
    while (rank && values[best[rank - 1]] < values[place]) {
      best[rank] = best[rank - 1];
      rank -= 1;
    }
    best[rank] = place;
  }
  return best;
}

// The place of the highest value, the first of equal ones.
/** @type {(values: Float32Array) => number} */
export const highestPlace = (values) => highest(values, 1)[0];

// A row of `width` values, which is not copied.
/** @type {(values: Float32Array, width: number) => Float32Array[]} */
export const rowsOf = (values, width) =>
  Array.from({ length: values.length / width }, (_, row) => values.subarray(row * width, (row + 1) * width));
