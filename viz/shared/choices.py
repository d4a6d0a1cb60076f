"""Choices that hold for one sentence and what a model makes of it alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.base.link_parameters import LinkParameter, Number, Text, Verbatim
from viz.base.markdown import plain, safe_as_code
from viz.base.words import listed, page_text
from viz.shared.sentence import MAX_CHARACTERS
from viz.shell.controls import warn_bad_links
from viz.shell.link import link_decides
from viz.shell.state import keep_in_session, kept, linked_value, set_link

TEXT = page_text("shared/choices")
Value = TypeVar("Value")


@dataclass(frozen=True)
class _About:
    """The subject of a choice."""

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
    token_of: Callable[[str], int] | None = None,
) -> int:
    """Draw a list of ``tokens``, labels by id, and return the id of the chosen one.

    Of two that have the same label only the first can be chosen. With ``token_of`` any other word can be typed: it
    returns the token that stands for a word, and raises ValueError where none does.
    """
    first = {label: token for token, label in reversed([*tokens.items()])}
    offered = [label for token, label in tokens.items() if first[label] == token]
    parameter = _Word(key, tokens[default], {label: first[label] for label in offered}, token_of)

    def draw(key: str) -> str | None:
        own = st.session_state[key]
        options = offered if own in offered else [*offered, own]
        chosen: str | None
        if token_of is None:
            chosen = st.selectbox(label, options, key=key, width=160)
        else:
            chosen = st.selectbox(label, options, key=key, width=200, accept_new_options=True, help=TEXT["first token"])
        if chosen is None or parameter.is_allowed(chosen):
            return chosen
        warnings.warning(TEXT["no token"].format(given=safe_as_code(chosen)))
        return None

    return parameter.token(choose_about(about, parameter, parameter.is_allowed, draw, warnings=warnings))


@dataclass(frozen=True)
class _Word(Verbatim):
    """One of the words ``offered``, tokens by label, or any that ``token_of`` has a token for."""

    offered: Mapping[str, int]
    token_of: Callable[[str], int] | None

    def token(self, text: str) -> int:
        """Return the token of ``text``; raises ValueError where there is none."""
        if text in self.offered:
            return self.offered[text]
        if self.token_of is None:
            raise ValueError(text)
        return self.token_of(text)

    def is_allowed(self, text: str) -> bool:
        """Whether there is a token of ``text``."""
        try:
            self.token(text)
        except ValueError:
            return False
        return True

    @property
    def allowed(self) -> str:
        """The words that are offered, as text."""
        labels = listed(f"`{safe_as_code(label)}`" for label in self.offered)
        return labels if self.token_of is None else TEXT["or any word"].format(words=labels)


def write_beside(key: str, label: str, default: str, *, about: tuple[object, ...], warnings: DeltaGenerator) -> str:
    """Draw a box for a second sentence, and return what stands in it."""

    def draw(key: str) -> str | None:
        return st.text_input(label, max_chars=MAX_CHARACTERS, key=key, live="500ms")

    return choose_about(about, Text(key, default, MAX_CHARACTERS), lambda _: True, draw, warnings=warnings)
