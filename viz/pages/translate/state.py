"""State of the Translate page: cached models and translations, and the view of widgets and URL."""

from dataclasses import dataclass

import numpy as np
import streamlit as st
from jaxtyping import Float64

from pretrained import head_catalogue
from viz.base.link_parameters import BadLink, link_of, read_link
from viz.pages.translate.study.alignment import head_rates, with_alignment
from viz.pages.translate.study.measures import MEASURES, Kinds
from viz.shared.shipped import cached_while_unchanged, translator
from viz.shared.translation import Beginning, DecodingChoice, translated
from viz.shell.link import link_decides, write_link
from viz.shell.state import keep_in_session, kept


@dataclass(frozen=True)
class ChosenBeginning:
    """The tokens that the translation of ``text`` by ``model`` is to begin with."""

    text: str
    model: str
    tokens: tuple[int, ...]


@cached_while_unchanged(lambda model, _: [head_catalogue.alignment_path(model)], max_entries=32)
def _head_rates(model: str, measure: str) -> Float64[np.ndarray, "layer head"] | None:
    return head_rates(head_catalogue.alignment_errors(model), measure)


def aligned(kinds: Kinds, choice: DecodingChoice, measure: str) -> Kinds:
    """Return ``kinds`` with how well each head aligns words; as they are where that is not known."""
    try:
        return with_alignment(kinds, _head_rates(choice.model, measure))
    except (OSError, ValueError, KeyError):
        # The page *Word alignment* tells of a damaged file; here an order less is offered.
        return kinds


@st.cache_resource(max_entries=32, show_spinner=False)
def measured(text: str, choice: DecodingChoice, measure: str, begin: tuple[int, ...] = ()) -> Kinds:
    """Return ``measure`` between the tokens of ``text`` and its translation.

    Raises:
        SourceTextError: as :func:`translated`.
        TooManyTokensError: one that is too long for this measure.
    """
    return MEASURES[measure](translator(choice.model), translated(text, choice, begin).translation)


def beginning(text: str, model: str) -> tuple[int, ...] | None:
    """Return the forced first tokens of ``model`` for ``text``; None where the link's are invalid.

    They are those that a visitor chose for this very text and model, else, at first, those of the link.
    """
    bad: list[BadLink] = []
    chosen = kept(ChosenBeginning)
    if link_decides("beginning", *link_of(Beginning())) or chosen is None:
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
