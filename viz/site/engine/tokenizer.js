// SentencePiece BPE with byte fallback over a vocabulary whose pieces stand in the order of their merges.

import { isKatakana, isLetter, isMark, isUnspaced } from "./characters.js";
import { normalize, WORD_START } from "./normalization.js";

/** @import { TokenSequence, Word } from "./types" */

const [PAD, BOS, EOS] = [0, 2, 3];
export const UNKNOWN_ID = 1;
const FIRST_BYTE = 4;
const FIRST_TEXT = FIRST_BYTE + 256;
const UNKNOWN_TEXT = " ⁇ ";
const REPLACEMENT = "\ufffd";

// The byte of a piece such as <0x41>; null for any other.
/** @type {(piece: string) => number | null} */
export function byteOf(piece) {
  const match = /^<0x([0-9A-F]{2})>$/.exec(piece);
  return match && Number.parseInt(match[1], 16);
}

export class Tokenizer {
  /** @param {string[]} vocabulary the pieces in the order of their ids */
  constructor(vocabulary) {
    this.vocabulary = vocabulary;
    const texts = vocabulary.slice(FIRST_TEXT);
    this.ids = new Map(texts.map((piece, place) => [piece, FIRST_TEXT + place]));
    const spelled = texts.map((piece) => [...piece]);
    this.characters = new Set(spelled.flat());
    // No merge crosses two characters that stand side by side in no piece.
    this.neighbours = new Set(spelled.flatMap((piece) => piece.slice(1).map((after, place) => piece[place] + after)));
  }

  /** @type {(character: string) => boolean} */
  knows = (character) => this.characters.has(character);

  // The ids of a text, without special tokens.
  /** @type {(text: string) => number[]} */
  encode(text) {
    const normal = normalize(text);
    const marked = normal && WORD_START + normal.replaceAll(" ", WORD_START);
    return this.#runs([...marked]).flatMap((run) => this.#merge(run).flatMap((symbol) => this.#idsOf(symbol)));
  }

  /** @type {(characters: string[]) => string[][]} */
  #runs(characters) {
    /** @type {string[][]} */
    const runs = [];
    characters.forEach((character, place) => {
      if (place && this.neighbours.has(characters[place - 1] + character)) {
        runs[runs.length - 1].push(character);
      } else {
        runs.push([character]);
      }
    });
    return runs;
  }

  // The pair that was learned first is merged first, the leftmost of several.
  /** @type {(symbols: string[]) => string[]} */
  #merge(symbols) {
    const rank = (/** @type {number} */ place) => this.ids.get(symbols[place] + symbols[place + 1]) ?? Infinity;
    const ranks = symbols.slice(1).map((_, place) => rank(place));
    while (ranks.length) {
      const best = ranks.reduce((least, each, place) => (each < ranks[least] ? place : least), 0);
      if (ranks[best] === Infinity) {
        break;
      }
      symbols.splice(best, 2, symbols[best] + symbols[best + 1]);
      ranks.splice(best, 1);
      for (const place of [best - 1, best].filter((each) => each >= 0 && each < ranks.length)) {
        ranks[place] = rank(place);
      }
    }
    return symbols;
  }

  /** @type {(symbol: string) => number[]} */
  #idsOf(symbol) {
    const id = this.ids.get(symbol);
    return id === undefined ? Array.from(new TextEncoder().encode(symbol), (byte) => FIRST_BYTE + byte) : [id];
  }

  // The text of ids, without special tokens; invalid bytes become U+FFFD.
  /** @type {(ids: number[]) => string} */
  decode(ids) {
    let text = "";
    /** @type {number[]} */
    let bytes = [];
    for (const id of ids.filter((each) => ![PAD, BOS, EOS].includes(each))) {
      if (id >= FIRST_BYTE && id < FIRST_TEXT) {
        bytes.push(id - FIRST_BYTE);
        continue;
      }
      text += textOfBytes(bytes);
      bytes = [];
      const piece = id === UNKNOWN_ID ? UNKNOWN_TEXT : this.vocabulary[id];
      const shown = text ? piece : piece.replace(new RegExp(`^${WORD_START}`), "");
      text += shown.replaceAll(WORD_START, " ");
    }
    return text + textOfBytes(bytes);
  }

  /** @type {(ids: number[]) => TokenSequence} */
  sequence = (ids) => ({ pieces: this.pieces(ids), words: this.words(ids) });

  /** @type {(ids: number[]) => string[]} */
  pieces = (ids) => ids.map((id) => this.vocabulary[id]);

  // The id of each piece of the vocabulary.
  /** @type {(pieces: string[]) => number[]} */
  idsOf = (pieces) => pieces.map((piece) => this.ids.get(piece) ?? this.vocabulary.indexOf(piece));

  // The words of ids; final punctuation and special tokens are words of their own. In scripts without spaces between
  // words every piece is a word, but a run of katakana is one word.
  /** @type {(ids: number[]) => Word[]} */
  words(ids) {
    const pieces = this.pieces(ids);
    const starts = [...ids.keys()].filter((place) => startsWord(pieces, ids, place));
    return starts.map((start, number) => {
      const end = starts[number + 1] ?? ids.length;
      return { text: this.#wordText(ids.slice(start, end)), start, end };
    });
  }

  /** @type {(ids: number[]) => string} */
  #wordText(ids) {
    return ids.length === 1 && isSpecial(ids[0]) ? this.vocabulary[ids[0]] : this.decode(ids) || WORD_START;
  }
}

/** @type {(id: number) => boolean} */
const isSpecial = (id) => id < FIRST_BYTE;

// The text of a piece; U+FFFD for a byte that is not a character by itself.
/** @type {(piece: string) => string[]} */
function charactersOf(piece) {
  const byte = byteOf(piece);
  if (byte === null) {
    return [...piece];
  }
  return [byte < 0x80 ? String.fromCharCode(byte) : REPLACEMENT];
}

// A byte beyond ASCII is part of a character that the vocabulary lacks, usually a letter.
/** @type {(character: string) => boolean} */
const isLetterOrByte = (character) => isLetter(character) || character === REPLACEMENT;

/** @type {(pieces: string[], ids: number[], place: number) => boolean} */
function startsWord(pieces, ids, place) {
  if (!place || isSpecial(ids[place]) || isSpecial(ids[place - 1]) || pieces[place].startsWith(WORD_START)) {
    return true;
  }
  const characters = charactersOf(pieces[place]);
  const [before, here] = [charactersOf(pieces[place - 1]).slice(-1)[0], characters[0]];
  if (isUnspaced(before) || isUnspaced(here)) {
    return !(isKatakana(before) && isKatakana(here));
  }
  const isFollowed = place + 1 < pieces.length && isLetterOrByte(charactersOf(pieces[place + 1])[0]);
  const isPunctuation = characters.every((character) => isMark(character) && !isLetterOrByte(character));
  return isLetterOrByte(before) && isPunctuation && !isFollowed;
}

// Characters in UTF-8, and U+FFFD for each byte that is part of none.
/** @type {(bytes: number[]) => string} */
function textOfBytes(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  for (let start = 0; start < bytes.length; ) {
    const first = bytes[start];
    const width = 1 + Number(first >= 0xc0) + Number(first >= 0xe0) + Number(first >= 0xf0);
    try {
      text += decoder.decode(Uint8Array.from(bytes.slice(start, start + width)));
      start += width;
    } catch {
      text += REPLACEMENT;
      start += 1;
    }
  }
  return text;
}
