"""Several sentences: all of their translations, and which one is looked at."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding.translator import SourceTextError
from model.text.tokenizer import byte_of
from viz.base.tokens import visible
from viz.base.words import page_text
from viz.shared.shipped import translator
from viz.shared.translation import DecodingChoice, TranslationResult
from viz.shared.unread import why_unread
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/translate/sentences")
# So many are translated before anybody wonders.
_AT_ONCE = 4
PATIENCE_SECONDS = 2.0
"""After so long, what is left of a text waits until it is asked for."""
_GAP = "…"


@dataclass(frozen=True)
class WholeText:
    """The sentences of a text whose translations were all asked for."""

    sentences: tuple[str, ...]


def show_whole(sentences: Sequence[str], chosen: int, result: TranslationResult) -> Callable[[], None]:
    """Draw the translation of all ``sentences``, with the chosen one in bold.

    That one is ``result``, if it has a translation. A single sentence is drawn only where its tokens are bytes of
    characters, which nobody can read.

    Returns a function that draws many sentences, to be called after the rest of the page: until then there is only a
    bar in their place, which then shows the progress. Sentences that take more than a few seconds wait for a click.
    """
    place = st.empty()
    if len(sentences) <= _AT_ONCE:
        if len(sentences) > 1 or _is_in_bytes(result):
            _draw_whole(place, sentences, chosen, result)
        return lambda: None
    _progress(place, 0, len(sentences))
    return partial(_draw_whole, place, sentences, chosen, result)


def _draw_whole(place: DeltaGenerator, sentences: Sequence[str], chosen: int, result: TranslationResult) -> None:
    written = _written(place, sentences, chosen, result)
    marked = chosen if len(sentences) > 1 else None
    parts = []
    for number in range(len(sentences)):
        if number in written:
            text = escape(written[number])
            parts.append(f"<b>{text}</b>" if number == marked else text)
        elif parts[-1:] != [_GAP]:
            parts.append(_GAP)
    n_left = len(sentences) - len(written)
    with place.container():
        region = f'class="whole" role="region" tabindex="0" aria-label="{escape(TEXT["whole"])}"'
        st.html(f"<p {region}>{' '.join(parts)}</p>")
        if n_left:
            asked = (WholeText(tuple(sentences)),)
            st.button(TEXT["ask"].format(n=n_left), on_click=keep_in_session, args=asked)


def _written(place: DeltaGenerator, sentences: Sequence[str], chosen: int, result: TranslationResult) -> dict[int, str]:
    """Return translations by number: all on demand, else the chosen one and those that time allows."""
    start, written = time.monotonic(), {}
    is_patient = kept(WholeText) == WholeText(tuple(sentences))
    for number, sentence in enumerate(sentences):
        if number == chosen and result.text == sentence:
            written[number] = visible(result.translation.text)
        elif is_patient or time.monotonic() - start < PATIENCE_SECONDS:
            if len(sentences) > _AT_ONCE:
                _progress(place, number, len(sentences))
            written[number] = _translation(sentence, result.choice) or TEXT["untranslated"]
    return written


def _is_in_bytes(result: TranslationResult) -> bool:
    return any(byte_of(token.piece) is not None for token in result.translation.tokens)


def _progress(place: DeltaGenerator, number: int, n: int) -> None:
    place.progress(number / n, TEXT["progress"].format(number=number + 1, n=n))


@st.cache_data(max_entries=2048, show_spinner=False)
def _translation(sentence: str, choice: DecodingChoice) -> str | None:
    if why_unread(sentence):
        return None
    try:
        loaded = translator(choice.model)
        return visible(loaded.translate(sentence, choice.options(loaded.options), as_typed=True).text)
    except SourceTextError:
        return None
