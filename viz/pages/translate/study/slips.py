"""Slips of a translation that can be told without knowing the right one.

It says the same twice in a row, copies words of the source, or loses a number, a currency or the negation.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from model.text.repetition import repetitions
from viz.pages.translate.study.records import LineToken

Kind = Literal["repeated", "copied", "number", "currency", "negation"]

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*['\u2019]?")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# Full-width letters and digits are those of ASCII, offset by 0xFEE0.
_HALF_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F) if chr(code).isalnum()}
MIN_COPIED = 2
"""Words but names from which on a row counts as copied: a single one may be spelled alike in both languages."""
MAX_SPELLED = 12
"""Whole numbers up to here are often written as words."""
NEGATIONS = {
    "English": re.compile(
        r"\b(?:not|no|never|nobody|nothing|none|nowhere|neither|nor|cannot|without|un\w+|\w+less|\w+n['\u2019]t)\b",
        re.I,
    ),
    "German": re.compile(
        r"\b(?:nicht|nichts|nie|niemals|niemand\w*|nirgend\w*|kein\w*|nein|weder|ohne|un\w+|\w+los\w*)\b", re.I
    ),
    "French": re.compile(
        r"(?:\b(?:ne|pas|non|jamais|rien|personne|aucune?|sans|ni|nulle|in\w+|im\w+)\b|\bn['\u2019])", re.I
    ),
    "Japanese": re.compile("な[いくかけ]|ません|ませ|ぬ|ずに?|るな|いいえ|不|無|非|未"),
}
"""What makes a sentence negative, in the widest sense: "unhappy" may well be "nicht glücklich"."""
_CLEAR = {
    "English": re.compile(r"\b(?:not|never|nobody|nothing|cannot|\w+n['\u2019]t)\b", re.I),
    "German": re.compile(r"\b(?:nicht|nichts|nie|niemals|niemand\w*|kein\w*)\b", re.I),
    "French": re.compile(r"(?:\bne\b|\bn['\u2019])(?=.*\b(?:pas|jamais|rien|personne)\b)", re.I),
    "Japanese": re.compile(
        r"(?<!違い)(?<!しか)(?<!やむ)(?<!しょうが)(?<!仕方が)(?<!なら)(?<!いけ)(?<!しれ)(?:ない|なかった)(?=\W?$)"
    ),
}
_TAG = re.compile(r",\s+\w+n['\u2019]t\s+\w+\s*\?$|\bwhy (?:do|does|did|wo|ca)n['\u2019]t\b", re.I)
"""A question that expects yes, and one that asks to do something."""
_CURRENCIES = {"$": r"\$|dollar|ドル", "€": "€|euro|ユーロ", "£": "£|pound|pfund|livre|ポンド", "¥": "¥|yen|円"}
"""Signs, and what a translation may have for each."""
_NUMBER_WORDS = re.compile(
    r"hundred|thousand|million|hundert|tausend|cent|mille|zwanzig|(?:ß|z)ig\b|zehn\b|ty\b|teen\b|vingt|trente|ante\b"
    "|[十百千万一二三四五六七八九]",
    re.I,
)


@dataclass(frozen=True)
class Slip:
    """One slip: its kind, the words that show it, and where the translation has them, if it does."""

    kind: Kind
    words: str
    start: int = 0
    stop: int = 0


def slips(source: str, translation: str, *, source_language: str, target_language: str) -> list[Slip]:
    """Return the slips of ``translation``, at most one of each kind, in the order of :data:`Kind`."""
    languages = (source_language, target_language)
    source, translation = source.translate(_HALF_WIDTH), translation.translate(_HALF_WIDTH)
    checks: Sequence[Callable[[str, str, tuple[str, str]], Slip | None]] = (
        _repeated,
        _copied,
        _lost_number,
        _lost_currency,
        _lost_negation,
    )
    return [slip for check in checks if (slip := check(source, translation, languages))]


def _repeated(source: str, translation: str, _: tuple[str, str]) -> Slip | None:
    """Return the words that stand twice in a row; a single one only where it stands three times."""
    matches = list(_WORD.finditer(translation))
    words = [match[0].lower() for match in matches]
    for found in repetitions(words):
        first, stop = found.start, found.start + found.length
        if not _has_run(source, words[first:stop]):
            end = matches[first + found.times * found.length - 1].end()
            shown = translation[matches[first].start() : matches[stop - 1].end()]
            return Slip("repeated", shown, matches[first].start(), end)
    return None


def _has_run(source: str, block: Sequence[str]) -> bool:
    """Tell whether ``source`` says something twice itself, in so many words."""
    words, length = [word.lower() for word in _WORD.findall(source)], len(block)
    return any(
        words[start : start + length] == words[start + length : start + 2 * length] for start in range(len(words))
    )


def _copied(source: str, translation: str, languages: tuple[str, str]) -> Slip | None:
    """Return the longest row of words of ``source`` that are no names and stand in the translation just so."""
    if languages[0] == languages[1]:
        return None
    given = _WORD.findall(source)
    is_loud = source.isupper()
    neighbours = set(pairwise(given))
    matches = list(_WORD.finditer(translation))
    row: list[re.Match[str]] = []
    longest: list[re.Match[str]] = []
    for match in matches:
        is_next = bool(row) and (row[-1][0], match[0]) in neighbours
        row = [*row, match] if is_next else [match]
        longest = max(longest, row, key=len)
    if sum(is_loud or _is_common(word[0]) for word in longest) < MIN_COPIED:
        return None
    start, stop = longest[0].start(), longest[-1].end()
    return Slip("copied", translation[start:stop], start, stop)


def _is_common(word: str) -> bool:
    return word.islower() and len(word) > 1 and not any(map(str.isdigit, word))


def _lost_number(source: str, translation: str, _: tuple[str, str]) -> Slip | None:
    """Return the first number of ``source`` that the translation has neither in digits nor, it may be, in words."""
    written = {_digits(number) for number in _NUMBER.findall(translation)}
    in_words = bool(_NUMBER_WORDS.search(translation))
    for number in _NUMBER.findall(source):
        value = _digits(number)
        if value in written or (not written and (in_words or (value.isdecimal() and int(value) <= MAX_SPELLED))):
            continue
        if ":" in number and {value, _half_a_day_later(number), value.removesuffix("00")} & written:
            continue
        if value.isdecimal() and int(value) <= MAX_SPELLED:
            continue
        return Slip("number", number)
    return None


def _lost_currency(source: str, translation: str, _: tuple[str, str]) -> Slip | None:
    for sign, forms in _CURRENCIES.items():
        if sign in source and not re.search(forms, translation, re.I):
            return Slip("currency", sign)
    return None


def _digits(number: str) -> str:
    return re.sub(r"[.,:]", "", number)


def _half_a_day_later(time: str) -> str:
    hours, minutes = time.split(":")[:2]
    return f"{(int(hours) + 12) % 24}{minutes}"


def _lost_negation(source: str, translation: str, languages: tuple[str, str]) -> Slip | None:
    clear, any_ = _CLEAR.get(languages[0]), NEGATIONS.get(languages[1])
    found = clear.search(_TAG.sub("", source)) if clear else None
    return Slip("negation", found[0]) if found and any_ and not any_.search(translation) else None


def mark_slips(tokens: Sequence[LineToken], text: str, found: Sequence[Slip]) -> list[LineToken]:
    """Return ``tokens``, those of ``text`` in their order, with the ones that the slips are about marked."""
    marked, end = [], 0
    for token in tokens:
        start = text.find(token.label, end)
        if start < 0:
            marked.append(token)
            continue
        end = start + len(token.label)
        marked.append(replace(token, is_slip=any(start < slip.stop and end > slip.start for slip in found)))
    return marked
