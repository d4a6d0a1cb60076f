"""Head of the topic's pages: a sentence, its translator, the translation, a page's control, a token."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.pages.interventions.study.attributed import Attribution
from viz.pages.interventions.study.patched import PatchedPair
from viz.shared.choices import choose_step, choose_token
from viz.shared.sentence import (
    ask_sentence,
    choose_sentence,
    load,
    offer_examples,
    say_limits,
    take_carried_sentence,
    why_cut,
)
from viz.shared.shipped import TranslatorInfo
from viz.shared.translation import DecodingChoice, TranslationResult, shown
from viz.shared.translators import link_rules, offer_readings
from viz.shell.controls import place_for_warnings, warn_bad_links

Value = TypeVar("Value")


def open_translation(
    control: Callable[[str, TranslatorInfo, DeltaGenerator], Value],
) -> tuple[TranslationResult, TranslatorInfo, Value, DeltaGenerator]:
    """Draw what is asked for; without a usable model the page ends here, with a sentence.

    Args:
        control: draws what stands beside the sentence that is translated, which it is given, and returns what is chosen
            in it; it may warn at the place that it is given.

    Returns:
        The translation by beam search, its translator, what ``control`` returned, and the place for warnings.
    """
    take_carried_sentence()
    cut, warnings = why_cut(), place_for_warnings()
    warn_bad_links(warnings, link_rules())
    ask = st.container(horizontal=True, vertical_alignment="bottom", key="ask")
    with ask:
        text, model = ask_sentence()
        load(model.name)
    offer_readings(text)
    offer_examples(model)
    sentences, number = choose_sentence(text, model.name)
    page_result = shown(sentences[number], DecodingChoice(model=model.name), ())
    if page_result.message or cut:
        warnings.warning(page_result.message or cut)
    with ask:
        chosen = control(page_result.result.text, model, warnings)
    return page_result.result, model, chosen, warnings


def show_up_to(most: int, draw: Callable[[TranslationResult, DeltaGenerator], None], text: Mapping[str, str]) -> None:
    """Draw a page whose translation has up to ``most`` tokens on its longer side.

    ``draw`` gets it and the place for warnings, and draws what is between the page's head and its end; ``text`` are the
    page's words.
    """
    result, model, _, warnings = open_translation(lambda *_: None)
    n_tokens = max(len(result.translation.source.pieces), len(result.translation.target.pieces))
    if n_tokens > most:
        warnings.warning(text["too long"].format(given=n_tokens, most=most))
    else:
        draw(result, warnings)
    st.markdown(text["paper"])
    say_limits(model)


def choose_step_and_foil(
    read: Attribution | PatchedPair,
    opening: int,
    labels: tuple[str, str],
    *,
    about: tuple[object, ...],
    warnings: DeltaGenerator,
) -> tuple[int, int]:
    """Draw the choices of a step and of a token against the one written there, and return both.

    ``labels`` are those of the two. Before a choice the step is ``opening``, from 1, and the token its first foil.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        with st.container(key="steps", width="stretch"):
            step = choose_step("step", labels[0], read.written, opening, about=about, warnings=warnings)
        foils = {token: read.label(token) for token in read.foils(step)}
        return step, choose_token(
            "foil",
            labels[1],
            foils,
            next(iter(foils)),
            about=(*about, step),
            warnings=warnings,
            token_of=partial(read.token_of, step=step),
        )
