// What the encoder adds up for each token, and its pictures: the counterpart of viz/pages/positional_encoding.

import { at, norm, rowsOf, stacked } from "./arrays.js";

/** @import { Tensor } from "../engine/types" */
/** @import { Figure, Model } from "./types" */

// As viz/pages/positional_encoding/figures/aligned.py has them.
const [LEAST_ROW, MOST_ROW, MOST_HEIGHT, TITLE] = [14, 20, 460, 1.5];
const GAP = 12;

/** @typedef {{ embedding: Tensor, encoding: Tensor, total: Tensor, ratio: number, cosine: number }} EmbeddingSum [token, d_model] each; the median of ‖embedding‖ ÷ ‖encoding‖; the mean cosine of two sums */

// Embeddings times √d_model, or as the table holds them, the sinusoidal encoding, and their sum (Vaswani et al. 2017, §3.4
// and §3.5).
/** @type {(ids: number[], model: Pick<Model, "config" | "weights">, isScaled: boolean) => EmbeddingSum} */
export function sumOf(ids, { config, weights }, isScaled) {
  const table = /** @type {Tensor} */ (weights.get("embedding.weight"));
  const scale = isScaled ? Math.sqrt(config.d_model) : 1;
  const embedding = stacked(ids.map((id) => scaled(at(table, id), scale)));
  const encoding = sinusoid(ids.length, config.d_model);
  const values = embedding.values.map((value, index) => value + encoding.values[index]);
  const total = { values, shape: embedding.shape };
  const [lengths, added] = [embedding, encoding].map((part) => rowsOf(part).map(norm));
  return {
    ...{ embedding, encoding, total },
    ratio: median(lengths.map((length, index) => length / added[index])),
    cosine: meanCosine(rowsOf(total)),
  };
}

/** @type {(row: Tensor, scale: number) => Tensor} */
function scaled({ values, shape }, scale) {
  return { values: values.map((value) => value * scale), shape };
}

/** @type {(length: number, size: number) => Tensor} */
function sinusoid(length, size) {
  const values = new Float32Array(length * size);
  for (let position = 0; position < length; position += 1)
    for (let dimension = 0; dimension < size; dimension += 1) {
      const angle = position / 10000 ** ((dimension - (dimension % 2)) / size);
      values[position * size + dimension] = dimension % 2 ? Math.cos(angle) : Math.sin(angle);
    }
  return { values, shape: [length, size] };
}

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {Float32Array[]} rows */
function meanCosine(rows) {
  const lengths = rows.map(norm);
  let [sum, n] = [0, 0];
  for (let left = 0; left < rows.length; left += 1)
    for (let right = left + 1; right < rows.length; right += 1) {
      const product = rows[left].reduce((total, value, index) => total + value * rows[right][index], 0);
      sum += product / (lengths[left] * lengths[right]);
      n += 1;
    }
  return sum / n;
}

// The picture ``figure`` of other parts, one above the other, with a row for each label.
/** @type {(figure: Figure, parts: Tensor[], labels: string[]) => Figure} */
export function alignedFigure({ data, layout }, parts, labels) {
  const step = labels.length + TITLE;
  const nRows = step * parts.length;
  const height = Math.round(nRows * Math.min(Math.max(MOST_HEIGHT / nRows, LEAST_ROW), MOST_ROW)) + layout.margin.b;
  const tops = parts.map((_, place) => place * step + TITLE);
  const columns = parts[0].shape[1];
  const largest = parts.reduce(
    (most, { values }) => values.reduce((top, one) => Math.max(top, Math.abs(one)), most),
    0,
  );
  const ends = [-largest, 0, largest];
  const text = (/** @type {number} */ value) => String(Number(value.toPrecision(2))).replace("-", "−");
  const { coloraxis } = layout;
  return {
    data: data.map((trace, place) => ({ ...trace, z: rowsOf(parts[place]).map((row) => [...row]), y0: tops[place] })),
    layout: {
      ...layout,
      height,
      margin: { ...layout.margin, l: GAP },
      coloraxis: {
        ...coloraxis,
        cmin: -largest,
        cmax: largest,
        colorbar: { ...coloraxis.colorbar, tickvals: ends, ticktext: ends.map(text) },
      },
      annotations: layout.annotations.map((/** @type {object} */ one, /** @type {number} */ place) => ({
        ...one,
        y: tops[place] - 0.5,
      })),
      shapes: layout.shapes.map((/** @type {object} */ one, /** @type {number} */ place) => ({
        ...one,
        x1: columns - 0.5,
        y0: tops[place] - 0.5,
        y1: tops[place] + labels.length - 0.5,
      })),
      xaxis: { ...layout.xaxis, range: [-0.5, columns - 0.5] },
      yaxis: {
        ...layout.yaxis,
        range: [nRows - 0.5, -0.5],
        tickvals: tops.flatMap((top) => labels.map((_, row) => top + row)),
        ticktext: parts.flatMap(() => labels.map(escaped)),
        automargin: "left",
      },
    },
  };
}

// The picture ``figure`` of other bars: one for each label, in each of ``heights``.
/** @type {(figure: Figure, heights: number[][], labels: string[]) => Figure} */
export function barsFigure({ data, layout }, heights, labels) {
  return {
    data: data.map((trace, place) => ({ ...trace, y: heights[place] })),
    layout: {
      ...layout,
      xaxis: {
        ...layout.xaxis,
        tickvals: labels.map((_, place) => place),
        ticktext: labels.map(escaped),
        automargin: true,
      },
    },
  };
}

// As Plotly, which reads a little HTML in every text, shows the characters as they are.
/** @param {string} label */
function escaped(label) {
  return label.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
