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
from viz.base.link_parameters import Number
from viz.base.tokens import visible
from viz.base.words import page_text
from viz.shell.link import write_link
from viz.shell.shipped import translator
from viz.shell.state import keep_in_session, kept, linked_value
from viz.shell.translation import DecodingChoice, Translated
from viz.shell.unread import why_unread

TEXT = page_text("pages/translate/sentences")
_KEY = "sentence-number"
# So many are translated before anybody wonders.
_AT_ONCE = 4
PATIENCE_SECONDS = 2.0
"""After so long, what is left of a text waits until it is asked for."""
_GAP = "…"


@dataclass(frozen=True)
class _ChosenSentence:
    """Which sentence of ``text`` is looked at, on every page of the topic."""

    text: str
    number: int


@dataclass(frozen=True)
class WholeText:
    """The sentences of a text whose translations were all asked for."""

    sentences: tuple[str, ...]


def choose_sentence(text: str, model: str) -> tuple[tuple[str, ...], int]:
    """Return the sentences of ``text``, itself if it has none, and the number of the one to look at.

    A sentence that is too long for ``model`` counts as several.

    A choice is drawn where there are several; its number is in the URL, and what a link carries instead is ignored.
    """
    sentences = translator(model).parts(text) or (text,)
    number = Number("number", 1, 1, len(sentences))
    if len(sentences) == 1:
        write_link({number.key: None})
        return sentences, 0
    names = [f"{index}\N{NO-BREAK SPACE}{sentence}" for index, sentence in enumerate(sentences, start=1)]
    last = kept(_ChosenSentence)
    if _KEY not in st.session_state:
        st.session_state[_KEY] = last.number if last and last.text == text else linked_value(number) - 1
    if st.session_state[_KEY] >= len(sentences):
        st.session_state[_KEY] = 0
    which = TEXT["which"].format(n=len(sentences))
    chosen = st.selectbox(which, range(len(sentences)), format_func=names.__getitem__, key=_KEY)
    keep_in_session(_ChosenSentence(text, chosen))
    write_link({number.key: number.write(chosen + 1) if chosen else None})
    return sentences, chosen


def show_whole(sentences: Sequence[str], chosen: int, result: Translated) -> Callable[[], None]:
    """Draw the translation of all ``sentences``, in bold that of the chosen one, which is ``result`` if it has one.

    That of a single one is drawn where its tokens are bytes of characters, which nobody can read. Returns what draws it
    where they are many, to be called when the rest of the page stands: until then there is only a bar in its place,
    which then shows the progress. What is not translated after a few seconds waits until it is asked for.
    """
    place = st.empty()
    if len(sentences) <= _AT_ONCE:
        if len(sentences) > 1 or _is_in_bytes(result):
            _draw_whole(place, sentences, chosen, result)
        return lambda: None
    _progress(place, 0, len(sentences))
    return partial(_draw_whole, place, sentences, chosen, result)


def _draw_whole(place: DeltaGenerator, sentences: Sequence[str], chosen: int, result: Translated) -> None:
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


def _written(place: DeltaGenerator, sentences: Sequence[str], chosen: int, result: Translated) -> dict[int, str]:
    """Return translations by number: all if they were asked for, else the chosen one and what there is time for."""
    start, written = time.monotonic(), {}
    is_patient = kept(WholeText) == WholeText(tuple(sentences))
    for number, sentence in enumerate(sentences):
        if number == chosen and result.text == sentence:
            written[number] = visible(result.translation.text)
        elif is_patient or time.monotonic() - start < PATIENCE_SECONDS:
            if len(sentences) > _AT_ONCE:
                _progress(place, number, len(sentences))
            written[number] = _translation(sentence, result.choice)
    return written


def _is_in_bytes(result: Translated) -> bool:
    return any(byte_of(token.piece) is not None for token in result.translation.tokens)


def _progress(place: DeltaGenerator, number: int, n: int) -> None:
    place.progress(number / n, TEXT["progress"].format(number=number + 1, n=n))


@st.cache_data(max_entries=2048, show_spinner=False)
def _translation(sentence: str, choice: DecodingChoice) -> str:
    if why_unread(sentence):
        return TEXT["untranslated"]
    try:
        loaded = translator(choice.model)
        return visible(loaded.translate(sentence, choice.options(loaded.options)).text)
    except SourceTextError:
        return TEXT["untranslated"]
