// The normal form of a text for the tokenizer, and plain forms of unknown characters: model/text/normalization.py.

import { isSpace, SPACE, WORD } from "./characters.js";

/** SentencePiece's mark for the space before a word. */
export const WORD_START = "▁";

const BLANKS = new RegExp(`[${WORD_START}\\p{Cc}\\p{Cs}]`, "gu");
// The point of 5.20 ends no sentence.
const BETWEEN_MARKS = /(?:[^.!?…\n]|(?<=\p{Nd})\.(?=\p{Nd}))+/gu;
const LONE_I = new RegExp(`(?<!${WORD})i(?!${WORD})`, "gu");
const SOLID = `[^${SPACE}]`;
// Words alone: what a dictionary has as a headword, and no sentence.
const PHRASE = new RegExp(`^(?:${WORD}${SOLID}*|${WORD}${SOLID}*(?: ${SOLID}+){1,2}(?<![.!?…]))$`, "u");
// French "l'" and its like before a vowel: one word in a vocabulary, two words that are written as one.
const ELISION = new RegExp(
  `(?<!${WORD})((?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)') (?=[aeiouyhàâæéèêëîïôœùûü])`,
  "giu",
);

// A plain form, and the typographic marks that stand for it.
const TYPOGRAPHY = {
  '"': "\u201c\u201d\u201e\u201f«»",
  "'": "\u2018\u2019\u201a\u2039\u203a",
  "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
  "...": "…",
};

/** @typedef {(character: string) => boolean} Knows whether a character is in a piece */

// Composed characters (NFC) and single spaces.
/** @type {(text: string) => string} */
export function normalize(text) {
  const composed = text.replace(BLANKS, " ").normalize("NFC");
  return composed
    .split(/\p{Z}+/u)
    .filter(Boolean)
    .join(" ");
}

// Plain forms of the characters that are not known: typographic marks all of a kind together, others by NFKC.
/** @type {(text: string, knows: Knows) => string} */
export function simplify(text, knows) {
  let plain = text;
  for (const [form, marks] of Object.entries(TYPOGRAPHY)) {
    const met = [...marks].filter((mark) => plain.includes(mark));
    if ([...form].every(knows) && !met.every(knows)) {
      plain = plain.replace(new RegExp(`[${marks}]`, "gu"), () => form);
    }
  }
  /** @type {{ isKnown: boolean; text: string }[]} */
  const runs = [];
  for (const character of plain) {
    const isKnown = isSpace(character) || knows(character);
    if (runs.at(-1)?.isKnown === isKnown) {
      runs[runs.length - 1].text += character;
    } else {
      runs.push({ isKnown, text: character });
    }
  }
  return runs.map((run) => (run.isKnown ? run.text : knownForm(run.text, knows))).join("");
}

/** @type {(unknown: string, knows: Knows) => string} */
function knownForm(unknown, knows) {
  // Together first, because a half-width letter and its mark make one letter.
  const form = unknown.normalize("NFKC");
  if ([...form].every((character) => isSpace(character) || knows(character))) {
    return form;
  }
  const characters = [...unknown];
  if (characters.length > 1) {
    return characters.map((character) => knownForm(character, knows)).join("");
  }
  return /^\p{Cf}$/u.test(unknown) ? "" : unknown;
}

// No blank after the apostrophe of a French elision: "l'animal".
/** @type {(text: string) => string} */
export const joinElisions = (text) => text.replace(ELISION, "$1");

// Sentences in capitals made small where that takes fewer tokens, and the first capital of a word alone.
/** @type {(text: string, count: (text: string) => number, hasCapitalNouns?: boolean) => string} */
export function lowerCapitals(text, count, hasCapitalNouns = false) {
  const whole = text.replace(BETWEEN_MARKS, (sentence) => lowered(sentence, count));
  if (hasCapitalNouns) {
    return whole;
  }
  const [first = "", ...rest] = whole;
  const small = first.toLowerCase() + rest.join("");
  return PHRASE.test(whole) && count(small) < count(whole) ? small : whole;
}

/** @type {(sentence: string, count: (text: string) => number) => string} */
function lowered(sentence, count) {
  const isUpper = /\p{Uppercase}/u.test(sentence) && !/[\p{Lowercase}\p{Lt}]/u.test(sentence);
  if (!isUpper || (sentence.match(/\p{L}/gu) ?? []).length < 2) {
    return sentence;
  }
  const small = sentence
    .toLowerCase()
    .replace(LONE_I, "I")
    .replace(/\p{L}/u, (first) => first.toUpperCase());
  return count(small) < count(sentence) ? small : sentence;
}
