"""The variants that the page Compare encodings shows: which encodings, with which parameters, in controls and links."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from model.positional import PositionalConfig, PositionalEncoding, registered
from model.positional.base import Parameter
from viz.colours import OKABE_ITO
from viz.pages.controls import Number, Rule, choice_rule, number
from viz.text import page_text

TEXT = page_text("encoding_variants")
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


def first_choices() -> tuple[str, ...]:
    """Return the names that the columns begin with: the favourites that are registered, then the others."""
    known = registered()
    return (*(name for name in _FAVOURITES if name in known), *(name for name in known if name not in _FAVOURITES))


def link_rules(count: int, labels: Mapping[str, str]) -> list[Rule]:
    """Return what a link may carry for the first ``count`` variants, whose encodings stand under ``labels``."""
    rules = [choice_rule(f"v{slot}", labels.values()) for slot in range(1, count + 1)]
    by_label = {label: name for name, label in labels.items()}
    for slot in range(1, count + 1):
        name = by_label.get(st.query_params.get(f"v{slot}", ""), first_choices()[slot - 1])
        rules += [_field(slot, parameter).rule for parameter in registered()[name].description.parameters]
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
    return Variant(slot, PositionalConfig(name, values, inner), description.title, OKABE_ITO[slot - 1])


def _choose_inner(slot: int, default: str, labels: Mapping[str, str]) -> str:
    known = registered()
    inside = [
        name
        for name in known
        if known[name].description.properties.takes_positions and known[name].description.inner is None
    ]
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
    step = 1 if parameter.integer else max((parameter.high - parameter.low) / 100, 1e-4)
    return Number(
        f"v{slot}.{parameter.name}", kind(parameter.default), kind(parameter.low), kind(parameter.high), kind(step)
    )
