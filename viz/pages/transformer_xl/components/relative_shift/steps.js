// Where each number of the relative shift stands after each step (Dai et al. 2019, appendix B).

export const STEPS = ["scores", "pad", "reshape", "drop", "back", "mask"];

// The numbers of the padded matrix [query, 1 + key], row by row; the first of each row is a zero, or pad.
export function numbersOf(queries, keys) {
  const width = keys + 1;
  return Array.from({ length: queries * width }, (_, flat) => {
    const [query, column] = [Math.floor(flat / width), flat % width];
    return { flat, query, isPad: column === 0, distance: keys - column };
  });
}

// Its row and column after a step, and whether it is there at all.
export function placeAt(step, { flat, isPad }, queries, keys) {
  const width = keys + 1;
  const [row, column] = [Math.floor(flat / width), flat % width];
  if (step === "scores") return { row, column: column - 1, isThere: !isPad };
  if (step === "pad") return { row, column, isThere: true };
  if (step === "reshape") return { row: Math.floor(flat / queries), column: flat % queries, isThere: true };
  const rest = flat - queries;
  const isThere = rest >= 0;
  if (step === "drop") return { row: Math.floor(flat / queries) - 1, column: flat % queries, isThere };
  return { row: Math.max(Math.floor(rest / keys), 0), column: isThere ? rest % keys : flat, isThere };
}

// Whether a place after the last reshape is for a key that comes after its query: it must be masked.
export function isLater({ row, column }, queries, keys) {
  return column > row + keys - queries;
}

export function sizeAt(step, queries, keys) {
  if (step === "pad") return [queries, keys + 1];
  if (step === "reshape") return [keys + 1, queries];
  if (step === "drop") return [keys, queries];
  return [queries, keys];
}
