"""Word order: permuted words, and the sum of embedding and encoding, on the shipped translator."""

from dataclasses import replace

import streamlit as st

from model.checkpoint import DamagedWeightsError
from model.decoding.translator import Translator
from viz.base.link_parameters import Text
from viz.base.words import page_text
from viz.pages.positional_encoding.embedding_sum import show_sum
from viz.pages.positional_encoding.new_order import MAX_CHARACTERS, MAX_TOKENS, show_order, write_answer
from viz.pages.positional_encoding.study.word_order import Sentence, read_sentence
from viz.shared.shipped import DEFAULT_TRANSLATOR, damage, translator
from viz.shell.controls import place_for_warnings, text_input
from viz.shell.state import keep_in_session, kept, page_link

TEXT = page_text("pages/positional_encoding/word_order")
SENTENCE = "I love to play football"
_TEXT = Text("order_text", SENTENCE, MAX_CHARACTERS)
# Under which the first part of the page had a sentence of its own.
_OLD_TEXT = "sum_text"


def show() -> None:
    """Draw the page."""
    loaded = _load()
    if loaded is None:
        return
    with place_for_warnings():
        _warn_of_cut()
    field = replace(_TEXT, default=page_link().get(_OLD_TEXT, SENTENCE)[:MAX_CHARACTERS])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = text_input(field, TEXT["sentence"], width=420)
        st.caption(TEXT["limits"].format(tokens=MAX_TOKENS, characters=MAX_CHARACTERS), width=420)
    with place_for_warnings():
        sentence = _read(loaded, text)
    write_answer(loaded, sentence)
    show_order(loaded, sentence)
    show_sum(loaded, sentence)


def _load() -> Translator | None:
    try:
        with st.spinner(TEXT["loading"]):
            return translator(DEFAULT_TRANSLATOR)
    except (DamagedWeightsError, OSError, ValueError) as error:
        st.warning(TEXT["no model"].format(reason=damage(error)))
        return None


def _warn_of_cut() -> None:
    for key in (_TEXT.key, _OLD_TEXT):
        linked = len(page_link().get(key, ""))
        if linked > MAX_CHARACTERS:
            st.warning(TEXT["link cut"].format(key=key, given=f"{linked:,}", most=MAX_CHARACTERS))


def _read(loaded: Translator, text: str) -> Sentence:
    """Return the sentence to show: ``text``, or else the last good one under a warning."""
    sentence = read_sentence(loaded, text)
    n_tokens = len(sentence.ids) - 1
    if 0 < n_tokens <= MAX_TOKENS:
        keep_in_session(sentence)
        return sentence
    problem = TEXT["too long"].format(given=n_tokens, most=MAX_TOKENS) if n_tokens else TEXT["no words"]
    last_good = kept(Sentence)
    below = TEXT["example shown"] if last_good is None else TEXT["last shown"]
    st.warning(f"{problem} {below}")
    return last_good or read_sentence(loaded, SENTENCE)


if __name__ == "__main__":
    show()
