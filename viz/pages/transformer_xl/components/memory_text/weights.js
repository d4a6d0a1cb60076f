// One head's attention, the mean of all, and how much of it lies where.

export function rowOf({ weights, heads, keys }, [layer, head]) {
  const start = (layer * heads + head) * keys;
  return weights.subarray(start, start + keys);
}

export function meanOf({ weights, layers, heads, keys }) {
  const mean = new Float32Array(keys);
  for (let index = 0; index < weights.length; index++) mean[index % keys] += weights[index] / (layers * heads);
  return mean;
}

// How much of it lies on the first so many.
export function shareOf(values, count) {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += values[index];
  return sum;
}
