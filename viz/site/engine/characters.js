// Kinds of characters, as Python tells them apart.

const LETTER = /^[\p{L}\p{N}]$/u;
// CJK, hiragana, ideographic marks and katakana, by Unicode's names.
const UNSPACED =
  /^[\u2e80-\u2e99\u2e9b-\u2ef3\u2ff0-\u2ffb\u3000-\u3002\u3005-\u3007\u302a-\u302d\u3037\u303e\u303f\u3041-\u3096\u309b-\u30ff\u3190-\u319f\u31c0-\u31e3\u31f0-\u31ff\u32c0-\u32cb\u3358-\u3370\u33e0-\u33fe\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9\u{1aff0}-\u{1b167}\u{20000}-\u{323af}]$/u;
const KATAKANA = /^[\u309b\u309c\u30a0-\u30ff\u31f0-\u31ff]$/u;

/** A character class of what makes words in a regular expression. */
export const WORD = "[\\p{L}\\p{N}_]";

/** What Python calls white space, inside such a class. */
export const SPACE = "\\t-\\r\\x1c- \\x85\\p{Z}";
const SPACES = new RegExp(`^[${SPACE}]$`, "u");

/** @type {(character: string) => boolean} */
export const isSpace = (character) => SPACES.test(character);

/** @type {(character: string) => boolean} */
export const isLetter = (character) => LETTER.test(character);

/** @type {(character: string) => boolean} */
export const isMark = (character) => /^[\p{P}\p{S}]$/u.test(character);

// Whether it is of a script without spaces between words.
/** @type {(character: string) => boolean} */
export const isUnspaced = (character) => UNSPACED.test(character);

// Whether it is katakana, in which Japanese writes foreign words without breaks.
/** @type {(character: string) => boolean} */
export const isKatakana = (character) => KATAKANA.test(character);
