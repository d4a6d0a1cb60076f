"""Head of the topic's pages: a sentence, the model and search that translate it, the translation.

They are the same on every page of the topic: the session keeps what a link carries from page to page.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape

import streamlit as st

from model.text.tokenizer import EOS_ID
from viz.base.languages import worded
from viz.base.link_parameters import Choice, bad_links, labelled
from viz.base.markdown import safe_as_code
from viz.base.words import listed, page_text
from viz.pages.translate.components.token_line import reading_rules, source_line, token_line
from viz.pages.translate.out_of_domain import out_of_domain_note
from viz.pages.translate.sentences import show_whole
from viz.pages.translate.state import beginning, forget_beginning
from viz.pages.translate.study.slips import mark_slips, mark_source, slips
from viz.pages.translate.study.written_tokens import line_tokens, read_weights, source_tokens
from viz.shared.model_words import model_words
from viz.shared.sentence import ask_sentence, choose_sentence, load, offer_examples, why_cut
from viz.shared.shipped import TranslatorInfo, translator
from viz.shared.translation import (
    SEARCHES,
    SEED,
    TEMPERATURE,
    TOP_K,
    TOP_P,
    DecodingChoice,
    Search,
    TranslationResult,
    shown,
)
from viz.shared.translators import link_rules, offer_readings
from viz.shell.controls import choose, number, warn_of
from viz.shell.page import theme

TEXT = page_text("pages/translate/opening")


@dataclass(frozen=True)
class OpeningTranslation:
    """A translation as the page shows it, and the model that made it.

    ``finish`` draws what may take long, and is called when the rest of the page stands.
    """

    result: TranslationResult
    model: TranslatorInfo
    finish: Callable[[], None]


def open_translation() -> OpeningTranslation:
    """Draw the controls and the translation; without a usable model end the page with a message."""
    cut = why_cut()
    bad = bad_links([*link_rules(), _searches(), TEMPERATURE, TOP_K, TOP_P, SEED], st.query_params.to_dict())
    text, choice, model = _ask()
    message = st.empty()
    if bad:
        warn_of(st.container(), bad)
    load(choice.model)
    sentences, chosen = choose_sentence(text, choice.model)
    begin = beginning(sentences[chosen], choice.model)
    page_result = shown(sentences[chosen], choice, begin or ())
    if page_result.message:
        message.warning(page_result.message)
    elif begin is None:
        message.warning(TEXT["bad beginning"])
    elif cut:
        message.warning(cut)
    finish = show_whole(sentences, chosen, page_result.result)
    _show_translation(page_result.result, model)
    return OpeningTranslation(page_result.result, model, finish)


def _searches() -> Choice[Search]:
    return labelled("search", worded(SEARCHES, lambda name: TEXT[f"search {name}"]))


def _ask() -> tuple[str, DecodingChoice, TranslatorInfo]:
    """Draw what is asked for, and return the text, choice to translate it, and by what."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="ask"):
        text, model = ask_sentence()
        search: Search = choose(_searches(), TEXT["search"], explained=TEXT["search help"])
    offer_readings(text)
    offer_examples(model)
    choice = _sampling() if search == "sample" else DecodingChoice(search)
    return text, replace(choice, model=model.name), model


def _sampling() -> DecodingChoice:
    """Draw what a sample asks for, and return it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="sample"):
        numbers = {
            "temperature": number(TEMPERATURE, TEXT["temperature"]),
            "top_k": number(TOP_K, TEXT["top k"]),
            "top_p": number(TOP_P, TEXT["top p"]),
            "seed": number(SEED, TEXT["seed"]),
        }
        st.button(TEXT["draw again"], on_click=_draw_again)
    return DecodingChoice("sample", **numbers)


def _draw_again() -> None:
    st.session_state[SEED.key] = (st.session_state[SEED.key] + 1) % (SEED.high + 1)


def _show_translation(result: TranslationResult, model: TranslatorInfo) -> None:
    translation = result.translation
    mistakes = slips(
        result.text, translation.text, source_language=model.source_language, target_language=model.target_language
    )
    tokens = mark_slips(line_tokens(translation), translation.text, mistakes)
    written = token_line(tokens, theme=theme(), name=TEXT["translation"], token_name=TEXT["token"])
    source = mark_source(source_tokens(translation), result.text, mistakes)
    read = source_line(source, theme=theme(), name=TEXT["source"])
    # The translation is first in the page, so that what it does can be styled, and second on the screen.
    st.html(f'<div class="reading">{written}{read}</div>')
    st.html(reading_rules(read_weights(translation)))
    _show_beginning(result)
    for kind in dict.fromkeys(slip.kind for slip in mistakes):
        words = listed(f"`{safe_as_code(slip.words)}`" for slip in mistakes if slip.kind == kind)
        st.caption(TEXT[f"slip {kind}"].format(words=words, source=model_words(model.source_language)))
    reason = out_of_domain_note(result)
    if reason is not None:
        st.caption(reason)
    if translation.tokens[-1].id != EOS_ID:
        st.caption(TEXT["cut off"])


def _show_beginning(result: TranslationResult) -> None:
    """Say which beginning was chosen, if one was, and offer to drop it."""
    if not result.begin:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="beginning"):
        begun = translator(result.choice.model).text_of(result.begin)
        st.html(f"<p>{escape(TEXT['begun'].format(text=begun))}</p>", width="content")
        st.button(TEXT["start over"], on_click=forget_beginning)
