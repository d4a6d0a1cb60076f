"""Translations below each other with their differences marked, and the end of the topic's pages."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from model.decoding.translator import Translation
from viz.base.colours import style_variables
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.pages.interventions.study.ablated import AblatedTranslation, MarkedWord, marked_words, total
from viz.shared.sentence import say_limits
from viz.shared.shipped import TranslatorInfo
from viz.shell.page import theme


def show_lines(name: str, lines: Sequence[tuple[str, tuple[MarkedWord, ...], str]]) -> None:
    """Draw ``lines`` of label, words and note; ``name`` is their accessible name."""
    rows = "".join(
        f"<p><b>{escape(title)}</b> <span class='words'>{marked(words)}</span> <small>{escape(note)}</small></p>"
        for title, words, note in lines
    )
    region = f'class="two-lines" role="group" aria-label="{escape(name)}" style="{style_variables(theme())}"'
    st.html(f"<div {region}>{rows}</div>")


def show_change(
    whole: Translation, edited: AblatedTranslation, *, name: str, before: str, after: str | None, note: str
) -> None:
    """Draw the whole model's translation above the changed one, with their log-probabilities.

    Args:
        whole: the translation of the whole model.
        edited: that of the changed model.
        name: what the two are, for those who hear them.
        before: what the first line is.
        after: what the second one is; None leaves it out.
        note: the words for a log-probability, with a place for its ``value``.
    """
    other = edited.translation
    lines = [(before, marked_words(whole, other), note.format(value=signed(total(whole))))]
    if after is not None:
        lines.append((after, marked_words(other, whole), note.format(value=signed(edited.log_probability))))
    show_lines(name, lines)


def explain(what_to_try: str, *beside: str, model: TranslatorInfo) -> None:
    """Draw the end of a page: what to try, formula and paper ``beside`` it, and the limits of ``model``."""
    left, right = st.columns(2, gap="large")
    left.markdown(what_to_try)
    for text in beside:
        right.markdown(text)
    say_limits(model)


def refer(formula: str, paper: str, *, model: TranslatorInfo | None) -> None:
    """Draw formula and paper, for pages with what to try beside their picture.

    The limits of ``model`` follow where a text can be given to it.
    """
    left, right = st.columns([2, 1], gap="large")
    left.markdown(formula)
    right.markdown(paper)
    if model is not None:
        say_limits(model)


def marked(words: tuple[MarkedWord, ...]) -> str:
    """Return ``words`` as HTML."""
    return "".join(
        (" " if word.after_space else "")
        + (f"<mark>{escape(word.text)}</mark>" if word.is_changed else escape(word.text))
        for word in words
    )


def change_sentence(edited: AblatedTranslation, total: float, *, changed: str, unchanged: str) -> str:
    """Return the sentence about the first step that ``edited`` changes, or about no change.

    Args:
        edited: the translation of the changed model.
        total: the log-probability of the whole model's translation.
        changed: the sentence about a step.
        unchanged: the sentence about none.
    """
    totals = {"total": signed(total), "of_whole": signed(edited.of_whole)}
    change = edited.first_change
    if change is None:
        return unchanged.format(**totals)
    return changed.format(
        step=change.step,
        whole=plain(change.whole),
        changed=plain(change.ablated),
        whole_before=f"{change.all_on[0]:.1%}",
        changed_before=f"{change.all_on[1]:.1%}",
        whole_after=f"{change.switched_off[0]:.1%}",
        changed_after=f"{change.switched_off[1]:.1%}",
        **totals,
    )
