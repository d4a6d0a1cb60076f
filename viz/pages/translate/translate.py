"""Translate: type a sentence, see its translation and every head that had a part in it."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.decoding.translator import MAX_SOURCE_TOKENS
from model.text.tokenizer import EOS_ID
from viz.base.link_parameters import bad_links
from viz.base.tokens import shorten_sentence
from viz.base.words import page_text
from viz.pages.translate.attention_views import show_attention
from viz.pages.translate.beam_search import show_beginning, show_search
from viz.pages.translate.components.token_line import token_line
from viz.pages.translate.contrast import show_contrast
from viz.pages.translate.out_of_domain import out_of_domain_note
from viz.pages.translate.sentences import choose_sentence, show_whole
from viz.pages.translate.state import MAX_CHARACTERS, beginning, shown
from viz.pages.translate.study.written_tokens import as_npz, line_tokens, translation_as_csv
from viz.pages.translate.translators import choose_translator, examples_beside, link_rules
from viz.shell.controls import download, number, warn_of
from viz.shell.page import theme
from viz.shell.shipped import TranslatorInfo, damage, translator, translator_info
from viz.shell.translation import SEARCHES, SEED, TEMPERATURE, TOP_K, TOP_P, DecodingChoice, Translated

TEXT = page_text("pages/translate/translate")
# So long that a word can be typed to its end, and so short that nobody reaches for Enter.
_PAUSE = "500ms"
# In characters: with these, all examples stand in one row of a usual screen.
_MAX_EXAMPLE = 34

Read = TypeVar("Read")


def show() -> None:
    """Draw the page."""
    linked = len(st.query_params.get("text", ""))
    bad = bad_links([*link_rules(), TEMPERATURE, TOP_K, TOP_P, SEED], st.query_params.to_dict())
    text, choice, model = _ask()
    message = st.empty()
    if bad:
        warn_of(st.container(), bad)
    with st.spinner(TEXT["loading"]):
        _usable(translator, choice.model)
    sentences, chosen = choose_sentence(text, choice.model)
    begin = beginning(sentences[chosen], choice.model)
    found = shown(sentences[chosen], choice, begin or ())
    if found.instead:
        message.warning(f"{found.trouble} {TEXT[f'{found.instead} shown']}")
    elif begin is None:
        message.warning(TEXT["bad beginning"])
    elif linked > MAX_CHARACTERS:
        message.warning(TEXT["link cut"].format(given=f"{linked:,}", most=f"{MAX_CHARACTERS:,}"))
    finish_whole = show_whole(sentences, chosen, found.result)
    _show_translation(found.result)
    show_search(found.result)
    show_attention(found.result)
    show_contrast(found.result)
    _offer_downloads(found.result)
    _explain(model)
    finish_whole()


def _ask() -> tuple[str, DecodingChoice, TranslatorInfo]:
    """Draw what is asked for, and return the text, choice to translate it, and by what."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="ask"):
        model = _usable(translator_info, choose_translator())
        text = st.text_input(
            TEXT["sentence"].format(language=model.source_language),
            model.examples[0],
            max_chars=MAX_CHARACTERS,
            key="text",
            bind="query-params",
            placeholder=TEXT["sentence placeholder"].format(language=model.source_language),
            live=_PAUSE,
        )
        search = st.segmented_control(
            TEXT["search"],
            SEARCHES,
            default=SEARCHES[0],
            required=True,
            format_func=lambda choice: TEXT[f"search {choice}"],
            key="search",
            bind="query-params",
            help=TEXT["search help"],
        )
    with st.container(horizontal=True, key="example"):
        for number, example in enumerate(examples_beside(model)):
            label = shorten_sentence(example, _MAX_EXAMPLE)
            full = example if label != example else None
            st.button(label, key=f"example-{number}", help=full, on_click=_take_example, args=(example,))
    choice = _sampling() if search == "sample" else DecodingChoice(search or SEARCHES[0])
    return text or "", replace(choice, model=model.name), model


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


def _take_example(example: str) -> None:
    st.session_state["text"] = example


def _usable(read: Callable[[str], Read], name: str) -> Read:
    """Return what ``read`` finds of the model ``name``; without it the page ends here, with a sentence that says so."""
    try:
        return read(name)
    except (DamagedWeightsError, OSError, ValueError) as error:
        st.warning(TEXT["no model"].format(reason=damage(error)))
        st.stop()


def _show_translation(result: Translated) -> None:
    translation = result.translation
    st.html(token_line(line_tokens(translation), theme=theme(), name=TEXT["translation"], token_name=TEXT["token"]))
    show_beginning(result)
    reason = out_of_domain_note(result)
    if reason is not None:
        st.caption(reason)
    if translation.tokens[-1].id != EOS_ID:
        st.caption(TEXT["cut off"])


def _explain(model: TranslatorInfo) -> None:
    languages = {"source": model.source_language, "target": model.target_language}
    seen, to_try = st.columns(2, gap="large")
    with seen:
        st.markdown(TEXT["what is seen"].format(**languages))
        st.markdown(TEXT["formula"])
    with to_try:
        direction = f"{model.source_language} to {model.target_language}"
        with_its_examples = TEXT[f"what to try with {direction} {model.kinds[0]}"]
        st.markdown(f"{TEXT['what to try']}\n{with_its_examples}")
        st.markdown(TEXT["paper"])
    st.caption(
        TEXT["limits"].format(
            tokens=MAX_SOURCE_TOKENS, characters=f"{MAX_CHARACTERS:,}", language=model.source_language
        )
    )


def _offer_downloads(result: Translated) -> None:
    with st.container(horizontal=True):
        content = translation_as_csv(result.translation, result.hypotheses)
        download(TEXT["download translation"], lambda: content, "translation.csv")
        download(TEXT["download maps"], lambda: as_npz(result.translation), "attention.npz")


show()
