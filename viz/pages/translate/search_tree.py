"""The search as a tree, all that it ended with, and going on from another token."""

import hashlib
from dataclasses import dataclass
from html import escape

import streamlit as st

from model.decoding.translator import MAX_SOURCE_TOKENS
from viz.base.numbers import signed
from viz.base.words import page_text
from viz.pages.translate.components.beam_tree import beam_tree_view
from viz.pages.translate.state import keep_beginning
from viz.pages.translate.study.beam_tree import beginning_at, tree_as_csv, tree_of
from viz.shared.shipped import translator
from viz.shared.translation import TranslationResult
from viz.shell.page import theme
from viz.shell.picture import File, offered
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/translate/search_tree")
_WORDS = page_text("pages/translate/beam_tree")
_KEY = "beam-tree"


@dataclass(frozen=True)
class _NewBeginning:
    """Whether a beginning was just chosen in the tree, and the page is still to follow it."""

    is_waiting: bool


@st.fragment
def show_search(result: TranslationResult) -> None:
    """Draw the tree of the search and what it ended with; a click has the sentence written on from there."""
    chosen_now = kept(_NewBeginning)
    if chosen_now and chosen_now.is_waiting:
        keep_in_session(_NewBeginning(is_waiting=False))
        st.rerun()
    key = hashlib.sha256(repr((result.text, result.choice, result.begin)).encode(errors="replace")).hexdigest()[:16]
    tree = tree_of(result.translation, translator(result.choice.model).tokenizer, start=TEXT["start"], key=key)

    def choose() -> None:
        # What a browser sends is checked; what is no node of this tree changes nothing.
        chosen = st.session_state[_KEY]["chosen"]
        if not isinstance(chosen, dict) or chosen.get("tree") != key or not isinstance(chosen.get("node"), int):
            return
        try:
            begin = beginning_at(result.translation, chosen["node"])
        except ValueError:
            return
        if len(begin) <= MAX_SOURCE_TOKENS:
            keep_beginning(result.text, result.choice.model, begin)
            keep_in_session(_NewBeginning(is_waiting=True))

    files = offered([File(TEXT["download"], lambda: tree_as_csv(tree), "search.csv")], _KEY)
    beam_tree_view(tree, theme=theme(), words=_WORDS, key=_KEY, on_choose=choose, files=files)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.html(_hypotheses(result, sum(node.fate == "finished" for node in tree.nodes)))
        st.markdown(TEXT["what to try"])
    with words:
        penalty = translator(result.choice.model).options.length_penalty
        st.markdown(TEXT[f"help {result.choice.search}"].format(length_penalty=penalty))
        st.markdown(TEXT["paper"])


def _hypotheses(result: TranslationResult, n_finished: int) -> str:
    """Return a table of the best of the hypotheses that the tree finished."""
    are_all = n_finished <= len(result.hypotheses)
    heading = TEXT["hypothesis"] if are_all else TEXT["best hypotheses"].format(n=n_finished)
    rows = "".join(f"<tr><td>{signed(score, 3)}</td><td>{escape(text)}</td></tr>" for score, text in result.hypotheses)
    head = f"<tr><th>{escape(TEXT['score'])}</th><th>{escape(heading)}</th></tr>"
    return f'<table class="hypotheses"><thead>{head}</thead><tbody>{rows}</tbody></table>'
