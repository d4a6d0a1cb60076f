"""In which language a visitor reads: the one chosen in the bar or by a link, else that of the browser."""

from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.base.languages import ENGLISH, LANGUAGES, find_language_by, language
from viz.base.link_parameters import Choice, in_link, link_of
from viz.base.words import page_text
from viz.components.language_choice import chosen_in, language_choice
from viz.shell.link import write_link
from viz.shell.state import keep_in_session, kept, linked_value

TEXT = page_text("shell/language")
LANGUAGE = Choice("language", "", tuple(LANGUAGES))
"""What a link carries; nothing where the browser decides."""


@dataclass(frozen=True)
class ChosenLanguage:
    """The language that a visitor chose, or that came with the link; an empty name where neither did."""

    name: str = in_link(LANGUAGE)


def visitors_language() -> str:
    """Return the language of this run's visitor, also in a fragment's run; English outside of any run."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return ENGLISH
    chosen = kept(ChosenLanguage)
    return chosen.name if chosen and chosen.name else _browsers_language()


def keep_language() -> None:
    """Have session and link hold the same language, at the beginning of each run.

    A link decides where it is opened or come back to, and later what was chosen.
    """
    context = get_script_run_ctx(suppress_warning=True)
    last = kept(ChosenLanguage)
    if last is None or (context and context.is_history_navigation):
        last = ChosenLanguage(linked_value(LANGUAGE))
        keep_in_session(last)
    if last.name:
        write_link(link_of(last))


def choose_language(key: str) -> None:
    """Draw the choice of a language under ``key``."""

    def take() -> None:
        name = chosen_in(key)
        if name is not None and name in LANGUAGES:
            keep_in_session(ChosenLanguage(name))

    language_choice(LANGUAGES, language(), TEXT["language"], key=key, on_choose=take)


def _browsers_language() -> str:
    name, *_ = (st.context.locale or ENGLISH).split("-")
    return name if name in LANGUAGES else ENGLISH


find_language_by(visitors_language)
