// Tokens as people read them: the counterpart of viz/base/tokens.py and of the rows of viz/base/attention_maps.py.

import { columnsOf } from "../../components/browser/scripts.js";

/** @import { TokenSequence } from "../engine/types" */
/** @import { TokenRow } from "./types" */

const WORD_START = "▁";
const CONTINUATION = "·";
const STEERING = /[\p{Cc}\p{Cf}]/gu;
const LETTER_OR_NUMBER = /^[\p{L}\p{N}]/u;
const FULL_WIDTH = /^[\uff01-\uff60\uffe0-\uffe6]/;

// What the special pieces of a vocabulary are called, by piece.
export class Labels {
  /** @param {Record<string, string>} special */
  constructor(special) {
    this.special = special;
  }

  /** @type {(piece: string) => boolean} */
  isSpecial(piece) {
    return piece in this.special;
  }

  /** @type {(piece: string) => boolean} */
  startsWord(piece) {
    return piece.startsWith(WORD_START) || this.isSpecial(piece);
  }

  // Without its word mark; special tokens and bytes of other scripts stand in angle brackets.
  /** @type {(piece: string) => string} */
  shown(piece) {
    if (this.isSpecial(piece)) return this.special[piece];
    const byte = /^<0x([0-9A-F]{2})>$/.exec(piece);
    if (byte) {
      const code = Number.parseInt(byte[1], 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : `⟨${byte[1]}⟩`;
    }
    return visible(piece.startsWith(WORD_START) ? piece.slice(1) : piece) || "␣";
  }

  // Outside of any text: a raised dot marks one that goes on with a word.
  /** @type {(piece: string) => string} */
  alone(piece) {
    const shown = this.shown(piece);
    return !this.startsWord(piece) && LETTER_OR_NUMBER.test(shown) && !isWide(shown) ? CONTINUATION + shown : shown;
  }

  /** @type {(tokens: TokenSequence) => TokenRow} */
  row({ pieces, words }) {
    const starts = new Set(words.map(({ start }) => start));
    return {
      labels: pieces.map((piece, index) => (starts.has(index) ? "" : CONTINUATION) + this.shown(piece)),
      words: words.map(({ start, end }) => /** @type {[number, number]} */ ([start, end])),
      special: pieces.map((piece) => this.isSpecial(piece)),
      word_labels: words.map(({ text, start, end }) => (end - start === 1 ? this.shown(pieces[start]) : visible(text))),
    };
  }
}

// With the characters that only steer, such as a line's end, named in angle brackets.
/** @type {(text: string) => string} */
function visible(text) {
  return text.replace(
    STEERING,
    (character) =>
      `⟨U+${/** @type {number} */ (character.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** @type {(text: string) => boolean} */
export function isAlphabetic(text) {
  return /^\p{L}+$/u.test(text);
}

// Of the first letter: what Unicode's annex 11 calls wide, which the full-width forms of narrow letters are not.
/** @type {(text: string) => boolean} */
function isWide(text) {
  return columnsOf([...text].slice(0, 1).join("")) === 2 && !FULL_WIDTH.test(text);
}
