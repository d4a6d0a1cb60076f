// How wide the letters of a script are, how they stand over a column, and how a text of many is cut.

const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\uff01-\uff60]/u;

// How wide a text is, in Latin letters: an East Asian one is as wide as two.
/** @type {(text: string) => number} */
export function columnsOf(text) {
  return [...text].reduce((width, letter) => width + (EAST_ASIAN.test(letter) ? 2 : 1), 0);
}

// A text of at most ``most`` letters, the last one an ellipsis where it had more.
/** @type {(text: string, most: number) => string} */
export function shortened(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

// Whether a text is written from top to bottom where it has no room beside others: letters of other scripts are turned.
/** @type {(text: string) => boolean} */
export function standsUpright(text) {
  return EAST_ASIAN.test(text);
}

// The attributes of the text of SVG that ends, or where its letters are turned begins, over a column at (x, y).
/** @type {(text: string, x: number, y: number) => Record<string, unknown>} */
export function overColumn(text, x, y) {
  if (standsUpright(text)) return { x, y, "writing-mode": "vertical-rl", "text-anchor": "end" };
  return { x, y, transform: `rotate(-90 ${x} ${y})` };
}
