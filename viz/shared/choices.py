"""Choices that hold for one sentence and what a model makes of it alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.base.link_parameters import Choice, LinkParameter, Number, Text
from viz.base.markdown import plain, safe_as_code
from viz.base.words import listed
from viz.shared.sentence import MAX_CHARACTERS
from viz.shell.controls import warn_bad_links
from viz.shell.link import link_decides
from viz.shell.state import keep_in_session, kept, linked_value, set_link

Value = TypeVar("Value")


@dataclass(frozen=True)
class _About:
    """What a choice was made about."""

    what: tuple[object, ...]


def choose_about(
    about: tuple[object, ...],
    parameter: LinkParameter[Value],
    is_there: Callable[[Value], bool],
    draw: Callable[[str], Value | None],
    *,
    warnings: DeltaGenerator,
) -> Value:
    """Return what is chosen, kept in the link; of something else, it is the default.

    Args:
        about: what the choice is about.
        parameter: how a link carries it.
        is_there: whether a value can be chosen.
        draw: draws the choice under the key that it is given, and returns what is chosen.
        warnings: where a link to what is not there is named.
    """
    key = f"{parameter.key}-of-translation"
    last, state = kept(_About, key), st.session_state
    if link_decides(key, parameter.key) or key not in state:
        warn_bad_links(warnings, [parameter])
        state[key] = linked_value(parameter)
    elif last is None or last.what != about or not is_there(state[key]):
        state[key] = parameter.default
    else:
        # What another part of the page drew under this key is shown by this one only when it is set.
        state[key] = state[key]
    keep_in_session(_About(about), key)
    drawn = draw(key)
    chosen = parameter.default if drawn is None else drawn
    set_link(parameter, chosen)
    return chosen


def choose_step(
    key: str, label: str, tokens: Sequence[str], default: int, *, about: tuple[object, ...], warnings: DeltaGenerator
) -> int:
    """Draw ``tokens``, any text, in a line, and return the number of the chosen one, from 1."""
    labels = {number: f"{number} {plain(token)}" for number, token in enumerate(tokens, start=1)}

    def draw(key: str) -> int | None:
        chosen: int | None = st.segmented_control(
            label, [*labels], format_func=labels.__getitem__, key=key, required=True, wrap=False
        )
        return chosen

    step: LinkParameter[int] = Number(key, default, 1, len(tokens))
    return choose_about(about, step, labels.__contains__, draw, warnings=warnings)


def choose_token(
    key: str,
    label: str,
    tokens: Mapping[int, str],
    default: int,
    *,
    about: tuple[object, ...],
    warnings: DeltaGenerator,
) -> int:
    """Draw a list of ``tokens``, labels by id, and return the id of the chosen one.

    Of two that have the same label only the first can be chosen.
    """
    first = {label: token for token, label in reversed([*tokens.items()])}
    offered = {token: label for token, label in tokens.items() if first[label] == token}
    allowed = listed(f"`{safe_as_code(label)}`" for label in offered.values())
    parameter = Choice(key, default, tuple(offered), allowed, offered, offered.__getitem__)

    def draw(key: str) -> int | None:
        chosen: int | None = st.selectbox(label, [*offered], format_func=offered.__getitem__, key=key, width=160)
        return chosen

    return choose_about(about, parameter, offered.__contains__, draw, warnings=warnings)


def write_beside(key: str, label: str, default: str, *, about: tuple[object, ...], warnings: DeltaGenerator) -> str:
    """Draw a box for a second sentence, and return what stands in it."""

    def draw(key: str) -> str | None:
        return st.text_input(label, max_chars=MAX_CHARACTERS, key=key, live="500ms")

    return choose_about(about, Text(key, default, MAX_CHARACTERS), lambda _: True, draw, warnings=warnings)
