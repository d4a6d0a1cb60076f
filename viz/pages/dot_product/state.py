"""What the page Dot product by hand holds: its examples, what is typed, what a link says, and the last good result."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import streamlit as st

from viz.pages.dot_product.study.by_hand import Inputs, MatrixError, Options, Steps, compute, parse_matrix

NAMES = tuple(entry.name for entry in fields(Inputs))

_IDENTITY = "1 0; 0 1"
_THREE_TOKENS = "1 0 1 0; 0 1 0 1; 1 1 0 0"
_FOUR = "1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1"


@dataclass(frozen=True)
class Example:
    """Matrices as text, in the order of :data:`NAMES`, and the options that go with them."""

    texts: tuple[str, str, str, str, str]
    options: Options = field(default_factory=Options)

    @property
    def matrices(self) -> dict[str, str]:
        """The matrices by name."""
        return dict(zip(NAMES, self.texts, strict=True))


_MIXING = "1 0; 0 1; 1 0; 0 1"
_CROSSING = "1 0; 0 1; 0 1; 1 0"

EXAMPLES: dict[str, Example] = {
    "worked": Example(("1 0 1 0; 0 1 0 1", _MIXING, _CROSSING, _MIXING, _IDENTITY)),
    "identity": Example((_IDENTITY,) * 5),
    "causal": Example((_THREE_TOKENS, _MIXING, _MIXING, _MIXING, _IDENTITY), Options(mask="causal")),
    "overflow": Example(("40 0; 0 1", *(_IDENTITY,) * 4), Options(subtract_maximum=False)),
    "heads": Example(
        (
            _THREE_TOKENS,
            "2 0 0 1; 0 2 1 0; 0 0 2 0; 1 0 0 2",
            "2 1 0 0; 0 2 0 0; 0 0 1 2; 0 0 2 1",
            _FOUR,
            "1 0; 0 1; 1 0; 0 -1",
        ),
        Options(n_heads=2),
    ),
}
FIRST = EXAMPLES["worked"]


@dataclass(frozen=True)
class Result:
    """What to show: the inputs and options that could be computed, their steps, and what was wrong with newer ones."""

    inputs: Inputs
    options: Options
    steps: Steps
    problem: str | None = None


def matrices_from_link(link: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
    """Return the matrices that ``link`` names, the first example's for others, and what is wrong with it, if anything.

    Of a link with anything wrong nothing is taken.
    """
    given = {name: link[name] for name in NAMES if name in link}
    try:
        for name, text in given.items():
            parse_matrix(name, text)
    except MatrixError as error:
        return FIRST.matrices, str(error)
    return FIRST.matrices | given, None


def inputs_of(texts: Mapping[str, str]) -> Inputs:
    """Return the matrices written in ``texts``; raises MatrixError at the first that is none."""
    return Inputs(**{name: parse_matrix(name, texts[name]) for name in NAMES})


def result_of(texts: Mapping[str, str], options: Options) -> Result:
    """Return the result of what was typed or, where that cannot be computed, the session's last one and the reason."""
    state = st.session_state
    try:
        inputs = inputs_of(texts)
        result = Result(inputs, options, compute(inputs, options))
    except MatrixError as error:
        last = state.get("last steps") or _first_result()
        return Result(last.inputs, last.options, last.steps, str(error))
    state["last steps"] = result
    return result


def _first_result() -> Result:
    inputs = inputs_of(FIRST.matrices)
    return Result(inputs, FIRST.options, compute(inputs, FIRST.options))
