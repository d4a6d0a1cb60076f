"""What the Translate page shows: cached models and translations, and the view that its widgets and the URL hold."""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from model.decoding.translator import SourceTextError
from viz.base.link_parameters import BadLink, link_of, read_link
from viz.pages.translate.study.measures import MEASURES, Kinds
from viz.shell.link import write_link
from viz.shell.shipped import translator, translator_info
from viz.shell.state import keep_in_session, kept
from viz.shell.translation import Beginning, DecodingChoice, Translated, translated, why_untranslated
from viz.shell.unread import why_unread

# So few that a link stays under the 16 kB of a request's head even where every character takes twelve bytes of it.
MAX_CHARACTERS = 1_000


@dataclass(frozen=True)
class ChosenBeginning:
    """The tokens that the translation of ``text`` by ``model`` is to begin with."""

    text: str
    model: str
    tokens: tuple[int, ...]


@dataclass(frozen=True)
class LastGood:
    """The last text that was translated, and by which model."""

    model: str
    text: str


@dataclass(frozen=True)
class PageResult:
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


def shown(text: str, choice: DecodingChoice, begin: tuple[int, ...]) -> PageResult:
    """Return the translation of ``text``; what is wrong with one that has none comes with this session's last good."""
    unread = why_unread(text)
    if unread:
        return _last_good(unread, choice)
    try:
        result = translated(text, choice, begin)
    except SourceTextError as error:
        trouble = why_untranslated(error)
        if begin:
            without = shown(text, choice, ())
            return without if without.trouble else PageResult(without.result, trouble, "without beginning")
        return _last_good(trouble, choice)
    keep_in_session(LastGood(choice.model, text))
    return PageResult(result)


def _last_good(trouble: str, choice: DecodingChoice) -> PageResult:
    last = kept(LastGood)
    if last is None or last.model != choice.model:
        return PageResult(translated(translator_info(choice.model).examples[0], choice), trouble, "example")
    return PageResult(translated(last.text, choice), trouble, "last")


def beginning(text: str, model: str) -> tuple[int, ...] | None:
    """Return the tokens that ``model`` is to begin with for ``text``; None where the link's cannot be read.

    They are those that a visitor chose for this very text and model, else, at first, those of the link.
    """
    bad: list[BadLink] = []
    chosen = kept(ChosenBeginning)
    if chosen is None:
        linked, bad = read_link(Beginning, st.query_params.to_dict())
        chosen = ChosenBeginning(text, model, linked.tokens)
    elif (chosen.text, chosen.model) != (text, model):
        chosen = ChosenBeginning(text, model, ())
    keep_in_session(chosen)
    if bad:
        return None
    write_link(link_of(Beginning(chosen.tokens)))
    return chosen.tokens


def keep_beginning(text: str, model: str, tokens: tuple[int, ...]) -> None:
    """Have the translation of ``text`` by ``model`` begin with ``tokens`` from now on."""
    keep_in_session(ChosenBeginning(text, model, tokens))


def forget_beginning() -> None:
    """Have translations begin as they will."""
    keep_beginning("", "", ())
