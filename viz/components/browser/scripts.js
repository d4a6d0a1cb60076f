// How wide the letters of a script are, how they stand over a column, and how a text of many is cut.

// What Unicode's annex 11 calls wide or full-width, as ranges: which characters a script shares with others, such as the
// raised dot, changes from one browser to the next.
const BASIC = String.raw`\u1100-\u115f\u2329\u232a\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19`;
const FORMS = String.raw`\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6`;
const BEYOND = String.raw`\u{16fe0}-\u{18fff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}`;
const NARROW = String.raw`\u303f\u3248-\u324f\u4dc0-\u4dff\u{1f1e6}-\u{1f1ff}`;
const WIDE = new RegExp(String.raw`(?![${NARROW}])[${BASIC}${FORMS}${BEYOND}\p{Emoji_Presentation}]`, "u");

// How wide a text is, in Latin letters: a wide one is as wide as two. The counterpart of n_columns of viz/base/tokens.py.
/** @type {(text: string) => number} */
export function columnsOf(text) {
  return [...text].reduce((width, letter) => width + (WIDE.test(letter) ? 2 : 1), 0);
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
  return WIDE.test(text);
}

// The attributes of the text of SVG that ends, or where its letters are turned begins, over a column at (x, y).
/** @type {(text: string, x: number, y: number) => Record<string, unknown>} */
export function overColumn(text, x, y) {
  if (standsUpright(text)) return { x, y, "writing-mode": "vertical-rl", "text-anchor": "end" };
  return { x, y, transform: `rotate(-90 ${x} ${y})` };
}
