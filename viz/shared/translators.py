"""The choice of a shipped translator, as every page about a sentence offers it."""

from collections.abc import Mapping
from functools import reduce

import streamlit as st

from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled
from viz.base.words import listed, page_text
from viz.shared.model_words import model_words
from viz.shared.shipped import (
    DEFAULT_TRANSLATOR,
    TranslatorGuess,
    TranslatorInfo,
    guess_translator,
    offered,
    translator_by_text,
)
from viz.shell.controls import select
from viz.shell.state import hold

TEXT = page_text("shared/translators")
KEY, TEXT_KEY = "translator", "text"
GUESS = "guess"


def label(model: TranslatorInfo) -> str:
    """Return what ``model`` is called where it can be chosen."""
    languages = TEXT["languages"].format(
        source=model_words(model.source_language), target=model_words(model.target_language)
    )
    return languages if "everyday" in model.kinds else listed([languages, trained_on(model)])


def trained_on(model: TranslatorInfo) -> str:
    """Return the kinds of sentences that ``model`` was trained on, in words."""
    first, *others = (TEXT[f"kind {kind}"] for kind in model.kinds)
    return reduce(lambda before, kind: TEXT["and"].format(before=before, kind=kind), others, first)


def link_rules() -> tuple[Choice[str], ...]:
    """Return what a link may carry for the choice."""
    return (_choice(offered()),)


def choose_translator() -> str:
    """Draw the choice, if there is one, and return the translator's name: as chosen, or by the text."""
    known = offered()
    if len(known) < 2:
        return next(iter(known), DEFAULT_TRANSLATOR)
    field = _choice(known)
    hold(field)
    # What is typed into is drawn after this, in the language that is found here.
    guessed = translator_by_text(st.session_state.get(TEXT_KEY, ""), known)
    is_guess = st.session_state[KEY] == GUESS
    title = TEXT["translator guessed"].format(label=label(guessed)) if is_guess else TEXT["translator"]
    chosen = select(field, title, width=290, on_change=_take_example)
    return guessed.name if chosen == GUESS else chosen


def offer_readings(text: str) -> None:
    """Offer the other languages where that of ``text`` decides and is not sure."""
    if st.session_state.get(KEY) != GUESS:
        return
    guess = guess_translator(text, offered())
    draw_readings(guess, guess.info.name, KEY)


def draw_readings(guess: TranslatorGuess, chosen: str, key: str) -> None:
    """Offer the other readings of ``guess`` than ``chosen``; a click sets the session's entry ``key``."""
    readings = {info.name: info for info in (guess.info, *guess.others)}
    if guess.doubt is None or chosen not in readings:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="readings"):
        language = model_words(readings.pop(chosen).source_language)
        st.caption(TEXT[f"unsure {guess.doubt}"].format(language=language), width="content")
        for other in readings.values():
            label = TEXT["read as"].format(language=model_words(other.source_language))
            st.button(label, key=f"read-{other.name}", on_click=_read_by, args=(key, other.name))


def _read_by(key: str, name: str) -> None:
    st.session_state[key] = name


def opening_example(model: TranslatorInfo) -> str:
    """Return the text of a page whose link carries none.

    Where the text decides, it is not that of the ``model`` that the text led to: a link leaves out what is as by
    default, and without its text it would lead to another model.
    """
    opens_on = translator_by_text("", offered()) if st.session_state.get(KEY) == GUESS else model
    return opens_on.examples[0]


def examples_beside(model: TranslatorInfo) -> tuple[str, ...]:
    """Return the examples of ``model`` and, where the text decides, a short one of every other language."""
    if st.session_state.get(KEY) != GUESS:
        return model.examples
    others = {one.source_language: min(one.examples, key=len) for one in reversed(offered().values())}
    return (*model.examples, *(text for language, text in others.items() if language != model.source_language))


def _choice(known: Mapping[str, TranslatorInfo]) -> Choice[str]:
    """Return what can be chosen; the text can only decide between languages."""
    has_choice = len({one.source_language for one in known.values()}) > 1
    names = [GUESS, *known] if has_choice else [*known]
    return labelled(KEY, worded(names, lambda name: TEXT["by the text"] if name == GUESS else label(known[name])))


def _take_example() -> None:
    """Replace an example of another language by one in the chosen translator's language."""
    known, state = offered(), st.session_state
    chosen = known.get(state[KEY])
    if chosen is None:
        return
    of_others = [one.examples for one in known.values() if one.source_language != chosen.source_language]
    if any(state.get(TEXT_KEY) in examples for examples in of_others):
        state[TEXT_KEY] = chosen.examples[0]
