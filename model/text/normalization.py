"""The normal form of a text for the tokenizer, and plain forms of unknown characters."""

import re
import unicodedata
from collections.abc import Callable
from itertools import groupby

WORD_START = "▁"
"""SentencePiece's mark for the space before a word."""

# The point of 5.20 ends no sentence.
_BETWEEN_MARKS = re.compile(r"(?:[^.!?…\n]|(?<=\d)\.(?=\d))+")
_LONE_I = re.compile(r"\bi\b")
# Words alone: what a dictionary has as a headword, and no sentence.
_PHRASE = re.compile(r"\w\S*|\w\S*( \S+){1,2}(?<![.!?\u2026])")
# French "l'" and its like before a vowel: one word in a vocabulary, two words that are written as one.
_ELISION = re.compile(r"\b((?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)') (?=[aeiouyhàâæéèêëîïôœùûü])", re.IGNORECASE)

# A plain form, and the typographic marks that stand for it.
_TYPOGRAPHY = {
    '"': "\u201c\u201d\u201e\u201f«»",
    "'": "\u2018\u2019\u201a\u2039\u203a",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "...": "…",
}


def normalize(text: str) -> str:
    """Return ``text`` with composed characters (NFC) and single spaces.

    Every run of white space, control characters, lone surrogates and :data:`WORD_START` becomes one space.
    """
    spaced = "".join(" " if _is_blank(character) else character for character in text)
    return " ".join(unicodedata.normalize("NFC", spaced).split())


def changed_characters(text: str, read: str) -> tuple[str, ...]:
    """Return the characters of ``text`` that are not in ``read``, what a model reads of it, each once.

    Blanks, line breaks and capitals do not count, but other white space does, and so do marks on letters.
    """
    letters = unicodedata.normalize("NFD", read)
    kept = {*read, *read.lower(), *(letter for letter in letters.lower() if not unicodedata.combining(letter))}
    return tuple(
        character
        for character in dict.fromkeys(text)
        if character not in " \t\r\n" and not kept & {character, character.lower()}
    )


def is_visible(character: str) -> bool:
    """Whether ``character`` can be seen by itself: no white space, mark or control character."""
    return character.isprintable() and not character.isspace() and unicodedata.category(character)[0] != "M"


def simplify(text: str, knows: Callable[[str], bool]) -> str:
    """Return ``text`` with plain forms of the characters for which ``knows`` is false.

    Quotation marks, dashes and the ellipsis become their forms on a typewriter, all of a kind together, so that a pair
    stays a pair. Other characters take their compatible form (NFKC): full-width letters, half-width katakana,
    ligatures. Soft hyphens and other invisible characters are left out. What has no form that is known stays.
    """
    for plain, marks in _TYPOGRAPHY.items():
        if all(map(knows, plain)) and not all(knows(mark) for mark in marks if mark in text):
            text = text.translate(dict.fromkeys(map(ord, marks), plain))
    runs = groupby(text, key=lambda character: character.isspace() or knows(character))
    return "".join("".join(run) if is_known else _known_form("".join(run), knows) for is_known, run in runs)


def join_elisions(text: str) -> str:
    """Return ``text`` with no blank after the apostrophe of a French elision: "l'animal"."""
    return _ELISION.sub(r"\1", text)


def lower_capitals(text: str, n_tokens: Callable[[str], int], *, has_capital_nouns: bool = False) -> str:
    """Return ``text`` with sentences in capitals made small where that takes fewer tokens.

    The first letter of a sentence stays, and the English "I". Names and the nouns of German lose their capital: a
    vocabulary of everyday sentences cuts what is all capitals into letters, which is worse. A text of one word, or of
    two or three without a mark at the end, loses its first capital too: no sentence begins with "Dog", many have "dog".
    It stays in a language that ``has_capital_nouns``.
    """
    lowered = _BETWEEN_MARKS.sub(lambda match: _lowered(match[0], n_tokens), text)
    if has_capital_nouns:
        return lowered
    small = lowered[:1].lower() + lowered[1:]
    return small if _PHRASE.fullmatch(lowered) and n_tokens(small) < n_tokens(lowered) else lowered


def _lowered(sentence: str, n_tokens: Callable[[str], int]) -> str:
    if not sentence.isupper() or sum(map(str.isalpha, sentence)) < 2:
        return sentence
    small = _LONE_I.sub("I", sentence.lower())
    first = next(place for place, character in enumerate(small) if character.isalpha())
    small = f"{small[:first]}{small[first].upper()}{small[first + 1 :]}"
    return small if n_tokens(small) < n_tokens(sentence) else sentence


def _known_form(unknown: str, knows: Callable[[str], bool]) -> str:
    # Together first, because a half-width letter and its mark make one letter.
    form = unicodedata.normalize("NFKC", unknown)
    if all(character.isspace() or knows(character) for character in form):
        return form
    if len(unknown) > 1:
        return "".join(_known_form(character, knows) for character in unknown)
    return "" if unicodedata.category(unknown) == "Cf" else unknown


def _is_blank(character: str) -> bool:
    return character == WORD_START or unicodedata.category(character) in ("Cc", "Cs")
