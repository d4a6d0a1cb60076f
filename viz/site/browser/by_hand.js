// Scaled dot-product and multi-head attention on small matrices, with every step kept: the counterpart of
// viz/pages/dot_product/study/by_hand.py.

import { filled } from "./words.js";

/** @typedef {number[][]} Matrix */
/** @typedef {"X" | "W_Q" | "W_K" | "W_V" | "W_O"} Name */
/** @typedef {Record<Name, string>} Matrices as they are typed */
/** @typedef {Record<Name, Matrix>} Inputs */
/** @typedef {"float64" | "float32" | "float16"} Precision */
/** @typedef {{ n_heads: number, scale: boolean, mask: string, n_padding: number, subtract_maximum: boolean, precision: Precision }} Options */
/** @typedef {{ number: number, thing: string }} Count a number of things, with the word for them */
/** @typedef {{ size: number, cell: number }} Limits the rows and columns of a matrix, and the characters of a cell that an error repeats */
/** @typedef {{ q: Matrix, k: Matrix, v: Matrix, products: Matrix, scaled: Matrix, scores: Matrix, shifted: Matrix, exponentials: Matrix, sums: number[], pattern: Matrix, z: Matrix }} HeadSteps */
/** @typedef {{ Q: Matrix, K: Matrix, V: Matrix, allowed: boolean[][], heads: HeadSteps[], concatenated: Matrix, output: Matrix }} Steps */
/** @typedef {(value: number) => number} Rounding */

/** @type {Name[]} */
export const NAMES = ["X", "W_Q", "W_K", "W_V", "W_O"];

const EMPTY = "_";
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const HALF = { end: 65520, digits: 10, smallest: 2 ** -24 };
// Added to a number below 2 ** 51 and taken away again, this leaves the nearest whole number, of two the even one.
const WHOLE = 1.5 * 2 ** 52;

/** @type {Rounding} */
const exact = (value) => value;
// What a result is rounded to, and a sum at each term: NumPy adds up halves in single precision.
/** @type {Record<Precision, { round: Rounding, add: Rounding }>} */
const ARITHMETIC = {
  float64: { round: exact, add: exact },
  float32: { round: Math.fround, add: Math.fround },
  float16: { round: half, add: Math.fround },
};

// Of a matrix that cannot be computed with: ``key`` names the sentence, in which ``values`` stand.
export class MatrixError extends Error {
  /** @param {string} key @param {Record<string, string | number | Count>} values */
  constructor(key, values) {
    super(`${key} ${JSON.stringify(values)}`);
    this.key = key;
    this.values = values;
  }

  // What is wrong, and what to do, in the words ``text``.
  /** @type {(text: Record<string, string>) => string} */
  sentence(text) {
    const values = Object.entries(this.values).map(([name, value]) => [
      name,
      typeof value === "object" ? counted(value, text) : value,
    ]);
    return filled(text[`problem ${this.key}`], Object.fromEntries(values));
  }
}

// The nearest number of half precision.
/** @type {Rounding} */
function half(value) {
  const size = Math.abs(value);
  if (!(size < HALF.end)) return value * Infinity;
  const step = Math.max(2 ** (Math.floor(Math.log2(size)) - HALF.digits), HALF.smallest);
  return (value / step + WHOLE - WHOLE) * step;
}

// The matrix written in ``text``: rows between semicolons or in lines, numbers between spaces.
/** @type {(name: string, text: string, limits: Limits) => Matrix} */
export function parseMatrix(name, text, limits) {
  const rows = text
    .split(/[;\n]/)
    .filter((row) => row.trim())
    .map((row) => row.trim().split(/\s+/));
  if (!rows.length) throw new MatrixError("empty", { name });
  const [{ length: first }] = rows;
  rows.forEach((row, r) => {
    if (row.length !== first) throw new MatrixError("uneven", { row: r + 1, name, numbers: of(row, "number"), first });
  });
  if (Math.max(rows.length, first) > limits.size)
    throw new MatrixError("large", { name, rows: rows.length, columns: first, largest: limits.size });
  return rows.map((row, r) => row.map((cell, c) => number(cell, { row: r + 1, column: c + 1, name }, limits.cell)));
}

/** @type {(matrices: Matrices, limits: Limits) => Inputs} */
export function parseMatrices(matrices, limits) {
  const parsed = NAMES.map((name) => [name, parseMatrix(name, matrices[name], limits)]);
  return Object.fromEntries(parsed);
}

// Every step; a MatrixError where shapes do not fit each other, or heads do not divide the columns.
/** @type {(inputs: Inputs, options: Options) => Steps} */
export function compute(inputs, options) {
  checkShapes(inputs, options);
  const { precision, n_heads, mask, n_padding } = options;
  const [X, W_Q, W_K, W_V, W_O] = NAMES.map((name) => mapped(inputs[name], ARITHMETIC[precision].round));
  const [Q, K, V] = [W_Q, W_K, W_V].map((weight) => product(X, weight, precision));
  const allowed = X.map((_, query) => X.map((_, key) => isAllowed(query, key, X.length, mask, n_padding)));
  const heads = Array.from({ length: n_heads }, (_, head) => {
    const [q, k, v] = [Q, K, V].map((matrix) => columnsOf(matrix, head, n_heads));
    return headSteps({ q, k, v }, allowed, options);
  });
  const concatenated = X.map((_, row) => heads.flatMap(({ z }) => z[row]));
  return { Q, K, V, allowed, heads, concatenated, output: product(concatenated, W_O, precision) };
}

// What first was too large for the precision: a product q·k, or an exponential; or all of a row too small.
/** @type {(steps: Steps) => "products" | "exponentials" | "zeros" | null} */
export function overflowOf({ heads, allowed }) {
  const areFinite = heads.every(({ scaled }) =>
    scaled.every((row, query) => row.every((value, key) => !allowed[query][key] || Number.isFinite(value))),
  );
  if (!areFinite) return "products";
  if (heads.every(({ pattern }) => pattern.flat().every(Number.isFinite))) return null;
  return heads.some(({ sums }) => sums.includes(Number.POSITIVE_INFINITY)) ? "exponentials" : "zeros";
}

/** @type {(matrix: Matrix) => Matrix} */
export function transposed(matrix) {
  return matrix[0].map((_, column) => matrix.map((row) => row[column]));
}

// With padding, the first key always stays.
/** @type {(query: number, key: number, n: number, mask: string, nPadding: number) => boolean} */
function isAllowed(query, key, n, mask, nPadding) {
  if (mask === "causal") return key <= query;
  return mask !== "padding" || key < Math.max(1, n - nPadding);
}

// Equation 1 of the paper.
/** @type {(projected: { q: Matrix, k: Matrix, v: Matrix }, allowed: boolean[][], options: Options) => HeadSteps} */
function headSteps({ q, k, v }, allowed, { scale, subtract_maximum, precision }) {
  const { round, add } = ARITHMETIC[precision];
  const root = round(Math.sqrt(q[0].length));
  const products = product(q, transposed(k), precision);
  const scaled = scale ? mapped(products, (value) => round(value / root)) : products;
  const scores = scaled.map((row, query) => row.map((value, key) => (allowed[query][key] ? value : -Infinity)));
  const shifted = subtract_maximum ? scores.map((row) => row.map((value) => round(value - Math.max(...row)))) : scores;
  const exponentials = mapped(shifted, (value) => round(add(Math.exp(value))));
  const sums = exponentials.map((row) => round(row.reduce((sum, value) => add(sum + value), 0)));
  const pattern = exponentials.map((row, query) => row.map((value) => round(value / sums[query])));
  return { q, k, v, products, scaled, scores, shifted, exponentials, sums, pattern, z: product(pattern, v, precision) };
}

/** @type {(left: Matrix, right: Matrix, precision: Precision) => Matrix} */
function product(left, right, precision) {
  const { round, add } = ARITHMETIC[precision];
  return left.map((row) =>
    right[0].map((_, column) => round(row.reduce((sum, value, k) => add(sum + value * right[k][column]), 0))),
  );
}

/** @type {(matrix: Matrix, change: Rounding) => Matrix} */
function mapped(matrix, change) {
  return matrix.map((row) => row.map(change));
}

// Those of one head, of as many columns as each other head has.
/** @type {(matrix: Matrix, head: number, nHeads: number) => Matrix} */
function columnsOf(matrix, head, nHeads) {
  const size = matrix[0].length / nHeads;
  return matrix.map((row) => row.slice(head * size, (head + 1) * size));
}

/** @type {(inputs: Inputs, options: Options) => void} */
function checkShapes(inputs, { n_heads: heads }) {
  const [X, W_Q, W_K, W_V, W_O] = NAMES.map((name) => ({ rows: inputs[name], columns: inputs[name][0] }));
  for (const [name, { rows }] of Object.entries({ W_Q, W_K, W_V })) {
    const [columns, needed] = [of(X.columns, "column"), of(X.columns, "row")];
    if (rows.length !== X.columns.length)
      throw new MatrixError("rows", { name, rows: of(rows, "row"), columns, needed });
  }
  if (W_Q.columns.length !== W_K.columns.length)
    throw new MatrixError("columns", { query: of(W_Q.columns, "column"), key_columns: W_K.columns.length });
  for (const [name, { columns }] of Object.entries({ W_Q, W_V })) {
    if (columns.length % heads) throw new MatrixError(`heads ${name}`, { columns: of(columns, "column"), heads });
  }
  if (W_O.rows.length !== W_V.columns.length) {
    const [columns, needed] = [of(W_V.columns, "column"), of(W_V.columns, "row")];
    throw new MatrixError("output rows", { rows: of(W_O.rows, "row"), columns, needed });
  }
}

/** @type {(cell: string, place: { row: number, column: number, name: string }, mostCharacters: number) => number} */
function number(cell, place, mostCharacters) {
  const text = cell.replaceAll("−", "-");
  const value = NUMBER.test(text) ? Number(text) : NaN;
  if (Number.isFinite(value)) return value;
  if (cell === EMPTY) throw new MatrixError("empty cell", place);
  const characters = [...cell];
  const isShort = characters.length <= mostCharacters;
  throw new MatrixError("cell", {
    cell: isShort ? cell : `${characters.slice(0, mostCharacters - 1).join("")}…`,
    ...place,
  });
}

/** @type {(things: unknown[], thing: string) => Count} */
function of(things, thing) {
  return { number: things.length, thing };
}

/** @type {(count: Count, text: Record<string, string>) => string} */
function counted({ number: n, thing }, text) {
  const [one, several] = text[`count ${thing}`].split("\n");
  return n === 1 ? one : filled(several, { n });
}
