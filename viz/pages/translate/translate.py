"""Translate: type a sentence, see its translation and every head that had a part in it."""

import streamlit as st

from viz.base.words import page_text
from viz.pages.translate.attention_views import show_attention
from viz.pages.translate.opening import open_translation
from viz.pages.translate.study.written_tokens import translation_as_csv, word_links_as_text
from viz.shared.model_words import model_words
from viz.shared.sentence import say_limits
from viz.shared.shipped import TranslatorInfo
from viz.shared.translation import TranslationResult
from viz.shell.picture import File

TEXT = page_text("pages/translate/translate")


@st.fragment
def show() -> None:
    """Draw the page; typing draws nothing else of it again, such as the bar."""
    opened = open_translation()
    show_attention(opened.result, _files(opened.result))
    _explain(opened.model)
    opened.finish()


def _explain(model: TranslatorInfo) -> None:
    languages = {"source": model_words(model.source_language), "target": model_words(model.target_language)}
    seen, to_try = st.columns(2, gap="large")
    with seen:
        st.markdown(TEXT["what is seen"].format(**languages))
        st.markdown(TEXT["formula"])
    with to_try:
        direction = f"{model.source_language} to {model.target_language}"
        with_its_examples = TEXT[f"what to try with {direction} {model.kinds[0]}"]
        st.markdown(f"{TEXT['what to try']}\n{with_its_examples}")
        st.markdown(TEXT["paper"])
    say_limits(model)


def _files(result: TranslationResult) -> list[File]:
    content = translation_as_csv(result.translation, result.hypotheses)
    return [
        File(TEXT["download translation"], lambda: content, "translation.csv"),
        File(TEXT["download links"], lambda: word_links_as_text(result.translation), "links.txt"),
    ]


if __name__ == "__main__":
    show()
