"""Numbers of a text as values, and those that a translation loses, changes or adds."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain

from viz.pages.translate.study.number_signs import (
    Values,
    exponents,
    fractions,
    is_below_zero,
    minus_before,
    roman_numbers,
    short_factor,
)
from viz.pages.translate.study.number_words import (
    cjk_pattern,
    cjk_value,
    dated_months,
    implied_numbers,
    is_before_the_hour,
    scale_after,
    spoken_numbers,
)

_BLANKS = " \u00a0\u202f\u2009"
_MARKS = ".,'\u2019"
_CHAIN = re.compile(rf"\d+(?:[{_BLANKS}{_MARKS}]\d+)*")
_GROUPS = re.compile(rf"\d{{1,3}}(?:[{_BLANKS}]\d{{3}})+(?:[.,]\d+)?")
# What groups the digits of large numbers. What else stands in its place is the mark before decimals.
_GROUPING = {"English": ",", "Japanese": ",", "Korean": ",", "German": ".", "French": "."}
# Lakhs and crores: 12,34,567.
_INDIAN = re.compile(r"\d{1,2}(?:,\d\d)+,\d{3}")
_CLOCK = re.compile(r"(?<![\d:])(?P<hour>[01]?\d|2[0-4])(?:[:.]| ?h ?|時|시 ?)(?P<minutes>[0-5]\d)(?!\d)")
_HOUR = re.compile(r"\s?(?:o['\u2019]clock|[ap]\.?m\b|uhr|heures?|h\b|[:.]\d\d\b|時|시)", re.IGNORECASE)
_DECADE = re.compile(r"['\u2019]?s\b|er\b")
# Of a year or less: the tens of a longer number are no decade.
_YEAR_DIGITS = 4
# Few of something, in Japanese: two or three.
_FEW = re.compile(r"[2二][、・,~][3三]")
_NAME = re.compile(r"[A-Za-z]$")
# Digits that Japanese has in set phrases: all day, not one, both, upstairs, never again.
_SET_PHRASE = re.compile("(?<![がを])(?:1|2(?=人|階|度と))")
MIN_CHANGED = 2
"""The number word from which on another number in its place counts: "one" is often an article."""


@dataclass(frozen=True)
class TextNumber:
    """A number of a text from ``start`` to ``stop``, with each way to read it: 1 000 is one number or two.

    A weak one is said in words, or stands in set phrases: its language uses it where others have no number.
    """

    start: int
    stop: int
    readings: tuple[Values, ...]
    is_weak: bool = False


@dataclass(frozen=True)
class NumberSlips:
    """Numbers of the source that its translation has not, and of the translation that the source has not."""

    missing: tuple[TextNumber, ...]
    new: tuple[TextNumber, ...]


def numbers_of(text: str, language: str, *, is_typed: bool = True) -> list[TextNumber]:
    """Return the numbers of ``text``, in digits and in words, in their order.

    A number that somebody typed may have the marks of another language: 1.000 for a thousand in English.
    """
    with_signs = [*_with_signs(text, language)]
    taken = {place for number in with_signs for place in range(number.start, number.stop)}
    # What has no digits begins and ends no number in digits.
    rest = "".join("|" if place in taken else character for place, character in enumerate(text))
    in_digits = chain.from_iterable(
        _in_chain(match, text, language, is_typed=is_typed) for match in _CHAIN.finditer(rest)
    )
    spoken = (
        TextNumber(start, stop, ((value,),), is_weak=True)
        for start, stop, value in spoken_numbers(text, language)
        if not (text[:start].rstrip(f"{_BLANKS}-")[-1:].isdecimal() and _is_scale(text, start, stop, language))
    )
    months = (TextNumber(start, stop, ((value,),)) for start, stop, value in dated_months(text, language))
    numbers = sorted((*with_signs, *in_digits, *spoken, *months), key=lambda number: (number.start, number.stop))
    ends = frozenset(number.stop for number in numbers)
    return [_as_around(number, text, language, ends) for number in numbers]


def _as_around(number: TextNumber, text: str, language: str, ends: frozenset[int]) -> TextNumber:
    """Return ``number`` with what stands around it: an hour that is not reached, a minus, "below zero".

    The word minus after one of ``ends``, where other numbers end, is that of a difference.
    """
    if is_before_the_hour(text, number.start, number.stop, language):
        hours = ((values[0] - 1 or Decimal(12), *values[1:]) for values in number.readings)
        return replace(number, readings=tuple(hours))
    negative = tuple((-values[0], *values[1:]) for values in number.readings)
    start = minus_before(text, number.start)
    if start is not None and not (text[start].isalpha() and len(text[:start].rstrip()) in ends):
        return replace(number, start=start, readings=negative)
    is_below = is_below_zero(text, number.stop)
    return replace(number, readings=(*number.readings, *negative)) if is_below else number


def number_slips(source: str, translation: str, languages: tuple[str, str]) -> NumberSlips:
    """Return the numbers of ``source`` and ``translation``, in these languages, that differ in value.

    A number in digits has to stand in the other text, in digits or in words. A weak one only has to where the other
    text has a number that is not here.
    """
    read, written = numbers_of(source, languages[0]), numbers_of(translation, languages[1], is_typed=False)
    hours = _hours(read, written, source) | _hours(written, read, translation)
    implied = [
        implied_numbers(text, language) | hours
        for text, language in ((source, languages[0]), (translation, languages[1]))
    ]
    ours, theirs = _settled(read, written, implied[1]), _settled(written, read, implied[0])
    missing = _unmatched(ours, theirs, implied[1], source)
    new = _unmatched(theirs, ours, implied[0], translation)
    missing, new = (
        [number for number in side if not number.is_weak or _is_changed(number, other)]
        for side, other in ((missing, new), (new, missing))
    )
    return NumberSlips(tuple(missing), tuple(new))


def _is_changed(word: TextNumber, other: Sequence[TextNumber]) -> bool:
    return abs(word.readings[0][0]) >= MIN_CHANGED and any(
        not number.is_weak or abs(number.readings[0][0]) >= MIN_CHANGED for number in other
    )


def _with_signs(text: str, language: str) -> Iterator[TextNumber]:
    """Yield numbers of more than digits: 2万5千, 3½, the exponent of 10⁸, XIV."""
    pattern = cjk_pattern(language)
    for match in pattern.finditer(text) if pattern else ():
        if any(map(str.isdecimal, match[0])):
            yield TextNumber(match.start(), match.end(), ((cjk_value(match[0], language),),))
    for start, stop, readings in chain(fractions(text), exponents(text), roman_numbers(text)):
        yield TextNumber(start, stop, readings)


def _in_chain(match: re.Match[str], text: str, language: str, *, is_typed: bool) -> Iterator[TextNumber]:
    """Yield the numbers of digits with blanks and marks, which group digits or part numbers."""
    at = match.start()
    while at < match.end():
        grouped = _GROUPS.match(text, at, match.end())
        alone = re.compile(rf"[\d{_MARKS}]+").match(text, at, match.end())
        assert alone is not None
        end = grouped.end() if grouped and not text[grouped.end() : grouped.end() + 1].isdigit() else alone.end()
        parts = re.split(rf"[{_BLANKS}]", text[at:end])
        readings = [tuple(chain.from_iterable(_readings(part, language, is_typed=is_typed)[0] for part in parts))]
        if len(parts) == 1:
            readings = _readings(parts[0], language, is_typed=is_typed)
        else:
            readings.insert(0, (Decimal(re.sub(rf"[{_BLANKS}]", "", text[at:end]).replace(",", ".")),))
        if end - at <= _YEAR_DIGITS and _DECADE.match(text, end):
            readings = [*readings, *(tuple(value % 100 for value in values) for values in readings)]
        if language == "German" and text[end : end + 1] == "." and "." in text[at:end]:
            readings.append(tuple(map(Decimal, re.findall(r"\d+", text[at:end]))))
        factor, stop = scale_after(text, end, language)
        short = short_factor(text, end)
        if factor == 1 != short:
            scaled = [(*values[:-1], values[-1] * short) for values in readings]
            # With a blank, or as "m", it may be a unit.
            is_factor = text[end] not in f"{_BLANKS}m"
            readings = [*scaled, *readings] if is_factor else [*readings, *scaled]
        yield TextNumber(
            at,
            stop,
            tuple((*values[:-1], values[-1] * factor) for values in readings),
            is_weak=_is_weak(text, at, stop, language),
        )
        at = end + 1


def _is_weak(text: str, start: int, stop: int, language: str) -> bool:
    """Whether these digits belong to a name such as MP3, or to a set phrase of Japanese."""
    if _NAME.search(text[:start]):
        return True
    if language != "Japanese":
        return False
    is_alone = stop == start + 1
    return (is_alone and _SET_PHRASE.match(text, start) is not None) or any(
        few.start() <= start < few.end() for few in _FEW.finditer(text)
    )


def _readings(number: str, language: str, *, is_typed: bool) -> list[Values]:
    """Return how digits with marks between them can be read, the usual way of ``language`` first."""
    *parts, last = re.findall(r"\d+", number)
    marks = [character for character in number if character in _MARKS]
    each = tuple(map(Decimal, (*parts, last)))
    if not marks:
        return [each]
    before = "".join(parts)
    whole, decimals = (Decimal(before + last),), (Decimal(f"{before}.{last}"),)
    is_grouped = 0 < len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])
    readings = [each]
    if set(marks) == {","} and len(marks) > 1 and _INDIAN.fullmatch(number):
        readings = [whole, each]
    elif is_grouped and len(set(marks)) == 1 and len(last) == 3 and parts[0] != "0":
        is_sure = len(marks) > 1 or marks[0] not in ".," or marks[0] == _GROUPING.get(language)
        readings = [whole] if is_sure else [decimals, whole] if is_typed else [decimals]
    elif len(marks) == 1 and marks[0] in ".,":
        is_clock = marks[0] == "." and _CLOCK.fullmatch(number)
        readings = [decimals, each] if is_clock else [decimals]
    elif is_grouped and len(set(marks[:-1])) == 1 and marks[0] != marks[-1]:
        readings = [decimals]
    return readings


def _settled(
    numbers: Sequence[TextNumber], others: Sequence[TextNumber], implied: frozenset[Decimal]
) -> list[TextNumber]:
    """Return ``numbers`` with one reading each: the one that ``others`` have, else the first."""
    there = {value for number in others for reading in number.readings for value in reading} | implied
    return [
        replace(
            number, readings=(min(number.readings, key=lambda reading: sum(value not in there for value in reading)),)
        )
        for number in numbers
    ]


def _unmatched(
    ours: Sequence[TextNumber], theirs: Sequence[TextNumber], implied: frozenset[Decimal], text: str
) -> list[TextNumber]:
    """Return the numbers of ``ours``, which stand in ``text``, with a value that ``theirs`` have not."""
    left = Counter(value for number in theirs if not number.is_weak for value in number.readings[0])
    excused = implied | {value for number in theirs if number.is_weak for value in number.readings[0]}
    any_value = excused | left.keys()
    unmatched = []
    for number in ours:
        for value in number.readings[0]:
            is_matched = value in (any_value if number.is_weak else excused) or left[value] > 0
            left[value] -= not number.is_weak
            if not is_matched and not _is_full_hour(number, value, text):
                unmatched.append(number)
                break
    return unmatched


def _hours(numbers: Sequence[TextNumber], others: Sequence[TextNumber], text: str) -> frozenset[Decimal]:
    """Return the hours of ``text`` that ``others`` count in twelves, both ways: 2 and 14."""
    there = {value for number in others for reading in number.readings for value in reading}
    clocks = (number for number in numbers if _HOUR.match(text, number.stop) or _CLOCK.match(text, number.start))
    hours = {number.readings[-1][0] for number in clocks}
    pairs = ({hour, hour + 12 if hour <= 12 else hour - 12} for hour in hours if hour <= 24)
    return frozenset(chain.from_iterable(pair for pair in pairs if pair & there))


def _is_full_hour(number: TextNumber, value: Decimal, text: str) -> bool:
    """Whether ``value`` is the 00 of 7:00, which no words have."""
    return value == 0 and re.search(r"\d\s?[:.h時]\s?$", text[: number.start]) is not None and text[number.start] == "0"


def _is_scale(text: str, start: int, stop: int, language: str) -> bool:
    """Whether the word from ``start`` to ``stop`` multiplies the number before it."""
    return scale_after(text, start, language)[1] == stop
