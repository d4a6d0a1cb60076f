// What tells heads apart, as one number each: a mean over the rows of a map.

// w · log2 w for each byte over 255, because a logarithm for each weight would take longer than all else.
const PLOGP = Float64Array.from({ length: 256 }, (_, byte) => (byte ? (byte / 255) * Math.log2(byte / 255) : 0));

function sumOf(weights, start, count) {
  let sum = 0;
  for (let key = 0; key < count; key++) sum += weights[start + key];
  return sum;
}

// The key that lies where the query lies, in a map that need not be square.
function diagonalKey(query, queries, keys) {
  return queries === keys || queries < 2 ? query : (query * (keys - 1)) / (queries - 1);
}

const ROW_MEASURES = {
  // The largest weight of the row.
  pointed(weights, start, count, sum) {
    let most = 0;
    for (let key = 0; key < count; key++) if (weights[start + key] > most) most = weights[start + key];
    return most / sum;
  },
  // How many bits it takes to say where the row looks: 0 for one key, log2 n for n keys alike.
  entropy(weights, start, count, sum) {
    let total = 0;
    for (let key = 0; key < count; key++) total += PLOGP[weights[start + key]];
    const mass = sum / 255;
    return Math.max(0, Math.log2(mass) - total / mass);
  },
  // The share of the row that lies at most one token away from the diagonal.
  diagonal(weights, start, count, sum, centre) {
    let near = 0;
    const last = Math.min(count - 1, Math.floor(centre + 1));
    for (let key = Math.max(0, Math.ceil(centre - 1)); key <= last; key++) near += weights[start + key];
    return near / sum;
  },
  // How many tokens away from the diagonal the row looks.
  distance(weights, start, count, sum, centre) {
    let total = 0;
    for (let key = 0; key < count; key++) total += weights[start + key] * Math.abs(key - centre);
    return total / sum;
  },
};

export const MEASURES = Object.keys(ROW_MEASURES);

// Least first where that is what one looks for: a low entropy, a short distance.
export const ASCENDING = new Set(["entropy", "distance"]);

function measure(field, layer, head, ofRow) {
  let total = 0;
  let rows = 0;
  for (const { block } of field.parts) {
    if (layer >= block.layers || head >= block.heads) continue;
    const queries = block.queries.labels.length;
    const keys = block.keys.labels.length;
    const first = (layer * block.heads + head) * queries * keys;
    for (let query = 0; query < queries; query++) {
      const start = first + query * keys;
      const sum = sumOf(block.weights, start, keys);
      if (!sum) continue;
      total += ofRow(block.weights, start, keys, sum, diagonalKey(query, queries, keys));
      rows += 1;
    }
  }
  return rows ? total / rows : 0;
}

export function hasHead(field, layer, head) {
  return field.parts.some(({ block }) => layer < block.layers && head < block.heads);
}

// The measure of every head of a field; kept, because the bytes of a field do not change.
const kept = new WeakMap();

export function measureHeads(field, name) {
  if (!kept.has(field)) kept.set(field, new Map());
  const ofField = kept.get(field);
  if (!ofField.has(name)) {
    const found = [];
    for (let layer = 0; layer < field.layers; layer++) {
      for (let head = 0; head < field.heads; head++) {
        if (hasHead(field, layer, head)) found.push({ layer, head, value: measure(field, layer, head, ROW_MEASURES[name]) });
      }
    }
    ofField.set(name, found);
  }
  return ofField.get(name);
}

// The largest weights in squares of a map, as bytes: what a tile of few pixels can show of many tokens.
export function shrink(field, layer, head, rows, columns, room) {
  const height = Math.max(1, Math.min(rows.length, room.height));
  const width = Math.max(1, Math.min(columns.length, room.width));
  const pixels = new Uint8Array(width * height);
  const lineOf = binOf(rows, field.rows.labels.length, height);
  const placeOf = binOf(columns, field.columns.labels.length, width);
  for (const { block, row, column } of field.parts) {
    if (layer >= block.layers || head >= block.heads) continue;
    const queries = block.queries.labels.length;
    const keys = block.keys.labels.length;
    const map = layer * block.heads + head;
    // Looked up, because it takes longer to compute for every weight than for every byte.
    const shown = Uint8Array.from({ length: 256 }, (_, byte) => (byte * block.scales[map]) / field.top + 0.5);
    for (let query = 0; query < queries; query++) {
      const line = lineOf[query + row];
      if (line < 0) continue;
      const start = (map * queries + query) * keys;
      for (let key = 0; key < keys; key++) {
        const place = placeOf[key + column];
        if (place < 0) continue;
        const weight = shown[block.weights[start + key]];
        if (weight > pixels[line * width + place]) pixels[line * width + place] = weight;
      }
    }
  }
  return { pixels, width, height };
}

function binOf(kept, count, bins) {
  const found = new Int32Array(count).fill(-1);
  kept.forEach((piece, index) => {
    found[piece] = Math.floor((index * bins) / kept.length);
  });
  return found;
}
