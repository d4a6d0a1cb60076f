"""Slips of a translation that can be told without knowing the right one.

It says the same twice in a row, copies words of the source, has other numbers, breaks an address, or loses a currency
or the negation.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from model.text.repetition import repetitions
from viz.pages.translate.study.addresses import Address, addresses_of, broken_part
from viz.pages.translate.study.numbers import number_slips
from viz.pages.translate.study.records import LineToken, SourceToken

Kind = Literal["repeated", "copied", "number", "new number", "address", "currency", "negation"]

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*['\u2019]?")
# Full-width characters are those of ASCII, offset by 0xFEE0; signs of money stand elsewhere.
_HALF_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {0xFFE1: "£", 0xFFE5: "¥", 0xFFE6: "₩"}
# Full-width letters and digits with what is between them, marks between digits, and signs of names and prices. Other
# marks stay: they end an address.
_WIDE_WORD = r"[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]"
_WIDE = re.compile(
    rf"{_WIDE_WORD}(?:[\uff01-\uff5e]*{_WIDE_WORD})?|(?<=\d)[\uff01-\uff5e](?=\d)|[\uff03-\uff05\uff20\uffe1\uffe5\uffe6]"
)
MIN_COPIED = 2
"""Words but names from which on a row counts as copied: a single one may be spelled alike in both languages."""
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
_CURRENCIES = {
    "$": r"\$|dollar|ドル|달러",
    "€": "€|euro|ユーロ|유로",
    "£": "£|pound|pfund|livre|ポンド|파운드",
    "¥": "¥|yen|yuan|円|元|엔|위안",
    "₩": r"₩|\bwon\b|ウォン|원",
    "₹": "₹|rupe|rupi|roupie|ルピー|루피",
    "₽": "₽|rubl|rubel|r[ou]uble|ルーブル|루블",
}
"""Signs, and what a translation may have for each."""


@dataclass(frozen=True)
class Slip:
    """One slip: its kind, the words that show it, and their place in the translation or the source."""

    kind: Kind
    words: str
    start: int = 0
    stop: int = 0
    source_start: int = 0
    source_stop: int = 0


def slips(source: str, translation: str, *, source_language: str, target_language: str) -> list[Slip]:
    """Return the slips of ``translation``: every number and address, the first of each other kind."""
    languages = (source_language, target_language)
    source, translation = (
        _WIDE.sub(lambda match: match[0].translate(_HALF_WIDTH), text) for text in (source, translation)
    )
    checks: Sequence[Callable[[str, str, tuple[str, str]], Sequence[Slip]]] = (
        _repeated,
        _copied,
        _changed_numbers,
        _broken_addresses,
        _lost_currency,
        _lost_negation,
    )
    return [slip for check in checks for slip in check(source, translation, languages)]


def _repeated(source: str, translation: str, _: tuple[str, str]) -> list[Slip]:
    """Return the words that stand twice in a row; a single one only where it stands three times."""
    matches = list(_WORD.finditer(translation))
    words = [match[0].lower() for match in matches]
    for repetition in repetitions(words):
        first, stop = repetition.start, repetition.start + repetition.length
        if not _has_run(source, words[first:stop]):
            end = matches[first + repetition.times * repetition.length - 1].end()
            shown = translation[matches[first].start() : matches[stop - 1].end()]
            return [Slip("repeated", shown, matches[first].start(), end)]
    return []


def _has_run(source: str, block: Sequence[str]) -> bool:
    """Tell whether ``source`` says something twice itself, in so many words."""
    words, length = [word.lower() for word in _WORD.findall(source)], len(block)
    return any(
        words[start : start + length] == words[start + length : start + 2 * length] for start in range(len(words))
    )


def _copied(source: str, translation: str, languages: tuple[str, str]) -> list[Slip]:
    """Return the longest sequence of words of ``source`` copied into the translation, without names."""
    if languages[0] == languages[1]:
        return []
    translation = _without(translation, addresses_of(translation))
    source_words = _WORD.findall(source)
    is_loud = source.isupper()
    neighbours = set(pairwise(source_words))
    matches = list(_WORD.finditer(translation))
    row: list[re.Match[str]] = []
    longest: list[re.Match[str]] = []
    for match in matches:
        is_next = bool(row) and (row[-1][0], match[0]) in neighbours
        row = [*row, match] if is_next else [match]
        longest = max(longest, row, key=len)
    if sum(is_loud or _is_common(word[0]) for word in longest) < MIN_COPIED:
        return []
    start, stop = longest[0].start(), longest[-1].end()
    return [Slip("copied", translation[start:stop], start, stop)]


def _is_common(word: str) -> bool:
    return word.islower() and len(word) > 1 and not any(map(str.isdigit, word))


def _changed_numbers(source: str, translation: str, languages: tuple[str, str]) -> list[Slip]:
    """Return the numbers that only ``source`` has, then those that only the translation has."""
    addresses = addresses_of(source)
    numbers = number_slips(_without(source, addresses), _without(translation, addresses_of(translation)), languages)
    in_addresses = {*re.findall(r"\d+", " ".join(address.text for address in addresses))}
    missing = [
        Slip("number", source[number.start : number.stop], source_start=number.start, source_stop=number.stop)
        for number in numbers.missing
    ]
    new = [
        Slip("new number", words, number.start, number.stop)
        for number in numbers.new
        if (words := translation[number.start : number.stop]) not in in_addresses
    ]
    return missing + new


def _without(text: str, addresses: Sequence[Address]) -> str:
    """Return ``text`` with blanks in place of ``addresses``, whose digits are no numbers."""
    for address in addresses:
        text = text[: address.start] + " " * len(address.text) + text[address.stop :]
    return text


def _broken_addresses(source: str, translation: str, _: tuple[str, str]) -> list[Slip]:
    """Return the addresses of ``source`` that the translation breaks, with the part that is lost."""
    return [
        Slip("address", address.text, source_start=address.start + part[0], source_stop=address.start + part[1])
        for address in addresses_of(source)
        if (part := broken_part(address.text, translation))
    ]


def _lost_currency(source: str, translation: str, _: tuple[str, str]) -> list[Slip]:
    for sign, forms in _CURRENCIES.items():
        if sign in source and not re.search(forms, translation, re.I):
            return [Slip("currency", sign)]
    return []


def _lost_negation(source: str, translation: str, languages: tuple[str, str]) -> list[Slip]:
    clear, any_ = _CLEAR.get(languages[0]), NEGATIONS.get(languages[1])
    negation = clear.search(_TAG.sub("", source)) if clear else None
    return [Slip("negation", negation[0])] if negation and any_ and not any_.search(translation) else []


def mark_slips(tokens: Sequence[LineToken], text: str, slips: Sequence[Slip]) -> list[LineToken]:
    """Return ``tokens``, those of ``text`` in their order, with the ones that the slips are about marked."""
    marks = _marks([token.label for token in tokens], text, [(slip.start, slip.stop) for slip in slips])
    return [replace(token, is_slip=mark) for token, mark in zip(tokens, marks, strict=True)]


def mark_source(tokens: Sequence[SourceToken], text: str, slips: Sequence[Slip]) -> list[SourceToken]:
    """Return ``tokens``, those of the source ``text``, with the ones that the slips are about marked."""
    spans = [(slip.source_start, slip.source_stop) for slip in slips]
    marks = _marks([token.label for token in tokens], text, spans)
    return [replace(token, is_slip=mark) for token, mark in zip(tokens, marks, strict=True)]


def _marks(labels: Sequence[str], text: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Return for each of ``labels``, in their order in ``text``, whether it is in one of ``spans``."""
    marks, end = [], 0
    for label in labels:
        start = text.find(label, end)
        if start >= 0:
            end = start + len(label)
        marks.append(start >= 0 and any(start < stop and end > first for first, stop in spans))
    return marks
