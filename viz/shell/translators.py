"""The choice of a shipped translator, as every page about a sentence offers it."""

from collections.abc import Mapping

import streamlit as st

from viz.base.link_parameters import Choice, choice_of
from viz.base.words import page_text
from viz.shell.shipped import DEFAULT_TRANSLATOR, TranslatorInfo, offered, translator_by_text

TEXT = page_text("shell/translators")
KEY, TEXT_KEY = "translator", "text"
GUESS = "guess"


def label(model: TranslatorInfo) -> str:
    """Return what ``model`` is called where it can be chosen."""
    languages = TEXT["languages"].format(source=model.source_language, target=model.target_language)
    return languages if "everyday" in model.kinds else f"{languages}, {trained_on(model)}"


def trained_on(model: TranslatorInfo) -> str:
    """Return the kinds of sentences that ``model`` was trained on, in words."""
    return f" {TEXT['and']} ".join(TEXT[f"kind {kind}"] for kind in model.kinds)


def link_rules() -> tuple[Choice[str], ...]:
    """Return what a link may carry for the choice."""
    return (choice_of(KEY, _options(offered()).values()),)


def choose_translator() -> str:
    """Draw the choice, if there is one, and return the name of the translator: the chosen one, or one by the text."""
    known = offered()
    if len(known) < 2:
        return next(iter(known), DEFAULT_TRANSLATOR)
    state, options = st.session_state, _options(known)
    # What will be typed into is drawn after this, in the language that is found here.
    text = state.get(TEXT_KEY, st.query_params.get(TEXT_KEY, ""))
    guessed = translator_by_text(text, known)
    # Before it is drawn for the first time, the choice stands in the link alone.
    linked = st.query_params.get(KEY)
    at_first = next((name for name, shown in options.items() if shown == linked), GUESS)
    is_guess = GUESS in options and state.get(KEY, at_first) == GUESS
    chosen = st.selectbox(
        TEXT["translator guessed"].format(label=label(guessed)) if is_guess else TEXT["translator"],
        tuple(options),
        format_func=options.__getitem__,
        key=KEY,
        bind="query-params",
        on_change=_take_example,
        width=290,
    )
    return guessed.name if chosen in (None, GUESS) else chosen


def examples_beside(model: TranslatorInfo) -> tuple[str, ...]:
    """Return the examples of ``model`` and, where the text decides, a short one of every other language."""
    if st.session_state.get(KEY) != GUESS:
        return model.examples
    others = {one.source_language: min(one.examples, key=len) for one in reversed(offered().values())}
    return (*model.examples, *(text for language, text in others.items() if language != model.source_language))


def _options(known: Mapping[str, TranslatorInfo]) -> dict[str, str]:
    """Return what can be chosen, with its label; the text can only decide between languages."""
    labels = {one.name: label(one) for one in known.values()}
    has_choice = len({one.source_language for one in known.values()}) > 1
    return {GUESS: TEXT["by the text"], **labels} if has_choice else labels


def _take_example() -> None:
    """Take an example in the chosen translator's language, where what stands there is one of another language's."""
    known, state = offered(), st.session_state
    chosen = known.get(state[KEY])
    if chosen is None:
        return
    of_others = [one.examples for one in known.values() if one.source_language != chosen.source_language]
    if any(state.get(TEXT_KEY) in examples for examples in of_others):
        state[TEXT_KEY] = chosen.examples[0]
