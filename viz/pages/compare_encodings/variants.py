"""The variants that the page Compare encodings shows: which encodings, with which parameters, in controls and links."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from model.positional import PositionalConfig, PositionalEncoding, registered
from model.positional.base import Description, Parameter
from viz.base.colours import OKABE_ITO
from viz.base.link_parameters import LinkParameter, Number, choice_of
from viz.base.words import page_text
from viz.pages.compare_encodings.study.comparison import Effect
from viz.shell.controls import number

TEXT = page_text("pages/compare_encodings/variants")
FEWEST, MOST = 2, 6
# What a visitor sees first, as far as it is there.
_FAVOURITES = ("sinusoidal", "rotary", "alibi", "t5", "shaw", "transformer_xl")


@dataclass(frozen=True)
class Variant:
    """One column: its number, the encoding with its parameters, what it is called, and its colour on every picture."""

    number: int
    config: PositionalConfig
    title: str
    colour: str

    @property
    def encoding(self) -> type[PositionalEncoding]:
        """The registered class."""
        return registered()[self.config.name]


@dataclass(frozen=True)
class Column:
    """A variant with its effect; ``problem`` says why the effect is an older one, or missing."""

    variant: Variant
    effect: Effect | None
    problem: str | None = None


def first_choices() -> tuple[str, ...]:
    """Return the names that the columns begin with: the favourites that are registered, then the others."""
    known = registered()
    return (*(name for name in _FAVOURITES if name in known), *(name for name in known if name not in _FAVOURITES))


def link_rules(count: int, labels: Mapping[str, str]) -> list[LinkParameter[Any]]:
    """Return what a link may carry for the first ``count`` variants, whose encodings stand under ``labels``."""
    rules: list[LinkParameter[Any]] = [choice_of(f"v{slot}", labels.values()) for slot in range(1, count + 1)]
    by_label = {label: name for name, label in labels.items()}
    for slot in range(1, count + 1):
        name = by_label.get(st.query_params.get(f"v{slot}", ""), first_choices()[slot - 1])
        description = registered()[name].description
        rules += [_field(slot, parameter) for parameter in description.parameters]
        if description.inner is not None:
            rules.append(choice_of(f"v{slot}.inner", (labels[inside] for inside in _can_be_wrapped())))
    return rules


def choose_variant(slot: int, labels: Mapping[str, str]) -> Variant:
    """Draw the controls of column ``slot`` and return what they say."""
    names = tuple(labels)
    name = st.selectbox(
        TEXT["variant"].format(number=slot),
        names,
        names.index(first_choices()[slot - 1]),
        format_func=lambda option: labels[option],
        key=f"v{slot}",
        bind="query-params",
    )
    description = registered()[name].description
    values: dict[str, float] = {}
    inner = None
    with st.popover(TEXT["parameters"], disabled=not description.parameters and description.inner is None):
        if description.inner is not None:
            inner = PositionalConfig(_choose_inner(slot, description.inner, labels))
        for parameter in description.parameters:
            values[parameter.name] = number(_field(slot, parameter), f"{parameter.name}: {parameter.description}")
    # A column keeps its colour, so that two variants of one encoding differ.
    title = _title(description, values, None if inner is None else labels[inner.name])
    return Variant(slot, PositionalConfig(name, values, inner), title, OKABE_ITO[slot - 1])


def _title(description: Description, values: Mapping[str, float], inner: str | None) -> str:
    """Return the encoding's title with all that is not as it comes, so that two variants of one can be told apart."""
    changed = [
        f"{parameter.name} {values[parameter.name]:,g}"
        for parameter in description.parameters
        if values[parameter.name] != parameter.default
    ]
    return ", ".join([description.title, *([] if inner is None else [inner]), *changed])


def _can_be_wrapped() -> list[str]:
    return [
        name
        for name, known in registered().items()
        if known.description.properties.takes_positions and known.description.inner is None
    ]


def _choose_inner(slot: int, default: str, labels: Mapping[str, str]) -> str:
    inside = _can_be_wrapped()
    chosen: str = st.selectbox(
        TEXT["inner"],
        inside,
        inside.index(default),
        format_func=lambda option: labels[option],
        key=f"v{slot}.inner",
        bind="query-params",
    )
    return chosen


def _field(slot: int, parameter: Parameter) -> Number:
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
