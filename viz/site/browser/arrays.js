// Arithmetic on arrays of numbers, row after row.

/** @import { Tensor } from "../engine/types" */

// Of the last axes of a block: that at ``place`` of the first.
/** @type {(block: Tensor, place: number) => Tensor} */
export function at({ values, shape }, place) {
  const rest = shape.slice(1);
  const size = rest.reduce((product, one) => product * one, 1);
  return { values: values.subarray(place * size, (place + 1) * size), shape: rest };
}

/** @type {(blocks: Tensor[]) => Tensor} */
export function stacked(blocks) {
  const size = blocks[0].values.length;
  const values = new Float32Array(size * blocks.length);
  blocks.forEach((block, index) => values.set(block.values, index * size));
  return { values, shape: [blocks.length, ...blocks[0].shape] };
}

/** @type {(left: Tensor, right: Tensor) => Tensor} */
export function minus(left, right) {
  return { values: left.values.map((value, index) => value - right.values[index]), shape: left.shape };
}

/** @type {(block: Tensor) => Float32Array[]} */
export function rowsOf(block) {
  return Array.from({ length: block.shape[0] }, (_, row) => at(block, row).values);
}

/** @type {(row: ArrayLike<number>) => number} */
export function norm(row) {
  let sum = 0;
  for (let index = 0; index < row.length; index += 1) sum += row[index] * row[index];
  return Math.sqrt(sum);
}

// The LayerNorm of every row of ``rows``, [P, D].
/** @type {(rows: Tensor, weight: Float32Array, bias: Float32Array) => Tensor} */
export function layerNorm({ values, shape }, weight, bias) {
  const [n, size] = shape;
  const normed = new Float32Array(values.length);
  for (let row = 0; row < n; row += 1) {
    const first = row * size;
    let mean = 0;
    for (let index = 0; index < size; index += 1) mean += values[first + index];
    mean /= size;
    let variance = 0;
    for (let index = 0; index < size; index += 1) variance += (values[first + index] - mean) ** 2;
    const scale = 1 / Math.sqrt(variance / size + 1e-5);
    for (let index = 0; index < size; index += 1)
      normed[first + index] = (values[first + index] - mean) * scale * weight[index] + bias[index];
  }
  return { values: normed, shape };
}

// rows · matrixᵀ, where ``rows`` is [n, D] and ``matrix`` is [m, D], as PyTorch keeps the weights of a linear layer.
/** @type {(rows: Tensor, matrix: Tensor) => Tensor} */
export function linear(rows, matrix) {
  const [n, size] = rows.shape;
  const m = matrix.shape[0];
  const product = new Float32Array(n * m);
  for (let row = 0; row < n; row += 1) {
    const left = rows.values.subarray(row * size, (row + 1) * size);
    for (let column = 0; column < m; column += 1) {
      const first = column * size;
      // Four sums at once: each waits for its own last addition alone.
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let index = 0; index < size; index += 4) {
        a += left[index] * matrix.values[first + index];
        b += left[index + 1] * matrix.values[first + index + 1];
        c += left[index + 2] * matrix.values[first + index + 2];
        d += left[index + 3] * matrix.values[first + index + 3];
      }
      product[row * m + column] = a + b + c + d;
    }
  }
  return { values: product, shape: [n, m] };
}

// The places of the ``n`` largest numbers, the largest first.
/** @type {(row: ArrayLike<number>, n: number) => number[]} */
export function largest(row, n) {
  /** @type {number[]} */
  const places = [];
  for (let place = 0; place < row.length; place += 1) {
    if (places.length === n && row[place] <= row[places[n - 1]]) continue;
    let rank = places.length;
    while (rank > 0 && row[places[rank - 1]] < row[place]) rank -= 1;
    places.splice(rank, 0, place);
    if (places.length > n) places.pop();
  }
  return places;
}

// The logarithms of the softmax of ``logits``.
/** @type {(logits: Float32Array) => Float32Array} */
export function logSoftmax(logits) {
  const most = logits.reduce((left, right) => Math.max(left, right), -Infinity);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - most);
  const total = most + Math.log(sum);
  return logits.map((logit) => logit - total);
}

// What a share ``share`` of the numbers stay below, between two of them as NumPy's quantile has it.
/** @type {(values: Float32Array, share: number) => number} */
function quantile(values, share) {
  const sorted = values.slice().sort();
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  return sorted[low] + (place - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}

// As bytes, 255 for 1.
/** @type {(weights: Float32Array) => Uint8Array} */
export function asBytes(weights) {
  return Uint8Array.from(weights, (weight) => weight * 255 + 0.5);
}

// Shares of the largest: 128 for 0, 255 for what 99 % stay below.
/** @type {(block: Tensor) => { values: Uint8Array, shape: number[] }} */
export function asShares({ values, shape }) {
  const limit = quantile(values.map(Math.abs), 0.99) || 1;
  const bytes = Uint8Array.from(values, (value) => Math.round(Math.min(1, Math.max(-1, value / limit)) * 127 + 128));
  return { values: bytes, shape };
}

// Shares of the largest of numbers of which none is negative: 255 for that.
/** @type {(block: Tensor) => { values: Uint8Array, shape: number[] }} */
export function asSharesOfLargest({ values, shape }) {
  const most = values.reduce((left, right) => Math.max(left, right), 1e-12);
  return { values: Uint8Array.from(values, (value) => Math.round((value * 255) / most)), shape };
}
