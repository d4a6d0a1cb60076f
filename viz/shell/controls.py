"""Controls whose values a link carries, what is wrong with a link that carries others; numbers as text."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_LONGEST_SHOWN = 24
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:])")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
Option = TypeVar("Option")


@dataclass(frozen=True)
class Rule:
    """What a link may carry under ``key``: a test of its text, and the same in words."""

    key: str
    accepts: Callable[[str], bool]
    allowed: str


@dataclass(frozen=True)
class Refused:
    """What a link carried under ``key`` against its rule; ``given`` is short, and safe as code in Markdown."""

    key: str
    given: str
    allowed: str


@dataclass(frozen=True)
class Number:
    """A number that can be typed: its name in a link, its default and its range; whole where its default is."""

    key: str
    default: int | float
    low: int | float
    high: int | float
    step: int | float = 1

    @property
    def allowed(self) -> str:
        """Its range, as text."""
        return f"{self.low:,.10g} – {self.high:,.10g}"

    @property
    def rule(self) -> Rule:
        """What a link may carry for it."""
        return Rule(self.key, self._accepts, self.allowed)

    def _accepts(self, text: str) -> bool:
        try:
            value = type(self.default)(text)
        except ValueError:
            return False
        return math.isfinite(value) and self.low <= value <= self.high


def refused(rules: Iterable[Rule]) -> list[Refused]:
    """Return what the link carries against ``rules``; ask before the controls are drawn, which drop such values."""
    given = st.query_params
    return [
        Refused(rule.key, safe_as_code(given[rule.key]), rule.allowed)
        for rule in rules
        if rule.key in given and not rule.accepts(given[rule.key])
    ]


def choice_rule(key: str, labels: Iterable[str]) -> Rule:
    """Return the rule of a choice between options with these ``labels``."""
    known = tuple(labels)
    return Rule(key, known.__contains__, ", ".join(known))


def place_for_warnings() -> DeltaGenerator:
    """Return a place for warnings, there also when empty.

    A warning that came and went would move the controls under it, and Streamlit stops writing a moved control's value
    into the link.
    """
    return st.container()


def number(field: Number, label: str) -> Any:
    """Draw the number ``field``, kept in the URL, and return its value."""
    return st.number_input(
        label,
        field.low,
        field.high,
        field.default,
        field.step,
        key=field.key,
        bind="query-params",
        width=130,
        format="%d" if isinstance(field.default, int) else "%g",
    )


def choice(key: str, label: str, options: Mapping[Option, str]) -> Option:
    """Draw a choice between ``options``, by their labels, kept in the URL; the first unless another is chosen."""
    first = next(iter(options))
    chosen = st.segmented_control(
        label,
        tuple(options),
        default=first,
        required=True,
        format_func=lambda option: options[option],
        key=key,
        bind="query-params",
        wrap=True,
    )
    return first if chosen is None else chosen


def download(label: str, content: Callable[[], str | bytes], file_name: str) -> None:
    """Draw a button that saves ``content``, which is made when it is asked for, as ``file_name``."""
    st.download_button(
        label,
        content,
        file_name=file_name,
        mime="text/csv" if file_name.endswith(".csv") else "application/octet-stream",
        on_click="ignore",
        type="tertiary",
        key=f"download {file_name}",
    )


def scientific(value: float) -> str:
    """Return ``value`` to two places; one below 0.01 as a digit with a power of ten."""
    if value == 0 or abs(value) >= 0.01:
        return f"{value:.2f}".rstrip("0").rstrip(".")
    digit, exponent = f"{value:.0e}".split("e")
    return times_power_of_ten(digit, int(exponent))


def times_power_of_ten(digits: str, exponent: int) -> str:
    """Return ``digits`` times 10 to the power of ``exponent``, as people write it."""
    return f"{digits}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{str(exponent).translate(_SUPERSCRIPTS)}"


def signed(value: float, places: int = 2) -> str:
    """Return ``value`` to so many places, with a true minus sign and none before a zero."""
    return f"{value:z.{places}f}".replace("-", "\N{MINUS SIGN}")


def safe_as_code(text: str) -> str:
    """Return ``text`` on one line, short, and without what would end a piece of code in Markdown."""
    shown = " ".join(text.replace("`", "'").split())
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


def plain(text: str) -> str:
    """Return ``text`` so that Streamlit's Markdown shows its characters as they are."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
