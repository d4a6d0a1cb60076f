"""Numbers in words, of five languages: what each says, and where it stands."""

import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path

from viz.pages.translate.study.number_signs import roman_value

Spoken = tuple[int, int, Decimal]
"""Where a number in words begins and ends, and what it says."""

_HALF = Decimal("0.5")
_HUNDRED = 100
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = (" ", "-", "\u00a0")
_GERMAN_ENDING = re.compile(
    r"(?:s?te[nmrs]?|t|e[nmrs]?|er|mal|male?ig\w*|(?:fach|jährig|prozentig|tägig|stündig|wöchig|monatig|köpfig|stellig|"
    r"teilig|seitig|stöckig|tel|jahr|ling)\w*|stens|ten?s)?"
)


def _table(words: str) -> dict[str, int]:
    """Return ``words``, pairs of a word and its number, as a mapping."""
    pairs = words.split()
    return {word: int(number) for word, number in zip(pairs[::2], pairs[1::2], strict=True)}


@dataclass(frozen=True)
class _Words:
    """The number words of a language with blanks: those that add up, multiply, or stand alone."""

    small: Mapping[str, int]
    scales: Mapping[str, int]
    alone: Mapping[str, int]
    months: Sequence[str]
    joining: frozenset[str]
    halves: frozenset[str]
    to_the_hour: re.Pattern[str]


@dataclass(frozen=True)
class _Signs:
    """The number signs and number words of a language that parts them by no blanks."""

    digits: Mapping[str, int]
    units: Mapping[str, int]
    myriads: Mapping[str, int]
    native: Mapping[str, int]
    alone: Mapping[str, int]


_LISTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_WORDS = {
    language: _Words(
        small=_table(lists["small"]),
        scales=_table(lists["scales"]),
        alone=_table(lists["alone"]),
        months=lists["months"].split(),
        joining=frozenset(lists["joining"]),
        halves=frozenset(lists["halves"]),
        to_the_hour=re.compile(lists["to_the_hour"]),
    )
    for language, lists in _LISTS.items()
    if "months" in lists
}
_SIGNS = {
    language: _Signs(**{kind: _table(words) for kind, words in lists.items()})
    for language, lists in _LISTS.items()
    if "units" in lists
}

_ROMAN = re.compile(r"\b(?!I\b)([IVX]+)(?:e|\xe8me|th)?\b")


def spoken_numbers(text: str, language: str) -> list[Spoken]:
    """Return the numbers that ``text`` says in words of ``language``; none without a list of them."""
    if language in _WORDS:
        return [*_spaced(text, language)]
    return [*_unspaced(text, language)] if language in _SIGNS else []


def implied_numbers(text: str, language: str) -> frozenset[Decimal]:
    """Return the numbers that ``text`` says otherwise: by a month, an article, "both", "noon"."""
    if language in _SIGNS:
        return frozenset(Decimal(number) for word, number in _SIGNS[language].alone.items() if word in text)
    if language not in _WORDS:
        return frozenset()
    known, words = _WORDS[language], set(_WORD.findall(text.lower()))
    implied = {Decimal(number) for word, number in known.alone.items() if word in words}
    implied |= {Decimal(number) for number, month in enumerate(known.months, start=1) if month in words}
    implied |= {Decimal(roman_value(match[1])) for match in _ROMAN.finditer(text)}
    implied |= {_HALF} if words & known.halves else set()
    implied |= {Decimal(45), Decimal("0.25")} if words & {"quarter", "quart", "viertel"} else set()
    return frozenset(implied)


def is_before_the_hour(text: str, start: int, stop: int, language: str) -> bool:
    """Whether the hour from ``start`` to ``stop`` is not reached yet: halb neun, quarter to nine."""
    if language not in _WORDS:
        return False
    pattern = _WORDS[language].to_the_hour
    return any(pattern.search(side.lower()) for side in (text[:start], text[stop:]))


def dated_months(text: str, language: str) -> Iterator[Spoken]:
    """Yield the names of months beside a day or a year, with their numbers."""
    months = _WORDS[language].months if language in _WORDS else ()
    for number, month in enumerate(months, start=1):
        beside = rf"\d(?:st|nd|rd|th|er|\.)? (?:of |de )?(?P<after>{month})\b|\b(?P<before>{month}),? \d"
        for match in re.finditer(beside, text, re.IGNORECASE):
            name = "after" if match["after"] else "before"
            yield match.start(name), match.end(name), Decimal(number)


def scale_after(text: str, at: int, language: str) -> tuple[int, int]:
    """Return the factor that a word after ``at`` is to the number before it, and where it ends."""
    words = _WORDS.get(language)
    word = re.compile(r"[ \u00a0\u202f-]?([^\W\d_]+)").match(text, at)
    factor = words.scales.get(word[1].lower()) if words and word else None
    return (factor, word.end()) if factor and factor > _HUNDRED and word else (1, at)


@cache
def cjk_pattern(language: str) -> re.Pattern[str] | None:
    """Return what matches a number with signs for its units, as 二万五千 and 2万5千; None of other languages."""
    if language not in _SIGNS:
        return None
    known = _SIGNS[language]
    signs = "".join([*known.digits, *known.units, *known.myriads])
    digits = r"\d+(?:,\d{3})*(?:\.\d+)?"
    return re.compile(rf"{_not_within(language)}(?:{digits}(?=[{signs}]))?[{signs}](?:[{signs}\d]*[{signs}])?\d*")


def _not_within(language: str) -> str:
    """Return what begins a pattern of number words that are no part of a longer word."""
    return r"(?<![가-힣])" if language == "Korean" else ""


def cjk_value(number: str, language: str) -> Decimal:
    """Return what a match of :func:`cjk_pattern` says."""
    known = _SIGNS[language]
    total = section = Decimal(0)
    current: Decimal | None = None
    for part in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?|\D", number):
        if part[0].isdecimal():
            current = Decimal(part.replace(",", ""))
        elif part in known.digits:
            current = 10 * (current or Decimal(0)) + known.digits[part]
        elif part in known.units:
            section, current = section + (1 if current is None else current) * known.units[part], None
        elif part in known.myriads:
            in_front = section + (current or 0)
            total, section, current = total + (in_front or 1) * known.myriads[part], Decimal(0), None
    return total + section + (current or 0)


def _unspaced(text: str, language: str) -> Iterator[Spoken]:
    pattern = cjk_pattern(language)
    assert pattern is not None
    for match in pattern.finditer(text):
        if not any(map(str.isdecimal, match[0])):
            yield match.start(), match.end(), cjk_value(match[0], language)
    for word, number in _SIGNS[language].native.items():
        for match in re.finditer(_not_within(language) + word, text):
            yield match.start(), match.end(), Decimal(number)


def _spaced(text: str, language: str) -> Iterator[Spoken]:
    """Yield each longest row of number words as one number."""
    row: list[re.Match[str]] = []
    for match in _WORD.finditer(text.lower()):
        if row and text[row[-1].end() : match.start()] not in _BETWEEN:
            yield from _numbers_in(row, language)
            row = []
        row.append(match)
    yield from _numbers_in(row, language)


def _numbers_in(row: Sequence[re.Match[str]], language: str) -> Iterator[Spoken]:
    """Yield the numbers of a row of words that only blanks and hyphens part."""
    names = [match[0] for match in row]
    at = 0
    while at < len(row):
        stop, number = (at, 0.0) if names[at] in _WORDS[language].alone else _number_at(names, at, language)
        if stop > at:
            yield row[at].start(), row[stop - 1].end(), Decimal(number)
        at = max(stop, at + 1)


def _number_at(names: Sequence[str], at: int, language: str) -> tuple[int, float]:
    """Return where the number that begins at ``at`` ends, and what it says."""
    words = _WORDS[language]
    value_of, add = (_german_value, _only) if language == "German" else (words.small.get, _added)
    total, current, last_scale = 0.0, 0.0, math.inf
    stop = at
    for place in range(at, len(names)):
        name = names[place]
        if place > at and name in words.joining:
            following = words.scales.get("".join(names[place + 2 : place + 3]), math.inf)
            if following <= last_scale < math.inf:
                break
            continue
        small, scale = value_of(name), words.scales.get(name)
        if scale == _HUNDRED:
            current += _HUNDRED * max(1, current % _HUNDRED) - current % _HUNDRED
        elif scale:
            total, current = total + max(1, current) * scale, 0.0
        elif small is not None and (added := add(current, small)) is not None:
            current = added
        elif name in words.halves and stop > at:
            return place + 1, total + current + 0.5
        else:
            break
        stop, last_scale = place + 1, scale or last_scale
    return stop, total + current


def _added(current: float, small: float) -> float | None:
    """Return ``current`` with ``small`` after it, as twenty and one make 21; None for two numbers."""
    rest = current % _HUNDRED
    if rest == 4 and small == 20:  # quatre-vingts
        return current + 76
    if rest == 0:
        return current + small
    is_unit = rest >= 20 and rest % 10 == 0 and 0 < small < 10
    is_french = (rest in (60, 80) and 10 <= small < 20) or (rest in (10, 70, 90) and 7 <= small < 10)
    return current + small if is_unit or is_french else None


def _only(current: float, small: float) -> float | None:
    """Return ``small`` after a million or nothing, as in German; None for two numbers."""
    return small if current == 0 else None


@lru_cache(maxsize=4096)
def _german_value(word: str) -> float | None:
    """Return what a word such as zweihundertfünf, zwanzigster or dreimal says; None of others."""
    word = word.replace("dreissig", "dreißig")
    stems = (word[:n] for n in range(len(word), 2, -1) if _GERMAN_ENDING.fullmatch(word, n))
    values = map(_german_stem, stems)
    return next((value for value in values if value is not None), None)


def _german_stem(stem: str) -> float | None:
    small = _WORDS["German"].small
    if stem in small:
        return small[stem]
    unit, separator, ten = stem.partition("und")
    if separator and 0 < small.get(unit, 0) < 10 <= small.get(ten, 0):
        return small[unit] + small[ten]
    if stem.endswith("einhalb"):
        whole = _german_stem(stem.removesuffix("einhalb"))
        return None if whole is None else whole + 0.5
    for unit, factor in (("tausend", 1000), ("hundert", 100)):
        before, separator, after = stem.partition(unit)
        if separator:
            many = _german_stem(before) if before else 1
            rest = _german_stem(after.removeprefix("und")) if after else 0
            return None if many is None or rest is None else many * factor + rest
    return None
