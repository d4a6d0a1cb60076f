// A recording by hand: two layers of two heads over three source tokens and two target tokens.

const SOURCE = {
  labels: ["a", "b", "⟨end⟩"],
  special: [false, false, true],
  words: [
    [0, 2],
    [2, 3],
  ],
  word_labels: ["ab", "⟨end⟩"],
};
const TARGET = { labels: ["x", "y"], special: [], words: [], word_labels: [] };

// A block whose weights are the rows given, the same in every head but for the scale.
function block(name, queries, keys, rows, scales = [1, 1, 1, 1]) {
  const weights = scales.flatMap(() => rows.flat());
  return {
    name,
    layers: 2,
    heads: 2,
    queries,
    keys,
    weights: Uint8Array.from(weights),
    scales: Float32Array.from(scales),
  };
}

export const encoder = (scales) =>
  block(
    "encoder",
    SOURCE,
    SOURCE,
    [
      [255, 0, 0],
      [0, 51, 204],
      [85, 85, 85],
    ],
    scales,
  );
export const cross = () =>
  block("cross", TARGET, SOURCE, [
    [255, 0, 0],
    [0, 0, 255],
  ]);
export const decoder = () =>
  block("decoder", TARGET, TARGET, [
    [255, 0],
    [0, 255],
  ]);

export const OPTIONS = { heads: [[0, 0]], combine: "mean", grain: "pieces", hide_special: false, normalise: false };

export function near(values, expected, by = 1e-6) {
  return (
    values.length === expected.length &&
    Array.from(values).every((value, index) => Math.abs(value - expected[index]) <= by)
  );
}
