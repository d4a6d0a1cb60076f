"""Does attention explain? Source words' importance for a written token, by attention and the model."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.device import use_one_thread
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import page_text, paragraph
from viz.pages.interventions.figures.worth_grid import narrowest_grid, worth_grid
from viz.pages.interventions.opening import show_up_to
from viz.pages.interventions.study.source_words import (
    FROM_ATTENTION,
    METHODS,
    TRUTH,
    SourceWords,
    Worth,
    worth_as_csv,
)
from viz.shared.choices import choose_step
from viz.shared.shipped import translator
from viz.shared.translation import DecodingChoice, TranslationResult, translated
from viz.shell.picture import File, draw_picture, with_arrays

TEXT = page_text("pages/interventions/does_attention_explain")
_STEP = "step"
# Twice as long, the gradients of one token take four times as long.
_MOST_TOKENS = 64


def show() -> None:
    """Draw the page."""
    show_up_to(_MOST_TOKENS, _show_worth, TEXT)


def _show_worth(result: TranslationResult, warnings: DeltaGenerator) -> None:
    source_words = _source_words(result.text, result.choice.model)
    with st.container(key="steps", width="stretch"):
        about = (result.text, result.choice.model)
        step = choose_step(
            _STEP, TEXT["step"], source_words.written, source_words.opening_step, about=about, warnings=warnings
        )
    worth = _worth(result.text, result.choice.model, step)
    st.markdown(TEXT["see"].format(token=plain(worth.token)))
    _show_grid(worth)
    text, formula = st.columns(2, gap="large")
    with text:
        st.markdown(_summary(worth))
        st.markdown(_overall(source_words))
        st.markdown(TEXT["what to try"])
    with formula:
        st.markdown(TEXT["formula"])


@st.cache_resource(max_entries=32, show_spinner=False)
def _source_words(text: str, model: str) -> SourceWords:
    use_one_thread()
    return SourceWords(translator(model), translated(text, DecodingChoice(model=model)).translation)


@st.cache_resource(max_entries=128, show_spinner=False)
def _worth(text: str, model: str, step: int) -> Worth:
    use_one_thread()
    return _source_words(text, model).at(step)


def _show_grid(worth: Worth) -> None:
    rows = [TEXT[f"row {method}"] for method in METHODS]
    hovers = [
        [TEXT[f"hover {method}"].format(word=word, token=worth.token, value=signed(value, 3)) for word, value in pairs]
        for method in METHODS
        for pairs in [zip(worth.words, worth.values[method].tolist(), strict=True)]
    ]
    figure = worth_grid(
        np.stack([worth.values[method] for method in METHODS]),
        rows=rows,
        words=worth.words,
        hovers=hovers,
        beside=(TEXT["rho"], [_rho(worth.agreement[method]) for method in METHODS]),
        after=len(FROM_ATTENTION),
    )
    alt = TEXT["alt"].format(
        n=len(worth.words),
        token=worth.token,
        step=worth.step,
        attended=worth.words[worth.first("attention")],
        needed=worth.words[worth.first(TRUTH)],
        rho=_rho(worth.agreement["attention"]),
    )
    files = with_arrays(File(TEXT["download"], lambda: worth_as_csv(worth), "source-words.csv"))
    narrowest = narrowest_grid(rows, worth.words)
    opens_at = (worth.first("attention"), worth.first(TRUTH))
    draw_picture(
        figure,
        key="worth",
        file_name="source-words",
        alt=alt,
        files=files,
        narrowest=narrowest,
        opens_at=opens_at,
    )


def _summary(worth: Worth) -> str:
    attended, needed = worth.first("attention"), worth.first(TRUTH)
    loss, other = (float(worth.values[TRUTH][at]) for at in (needed, attended))
    if not worth.needs_a_word:
        key = "needs nothing"
    elif attended == needed:
        key = "points"
    else:
        key = "misleads" if other >= 0 else "misleads badly"
    summary = TEXT[key].format(
        token=plain(worth.token),
        attended=plain(worth.words[attended]),
        needed=plain(worth.words[needed]),
        loss=signed(loss),
        of_attended=signed(abs(other)),
    )
    added_up = signed(float(worth.values["integrated"].sum()))
    return paragraph([summary, TEXT["complete"].format(sum=added_up, change=signed(worth.change))])


def _overall(source_words: SourceWords) -> str:
    agreements = source_words.agreements()
    return TEXT["overall"].format(
        n=len(source_words.written),
        needing=source_words.n_needing,
        pointing=source_words.n_pointing("attention"),
        **{method: _rho(agreements[method]) for method in FROM_ATTENTION},
    )


def _rho(value: float) -> str:
    return TEXT["no rho"] if np.isnan(value) else signed(value)


if __name__ == "__main__":
    show()
