"""Inside it: what the layers of a visitor's own model would say, what its heads write, and how they score."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.inside import ForeignAttribution, ForeignLens, Measure
from pretrained.huggingface.requests import InsideRequest
from viz.base.languages import worded
from viz.base.link_parameters import Text, labelled
from viz.base.words import InputError, page_text
from viz.pages.your_model.allowed import Allowed, allowed
from viz.pages.your_model.asking import answer_to, keep_loaded
from viz.pages.your_model.inside_pictures import draw_attribution, draw_lens, draw_scores
from viz.pages.your_model.sources import all_models
from viz.pages.your_model.state import InsideAsked, InsideRead, example
from viz.pages.your_model.study.inside_example import scores_of
from viz.shell.controls import choose, place_for_warnings, select, text_input, warn_bad_links
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/your_model/inside_model")
MOST_TOKENS = 256
"""Of a text: the residual stream after every block is kept."""
_EXAMPLE = ""
_MEASURES: tuple[Measure, ...] = ("scores", "lens", "attribution")
_MOST_CHARACTERS, _MOST_ANSWERS = 2_000, 8
# Of Wang et al. 2023, whose circuit everybody knows: the one who gets the drink was named once.
_TEXT = Text("inside-text", "When Mary and John went to the store, John gave a drink to", _MOST_CHARACTERS)
_ANSWERS = Text("inside-answers", "Mary, John", 200)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    may = allowed()
    models = all_models(may)
    model = labelled(
        "inside-of", worded([_EXAMPLE, *models], lambda name: TEXT["example"] if name == _EXAMPLE else name)
    )
    measure = labelled("inside", worded(_MEASURES, lambda name: TEXT[f"show {name}"]))
    warn_bad_links(warnings, [model, measure, _TEXT, _ANSWERS])
    with st.container(key="inside-model"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="inside-controls"):
            shown = choose(measure, TEXT["show"])
            name = select(model, TEXT["model"], width=230)
            text = text_input(_TEXT, TEXT["text"]) if name else ""
            answers = text_input(_ANSWERS, TEXT["answers"]) if name and shown == "attribution" else ""
        read = None
        if name:
            words = tuple(filter(None, map(str.strip, answers.split(","))))[:_MOST_ANSWERS]
            read = _read(InsideAsked(models[name], text, shown, words), may, warnings)
        _draw(read, shown, warnings)
    if not models:
        st.caption(TEXT["no models" if may.ways else "not allowed"])
    st.markdown(TEXT[f"formula {shown}"])
    st.markdown(TEXT["what to try"])


def _draw(read: InsideRead | None, shown: Measure, warnings: DeltaGenerator) -> None:
    """Draw what was ``read``; without it the example, which is a recording: it has scores alone."""
    if read is None:
        if shown != "scores":
            st.caption(TEXT["example has scores"])
        try:
            draw_scores(TEXT["example name"], scores_of(example()[0]), warnings)
        except (InputError, OSError):
            warnings.warning(TEXT["no example"])
        return
    label = read.asked.model.label
    if isinstance(read.found, ForeignLens):
        draw_lens(label, read.found)
    elif isinstance(read.found, ForeignAttribution):
        draw_attribution(label, read.found, warnings)
    else:
        draw_scores(label, read.found, warnings)


def _read(asked: InsideAsked, may: Allowed, warnings: DeltaGenerator) -> InsideRead | None:
    """Return what was ``asked``; None where it cannot be had, which is said."""
    keep_loaded()
    last = kept(InsideRead)
    if last is not None and last.asked == asked:
        return last
    request = InsideRequest(
        root=asked.model.root,
        name=asked.model.name,
        most_bytes=may.most_bytes,
        text=asked.text,
        measure=asked.measure,
        most_tokens=MOST_TOKENS,
        answers=asked.answers,
    )
    found = answer_to(request, warnings)
    if found is None:
        return None
    read = InsideRead(asked, found)
    keep_in_session(read)
    return read


if __name__ == "__main__":
    show()
