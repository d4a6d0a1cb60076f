"""Variants of the page Compare encodings: encodings and their parameters, in controls and links."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from model.positional import PositionalConfig, PositionalEncoding, registered
from model.positional.base import Description, Parameter
from viz.base.colours import LineLook
from viz.base.languages import worded
from viz.base.link_parameters import Choice, LinkParameter, Number, labelled
from viz.base.words import page_text
from viz.pages.compare_encodings.study.comparison import Effect
from viz.shared.encodings import encoding_look, encoding_title
from viz.shared.model_words import model_words
from viz.shell.controls import number, select
from viz.shell.state import linked_value

TEXT = page_text("pages/compare_encodings/variants")
MIN_VARIANTS, MAX_VARIANTS = 2, 6
# The page opens with those of them that are registered; untrained, T5 would hardly show on the scale of the first ones.
_FIRST_NAMES = ("sinusoidal", "rotary", "alibi", "kerple", "t5", "shaw")


@dataclass(frozen=True)
class Variant:
    """One column: its number, and the encoding with its parameters."""

    number: int
    config: PositionalConfig

    @property
    def title(self) -> str:
        """The encoding's name with its parameters, in the language that is read."""
        return encoding_title(self.config, with_room=True)

    @property
    def look(self) -> LineLook:
        """The encoding's colour, as on every page; two variants of one encoding may share it."""
        return encoding_look(self.config)

    @property
    def encoding(self) -> type[PositionalEncoding]:
        """The registered class."""
        return registered()[self.config.name]


@dataclass(frozen=True)
class Column:
    """A variant with its effect.

    ``problem`` says what was refused; then both are older ones, or the effect is missing.
    """

    variant: Variant
    effect: Effect | None
    problem: str | None = None


def first_choices() -> tuple[str, ...]:
    """Return the names of all encodings, those that the columns begin with first."""
    known = registered()
    return (*(name for name in _FIRST_NAMES if name in known), *(name for name in known if name not in _FIRST_NAMES))


def link_parameters(count: int, labels: Mapping[str, str]) -> list[LinkParameter[Any]]:
    """Return what a link may carry for the first ``count`` variants, whose encodings have ``labels``."""
    slots = range(1, count + 1)
    parameters: list[LinkParameter[Any]] = [_encoding_choice(slot, labels) for slot in slots]
    for slot in slots:
        description = registered()[linked_value(_encoding_choice(slot, labels))].description
        parameters += [_number(slot, parameter) for parameter in description.parameters]
        if description.inner is not None:
            parameters.append(_inner_choice(slot, description, labels))
    return parameters


def choose_variant(slot: int, labels: Mapping[str, str]) -> Variant:
    """Draw the controls of column ``slot`` and return the variant that is chosen."""
    name = select(_encoding_choice(slot, labels), TEXT["variant"].format(number=slot))
    description = registered()[name].description
    values: dict[str, float] = {}
    inner = None
    with st.popover(TEXT["parameters"], disabled=not description.parameters and description.inner is None):
        if description.inner is not None:
            inner = PositionalConfig(select(_inner_choice(slot, description, labels), TEXT["inner"]))
        for parameter in description.parameters:
            values[parameter.name] = number(
                _number(slot, parameter), f"{parameter.name}: {model_words(parameter.description)}"
            )
    return Variant(slot, PositionalConfig(name, values, inner))


def _encoding_choice(slot: int, labels: Mapping[str, str]) -> Choice[str]:
    return labelled(f"v{slot}", labels, first_choices()[slot - 1])


def _inner_choice(slot: int, wrapper: Description, labels: Mapping[str, str]) -> Choice[str]:
    can_be_wrapped = [name for name, known in registered().items() if wrapper.can_wrap(known.description)]
    return labelled(f"v{slot}.inner", worded(can_be_wrapped, labels.__getitem__), wrapper.inner)


def _number(slot: int, parameter: Parameter) -> Number:
    kind = int if parameter.integer else float
    return Number(
        f"v{slot}.{parameter.name}",
        kind(parameter.default),
        kind(parameter.low),
        kind(parameter.high),
        kind(_step(parameter)),
    )


def _step(parameter: Parameter) -> float:
    if parameter.logarithmic:
        # A hundredth of the range would pass all lower decades in one step.
        step = 10.0 ** (math.ceil(math.log10(parameter.default)) - 1)
        return max(1.0, step) if parameter.integer else step
    return 1.0 if parameter.integer else (parameter.high - parameter.low) / 100
