"""Generation on the memory: it writes on, character by character."""

from html import escape

import numpy as np
import streamlit as st

from model.attention import SegmentSpec
from model.decoding.options import SamplingOptions
from model.decoding.segmented import MemoryGenerator
from pretrained.language_models import LanguageModel
from viz.base.colours import style_variables
from viz.base.exports import rows_as_csv
from viz.base.link_parameters import Choice, Number
from viz.base.markdown import plain
from viz.base.words import listed, page_text, paragraph
from viz.figures.bars import bars
from viz.pages.transformer_xl.opening import show_with_text
from viz.pages.transformer_xl.state import GivenText, files_of, memory_choice
from viz.pages.transformer_xl.study.microscope import alone
from viz.pages.transformer_xl.writing import MOST_WRITTEN, Clock, Writing, WritingTask
from viz.shared.shipped import stamp
from viz.shell.controls import choose, number, place_for_warnings, warn_bad_links
from viz.shell.heavy import LEASE, WRITING, QueueFullError, full_text, queue, waiting_text
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture
from viz.shell.state import keep_in_session, kept, session_key

TEXT = page_text("pages/transformer_xl/generation")
_MEMORY = "xl-write-memory"
_TEMPERATURE = Number("xl-temperature", 0.8, 0.1, 2.0, 0.1)
_TOP_P = Number("xl-top-p", 0.95, 0.05, 1.0, 0.05)
_SEED = Number("xl-seed", 1, 0, 1_000_000)
_PROMPT = "xl-prompt"
# Seconds: of writing between two pictures, and between their beginnings.
_SPELL, _EVERY = 0.06, 0.12
_MOST_SHOWN, _PROMPT_SHOWN = 12, 240
# Characters that are written when the page opens, in a moment.
_OPENS_WITH = 40


def show() -> None:
    """Draw the page."""
    show_with_text(show_generation)


@st.fragment
def show_generation(loaded: LanguageModel, text: GivenText) -> None:
    """Write on after the text, from the memory alone."""
    warnings = place_for_warnings()
    prompt = Number(_PROMPT, len(text), 1, len(text))
    # Later on, a number of a longer text may still be in the link; it is put right with the controls.
    is_first = _PROMPT not in st.session_state
    memory = memory_choice(_MEMORY, loaded)
    warn_bad_links(warnings, [_TEMPERATURE, _TOP_P, _SEED, *([prompt] if is_first else ()), memory])
    task, options = _controls(loaded, text, prompt, memory)
    writing = _writing(loaded, task, options)
    _buttons(writing)
    picture, words = st.columns([2, 1], gap="large")
    is_on = _follow_clock(writing)
    with picture:
        st.fragment(_show_writing, run_every=_EVERY if is_on else None)(loaded, task, options)
    with words:
        st.markdown(TEXT["intro"])
        st.markdown(TEXT["what is seen"])
        st.markdown(TEXT["what to try"])
        st.markdown(TEXT["paper"])


def _controls(
    loaded: LanguageModel, text: GivenText, prompt: Number, memory: Choice[int]
) -> tuple[WritingTask, SamplingOptions]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        temperature = number(_TEMPERATURE, TEXT["temperature"])
        top_p = number(_TOP_P, TEXT["top p"])
        seed = number(_SEED, TEXT["seed"])
        end = number(prompt, TEXT["prompt"])
        mem_len = choose(memory, TEXT["memory"])
    spec = SegmentSpec(loaded.segment_length, mem_len)
    files = tuple(map(stamp, files_of(loaded)))
    return WritingTask(files, text.text[:end], spec, seed), SamplingOptions(temperature, top_p)


def _writing(loaded: LanguageModel, task: WritingTask, options: SamplingOptions) -> Writing:
    """Return what is written for ``task``: a beginning, until it goes on."""
    writing = kept(Writing)
    if writing is None or writing.task != task:
        _stop()
        ids = loaded.vocabulary.encode(task.prompt).ids
        writing = Writing(task, MemoryGenerator(loaded.model, ids, task.spec, seed=task.seed))
        writing.write(_OPENS_WITH, options)
        keep_in_session(writing)
    return writing


def _buttons(writing: Writing) -> None:
    with st.container(horizontal=True):
        is_on = writing.is_on
        st.button(TEXT["write"], on_click=_begin, disabled=is_on or writing.is_full, key="xl-write")
        st.button(TEXT["stop"], on_click=_stop, disabled=not is_on, key="xl-stop")
        st.button(TEXT["clear"], on_click=_clear, key="xl-clear")


def _begin() -> None:
    if writing := kept(Writing):
        try:
            writing.place = queue().enter(WRITING, LEASE)
        except QueueFullError as error:
            st.toast(full_text(error))


def _stop() -> None:
    if writing := kept(Writing):
        writing.stop()


def _clear() -> None:
    _stop()
    st.session_state.pop(session_key(Writing), None)


def _follow_clock(writing: Writing) -> bool:
    """Return whether characters are to be written.

    Where that has changed, run the whole page again before.

    Only such a run sets, and stops, the clock by which the browser calls for the next characters.
    """
    clock = Clock(writing.is_on)
    if (kept(Clock) or Clock()) != clock:
        keep_in_session(clock)
        st.rerun()
    return clock.is_on


def _show_writing(loaded: LanguageModel, task: WritingTask, options: SamplingOptions) -> None:
    writing = _writing(loaded, task, options)
    if writing.is_on and writing.place and (n_ahead := writing.place.n_ahead):
        writing.place.renew()
        st.caption(waiting_text(n_ahead))
    elif writing.is_on:
        writing.write(MOST_WRITTEN, options, _SPELL)
    written = loaded.vocabulary.decode(writing.writer.written)
    st.html(_page(task.prompt, written))
    _show_last(loaded, writing)
    st.markdown(_progress(task, writing))
    # Also where its place was lost, while the browser did not call.
    if not writing.is_on and (kept(Clock) or Clock()).is_on:
        st.rerun()


def _page(prompt: str, written: str) -> str:
    """Return HTML of the end of the prompt and of what was written after it, every text in them escaped."""
    before = ("…" if len(prompt) > _PROMPT_SHOWN else "") + prompt[-_PROMPT_SHOWN:]
    return (
        f'<div class="written" tabindex="0" role="region" aria-label="{escape(TEXT["region"])}"'
        f' style="{style_variables(theme())}"><span class="prompt">{escape(before)}</span>{escape(written)}</div>'
    )


def _progress(task: WritingTask, writing: Writing) -> str:
    n_written = len(writing.writer.written)
    keys = min(task.spec.mem_len, writing.writer.n_read + n_written - 1) + 1
    sentences = [
        TEXT["read"].format(read=writing.writer.n_read, given=len(task.prompt)),
        TEXT["speed"].format(n=n_written, rate=n_written / writing.seconds, keys=keys),
    ]
    return paragraph([*sentences, TEXT["full"].format(most=MOST_WRITTEN)] if writing.is_full else sentences)


def _distributions(writing: Writing) -> tuple[np.ndarray, np.ndarray]:
    predicted, drawn_from = writing.writer.predicted, writing.writer.drawn_from
    if predicted is None or drawn_from is None:
        raise ValueError("nothing has been written yet, so nothing was drawn")
    return predicted.numpy(), drawn_from.numpy()


def _show_last(loaded: LanguageModel, writing: Writing) -> None:
    predicted, drawn_from = _distributions(writing)
    order = np.argsort(-predicted, kind="stable")[:_MOST_SHOWN]
    labels = [alone(loaded.vocabulary.decode([int(one)])) for one in order]
    drawn = writing.writer.written[-1]
    heights = {TEXT["predicted"]: predicted[order], TEXT["drawn from"]: drawn_from[order]}
    figure = bars(labels, heights, y_name=TEXT["probability"], height=290)
    figure.update_xaxes(tickangle=0)
    character = alone(loaded.vocabulary.decode([drawn]))
    named = listed(
        f"{label} {before:.2f} / {after:.2f}"
        for label, before, after in zip(labels, predicted[order], drawn_from[order], strict=True)
    )
    alt = TEXT["alt"].format(character=character, listed=named)
    file = File(TEXT["download"], lambda: _as_csv(loaded, writing), "generation-last-step.csv")
    draw_picture(figure, key="xl-last-step", file_name="generation-last-step", alt=alt, files=[file])
    n_kept = int((drawn_from > 0).sum())
    st.caption(TEXT["last"].format(character=plain(character), share=drawn_from[drawn], n=n_kept))


def _as_csv(loaded: LanguageModel, writing: Writing) -> str:
    predicted, drawn_from = _distributions(writing)
    rows = [
        [loaded.vocabulary.decode([one]), float(predicted[one]), float(drawn_from[one])]
        for one in np.argsort(-predicted, kind="stable").tolist()
    ]
    return rows_as_csv([TEXT["csv character"], TEXT["predicted"], TEXT["drawn from"]], rows)


if __name__ == "__main__":
    show()
