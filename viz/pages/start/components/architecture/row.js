// The calculation of one head for one row.

import { dot } from "../../../../components/browser/numbers.js";

// Everything that is computed of the row that is open; null until what it is computed from is there.
export function rowIn({ inside }, { part, layer, head, row }, { queries, keys }) {
  const attention = inside?.attention[`${part}.${layer + 1}`];
  if (!attention) return null;
  return rowOf(attention, { head, row, nQueries: queries.length, nKeys: keys.length, isCausal: part === "decoder" });
}

// The product of each pair of numbers, and the sums of them so far.
export function productsOf(query, key) {
  const products = Float64Array.from(query, (value, index) => value * key[index]);
  let sum = 0;
  return { products, sums: products.map((product) => (sum += product)) };
}

// Everything that is computed of one row, from q, k and v.
function rowOf({ q, k, v, added, output }, { head, row, nQueries, nKeys, isCausal }) {
  const d = q.length / (added.length / nQueries) / nQueries;
  const take = (block, size, index) => {
    const start = (head * size + index) * d;
    return block.subarray(start, start + d);
  };
  const keys = Array.from({ length: nKeys }, (_, key) => key);
  const query = take(q, nQueries, row);
  const products = keys.map((key) => dot(query, take(k, nKeys, key)));
  const scaled = products.map((product) => product / Math.sqrt(d));
  const isSeen = keys.map((key) => !isCausal || key <= row);
  const most = Math.max(...scaled.filter((_, key) => isSeen[key]));
  const exponentials = scaled.map((score, key) => (isSeen[key] ? Math.exp(score - most) : 0));
  const sum = exponentials.reduce((total, one) => total + one, 0);
  const weights = exponentials.map((one) => one / sum);
  const values = keys.map((key) => take(v, nKeys, key));
  const z = Float64Array.from({ length: d }, (_, index) =>
    values.reduce((total, value, key) => total + weights[key] * value[index], 0),
  );
  const wide = output.length / nQueries;
  return {
    d,
    query,
    keys: keys.map((key) => take(k, nKeys, key)),
    products,
    scaled,
    isSeen,
    weights,
    values,
    z,
    added: added[head * nQueries + row],
    output: output.subarray(row * wide, (row + 1) * wide),
  };
}
