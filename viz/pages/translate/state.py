"""What the Translate page shows: cached models and translations, and the view that its widgets and the URL hold."""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from model.decoding.translator import SourceTextError
from viz.pages.translate.study.measures import MEASURES, Kinds
from viz.shell.link import write_link
from viz.shell.shipped import translator, translator_info
from viz.shell.translation import (
    LINKED_BEGINNING,
    DecodingChoice,
    Translated,
    linked_beginning,
    read_beginning,
    translated,
)

# So few that a link stays under the 16 kB of a request's head even where every character takes twelve bytes of it.
MAX_CHARACTERS = 1_000

_BEGINNING = "beginning"
_LAST_GOOD = "last good"


@dataclass(frozen=True)
class Shown:
    """What is on the screen: the result asked for, or else why there is none, and what is shown instead."""

    result: Translated
    trouble: str | None = None
    instead: Literal["last", "example", "without beginning"] | None = None


@st.cache_resource(max_entries=32, show_spinner=False)
def measured(text: str, choice: DecodingChoice, measure: str, begin: tuple[int, ...] = ()) -> Kinds:
    """Return ``measure`` between the tokens of ``text`` and its translation.

    Raises:
        SourceTextError: as :func:`translated`.
        TooManyTokensError: one that is too long for this measure.
    """
    return MEASURES[measure](translator(choice.model), translated(text, choice, begin).translation)


def shown(text: str, choice: DecodingChoice, begin: tuple[int, ...]) -> Shown:
    """Return the translation of ``text``; what is wrong with one that has none comes with this session's last good."""
    try:
        result = translated(text, choice, begin)
    except SourceTextError as error:
        if begin:
            without = shown(text, choice, ())
            return without if without.trouble else Shown(without.result, str(error), "without beginning")
        model, last_good = st.session_state.get(_LAST_GOOD, ("", ""))
        if model != choice.model:
            return Shown(translated(translator_info(choice.model).examples[0], choice), str(error), "example")
        return Shown(translated(last_good, choice), str(error), "last")
    st.session_state[_LAST_GOOD] = (choice.model, text)
    return Shown(result)


def beginning(text: str, model: str) -> tuple[int, ...] | None:
    """Return the tokens that ``model`` is to begin with for ``text``; None where the link's cannot be read.

    They are those that a visitor chose for this very text and model, else, at first, those of the link.
    """
    state = st.session_state
    if _BEGINNING not in state:
        linked = st.query_params.get(LINKED_BEGINNING, "")
        tokens = read_beginning(linked)
        keep_beginning(text, model, tokens or ())
        if tokens is None:
            return None
    *known, tokens = state[_BEGINNING]
    if known != [text, model]:
        tokens = ()
        keep_beginning(text, model, ())
    write_link({LINKED_BEGINNING: linked_beginning(tokens).get(LINKED_BEGINNING)})
    return tokens


def keep_beginning(text: str, model: str, tokens: tuple[int, ...]) -> None:
    """Have the translation of ``text`` by ``model`` begin with ``tokens`` from now on."""
    st.session_state[_BEGINNING] = (text, model, tokens)


def forget_beginning() -> None:
    """Have translations begin as they will."""
    keep_beginning("", "", ())
