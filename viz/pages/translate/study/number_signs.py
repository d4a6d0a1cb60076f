"""Numbers with more than digits: fractions, exponents, Roman numerals, signs and short factors."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

Values = tuple[Decimal, ...]
Written = tuple[int, int, tuple[Values, ...]]
"""Where a number begins and ends, and the values of each way to read it."""

_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}
# Up to 39, of two letters or more: I, V and X alone are words and names as well.
_ROMAN = re.compile(r"(?<![^\W\d_])(?=[IVX]{2})(X{0,3}(?:IX|IV|V?I{0,3}))(?:e|\xe8me|th)?(?![^\W_])")
_VULGAR = "\u00bc-\u00be\u2150-\u215e"
_FRACTION = re.compile(
    rf"(?:(?<![\d.,/])(?P<whole>\d+)[ \u00a0\u202f\u2009]?)?(?P<sign>[{_VULGAR}])"
    r"|(?<![\d.,/:])(?:(?P<many>\d+) )?(?P<over>\d{1,2})[/\u2044](?P<under>\d{1,3})(?![\d/]|[.,]\d)"
)
_EXPONENT = re.compile("(?<=\\d)[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
_SHORT_FACTORS = {"k": 10**3, "m": 10**6, "b": 10**9, "bn": 10**9, "md": 10**9, "tn": 10**12}
_SHORT_FACTOR = re.compile(rf"[ \u00a0\u202f]?({'|'.join(_SHORT_FACTORS)})(?![^\W_])", re.IGNORECASE)
# French "moins" is also "less", as in "au moins cinq": a minus is what the temperature is.
_MINUS = re.compile(
    r"(?:(?<![^\s(\[=^,;:/\u2026])[-\u2212\u2013]|(?<!\w)minus\s|"
    r"(?:^|[^\w\s]\s?|\b(?:fait|est|\u00e9tait) )moins\s|氷点下|零下|マイナス|영하\s?|마이너스\s?)\Z",
    re.IGNORECASE,
)
_BELOW_ZERO = re.compile(
    r"\W*(?:degrees?|grad|degr\u00e9s?|°\s?[CF]?)?\s?(?:celsius|fahrenheit)?\s?"
    r"(?:below (?:zero|freezing)|unter null|(?:au[- ]dessous|en dessous|sous)(?: de)? z\u00e9ro)",
    re.IGNORECASE,
)


def roman_value(number: str) -> int:
    """Return the value of a Roman numeral of the letters I, V and X."""
    digits = [*map(_ROMAN_DIGITS.__getitem__, number), 0]
    return sum(-digit if digit < following else digit for digit, following in pairwise(digits))


def roman_numbers(text: str) -> Iterator[Written]:
    """Yield the Roman numerals of two letters or more; none of a text all in capitals."""
    for match in () if text.isupper() else _ROMAN.finditer(text):
        yield match.start(), match.end(), ((Decimal(roman_value(match[1])),),)


def fractions(text: str) -> Iterator[Written]:
    """Yield the fractions, as 3\u00bd and 3 1/2: as one value, or as the numbers that it is written with."""
    for match in _FRACTION.finditer(text):
        whole = match["whole"] or match["many"]
        sign = match["sign"]
        part = Fraction(unicodedata.numeric(sign)).limit_denominator(10) if sign else _ratio(match)
        if part is None:
            continue
        over, under = (part.numerator, part.denominator) if sign else (int(match["over"]), int(match["under"]))
        ahead = (Decimal(whole),) if whole else ()
        value = _decimal(part)
        as_one: list[Values] = [(sum(ahead, value),), (*ahead, value)]
        in_parts: list[Values] = [
            (*ahead, Decimal(over), Decimal(under)),
            (*ahead, Decimal(over), _decimal(Fraction(1, under))),
        ]
        yield match.start(), match.end(), (*as_one, *in_parts)


def exponents(text: str) -> Iterator[Written]:
    """Yield the small raised numbers after a digit, as in 10\u207b\u00b3."""
    for match in _EXPONENT.finditer(text):
        value = Decimal(unicodedata.normalize("NFKC", match[0]).replace("\u2212", "-"))
        yield match.start(), match.end(), ((value,),)


def short_factor(text: str, at: int) -> int:
    """Return the factor of a letter after a number, as in 1.5M and 10k; 1 without one."""
    match = _SHORT_FACTOR.match(text, at)
    return _SHORT_FACTORS[match[1].lower()] if match else 1


def minus_before(text: str, start: int) -> int | None:
    """Return where a minus before the number at ``start`` begins; None without one, as in 3-4."""
    match = _MINUS.search(text, 0, start)
    return match.start() if match else None


def is_below_zero(text: str, stop: int) -> bool:
    """Whether words after the number that ends at ``stop`` say that it is below zero."""
    return _BELOW_ZERO.match(text, stop) is not None


def _ratio(match: re.Match[str]) -> Fraction | None:
    return Fraction(int(match["over"]), int(match["under"])) if int(match["under"]) else None


def _decimal(part: Fraction) -> Decimal:
    return Decimal(part.numerator) / Decimal(part.denominator)
