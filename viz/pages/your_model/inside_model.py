"""Inside it: layer predictions of a visitor's own model, and its heads' outputs and scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.inside import ForeignAttribution, ForeignLens, ForeignScores, Inside, Measure
from pretrained.huggingface.requests import InsideRequest
from viz.base.languages import worded
from viz.base.link_parameters import Text, labelled
from viz.base.markdown import safe_as_code
from viz.base.words import InputError, page_text
from viz.pages.your_model.allowed import Permissions, allowed
from viz.pages.your_model.asking import answer_to, keep_loaded
from viz.pages.your_model.examples import example
from viz.pages.your_model.inside_pictures import draw_attribution, draw_lens, draw_scores
from viz.pages.your_model.sources import Models, all_models, model_at_hand
from viz.pages.your_model.state import EXAMPLE_MODEL, InsideAnswers, InsideInputs
from viz.pages.your_model.study.inside_example import scores_of
from viz.shell.controls import choose, place_for_warnings, select, text_input, warn_bad_links
from viz.shell.state import keep_in_session, kept, open_on

TEXT = page_text("pages/your_model/inside_model")
MOST_TOKENS = 256
"""Of a text: the residual stream after every block is kept."""
_EXAMPLE = ""
_MEASURES: tuple[Measure, ...] = ("scores", "lens", "attribution")
_MOST_CHARACTERS, _MOST_ANSWERS = 2_000, 8
# Answers that the session holds besides the newest: one of them stands beside it.
_MOST_KEPT = 3


@dataclass(frozen=True)
class _Boxes:
    """Text boxes for what the model reads and writes."""

    text: Text
    target: Text
    answers: Text


# Of Wang et al. 2023, whose circuit everybody knows: the one who gets the drink was named once.
_OWN = _Boxes(
    Text("inside-text", "When Mary and John went to the store, John gave a drink to", _MOST_CHARACTERS),
    Text("inside-target", "", _MOST_CHARACTERS),
    Text("inside-answers", "Mary, John", 200),
)
# The translator is about to write the pronoun, which has the gender of the noun in its own language.
_OF_EXAMPLE = _Boxes(
    Text("example-text", TEXT["example text"], _MOST_CHARACTERS),
    Text("example-target", "Das Tier ging nicht über die Straße, weil", _MOST_CHARACTERS),
    Text("example-answers", "es, er", 200),
)
_SECOND, _TEXT_BESIDE = (Text(key, "", _MOST_CHARACTERS) for key in ("inside-second", "inside-text-beside"))


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    may = allowed()
    models = {_EXAMPLE: EXAMPLE_MODEL, **all_models(may)}
    measure = labelled("inside", worded(_MEASURES, lambda name: TEXT[f"show {name}"]))
    warn_bad_links(warnings, [measure])
    with st.container(key="inside-model"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="inside-controls"):
            shown = choose(measure, TEXT["show"])
            asked = _ask_for(models, model_at_hand(may, models) or _EXAMPLE, shown, warnings)
        read = [*_read(asked, may, warnings)]
        _draw(read, warnings)
    if len(models) == 1:
        st.caption(TEXT["no models" if may.ways else "not allowed"])
    st.markdown(TEXT[f"formula {shown}"])
    if any(isinstance(inside, ForeignScores) and inside.n_random for _, inside in read):
        st.markdown(TEXT["about random"])
    st.markdown(TEXT["what to try"])


def _ask_for(models: Models, at_hand: str, shown: Measure, warnings: DeltaGenerator) -> list[InsideInputs]:
    """Draw the boxes, and return what is asked: of one model and text, and of those beside."""
    model = labelled("inside-of", worded(models, _name))
    open_on(model, at_hand)
    beside = labelled("inside-beside", worded(["", *filter(None, models)], lambda name: name or TEXT["same model"]))
    warn_bad_links(warnings, [model, beside, _SECOND, _TEXT_BESIDE])
    name = select(model, TEXT["model"], width=230)
    boxes = _OWN if name else _OF_EXAMPLE
    warn_bad_links(warnings, [*vars(boxes).values()])
    text = text_input(boxes.text, TEXT["text"])
    target = "" if name or shown == "scores" else text_input(boxes.target, TEXT["target"])
    answers = text_input(boxes.answers, TEXT["answers"]) if shown == "attribution" else ""
    with st.popover(TEXT["more"]):
        second = text_input(_SECOND, TEXT["second"], placeholder=TEXT["second placeholder"]) if name else ""
        if name:
            target = text_input(boxes.target, TEXT["target"], placeholder=TEXT["target placeholder"])
        text_beside = text_input(_TEXT_BESIDE, TEXT["text beside"], placeholder=TEXT["text beside placeholder"])
        model_beside = select(beside, TEXT["model beside"])
    words = tuple(filter(None, map(str.strip, answers.split(","))))[:_MOST_ANSWERS]
    asked = InsideInputs(models[name], text, shown, words, second, target)
    if not text_beside and not model_beside:
        return [asked]
    other = models[model_beside] if model_beside else asked.model
    return [asked, replace(asked, model=other, text=text_beside or text)]


def _name(name: str) -> str:
    return TEXT["example"] if name == _EXAMPLE else name


def _draw(read: Sequence[tuple[InsideInputs, Inside]], warnings: DeltaGenerator) -> None:
    """Draw what was ``read``, side by side where there are two."""
    places: Sequence[Any] = st.columns(len(read), gap="large") if len(read) > 1 else [st.container()] * len(read)
    for number, (place, (asked, inside)) in enumerate(zip(places, read, strict=True)):
        of, label = ("-beside" if number else ""), asked.model.label
        with place:
            if len(read) > 1:
                st.caption(TEXT["read so"].format(text=safe_as_code(asked.text)))
            if isinstance(inside, ForeignLens):
                draw_lens(label, inside, of=of)
            elif isinstance(inside, ForeignAttribution):
                draw_attribution(label, inside, warnings, of=of)
            else:
                draw_scores(label, inside, warnings, of=of)


def _read(
    asked: Sequence[InsideInputs], may: Permissions, warnings: DeltaGenerator
) -> Iterator[tuple[InsideInputs, Inside]]:
    """Yield the result of each of ``asked``, up to the first failure: the others would fail alike."""
    for one in asked:
        answer = _answer(one, may, warnings)
        if answer is None:
            return
        yield one, answer


def _answer(asked: InsideInputs, may: Permissions, warnings: DeltaGenerator) -> Inside | None:
    """Return what was ``asked``; None where it cannot be had, which is said."""
    if asked == InsideInputs(EXAMPLE_MODEL, _OF_EXAMPLE.text.default, "scores"):
        return _of_recording(warnings)
    keep_loaded()
    last = kept(InsideAnswers)
    known = dict(last.by_request) if last else {}
    if asked in known:
        return known[asked]
    request = InsideRequest(
        root=asked.model.root,
        name=asked.model.name,
        most_bytes=may.most_bytes,
        text=asked.text,
        measure=asked.measure,
        most_tokens=MOST_TOKENS,
        answers=asked.answers,
        second=asked.second or None,
        target=asked.target or None,
    )
    answer = answer_to(request, warnings)
    if answer is not None:
        newest = [*known.items()][-_MOST_KEPT:]
        keep_in_session(InsideAnswers(dict([*newest, (asked, answer)])))
    return answer


def _of_recording(warnings: DeltaGenerator) -> Inside | None:
    """Return the scores of the recording that ships, so that the page opens on them at once."""
    try:
        return scores_of(example())
    except (InputError, OSError):
        warnings.warning(TEXT["no example"])
        return None
