"""A visitor's own model: what it reads, which of its heads are off, and what it says of the text."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pretrained.huggingface.recorded import Head, TextRecording
from pretrained.huggingface.requests import ReadingRequest
from viz.base.given_maps import TEXT as MAP_PROBLEMS
from viz.base.given_maps import kinds_of_blocks
from viz.base.languages import worded
from viz.base.link_parameters import Text, labelled
from viz.base.markdown import plain
from viz.base.numbers import signed
from viz.base.words import InputError, listed, page_text
from viz.pages.your_model.allowed import Permissions, allowed
from viz.pages.your_model.asking import answer_to, keep_loaded, say_problem
from viz.pages.your_model.names import head_name
from viz.pages.your_model.sources import Models, choose_way, missing_folder, model_label, why_no_model
from viz.pages.your_model.state import (
    EXAMPLE_MODEL,
    ExplorerContent,
    Kinds,
    ModelInputs,
    ModelPlace,
    ModelReading,
    OffHeads,
    Recordings,
    have_same_tokens,
    heads_of,
)
from viz.pages.your_model.study.notebook_file import notebook_of
from viz.pages.your_model.uploading import NEWLY_SENT, say_uploaded
from viz.shell.controls import download, select, text_input, warn_bad_links
from viz.shell.link import link_decides
from viz.shell.state import keep_in_session, kept, linked_value, set_link

TEXT = page_text("pages/your_model/own_model")
MOST_CHARACTERS, MOST_TOKENS = 5_000, 1_024
# Of 12 layers of 12 heads, with as many tokens. They stay in a file; the system keeps in memory what is looked at.
_MOST_WEIGHTS = 160_000_000
_TEXT = Text("own-text", TEXT["example text"], MOST_CHARACTERS)
_TARGET = Text("own-target", "", MOST_CHARACTERS)
_SECOND = Text("own-second", "", MOST_CHARACTERS)
_OFF = OffHeads("own-off", ())
_CHOSEN, _ASKED = "own-chosen", "own-asked"
NEW_BESIDE = "own-new-beside"
"""Whether two models were just read, which are then shown side by side."""
# Of the masks of a text, those that are said in words; and of very many heads that are off.
_MOST_SAID = 3
_NOTEBOOK = "heads.ipynb"

Choose = Callable[[Kinds], Sequence[Head]]


def from_example(warnings: DeltaGenerator, kinds: Kinds, chosen: Choose) -> ExplorerContent | None:
    """Draw the box for a text of the example's model, and return its recording; None for the shipped one.

    Args:
        warnings: where to say what is wrong.
        kinds: the recording that ships, of the text that the box has at first.
        chosen: returns the heads of a recording that are chosen in the picture.
    """
    warn_bad_links(warnings, [_TEXT, _OFF])
    with st.container(horizontal=True, vertical_alignment="bottom", key="own-controls"):
        text = text_input(_TEXT, TEXT["text"])
        st.button(TEXT["read"])
    st.session_state.pop(_ASKED, None)
    asked = ModelInputs(EXAMPLE_MODEL, text, "", "", _off(EXAMPLE_MODEL))
    last = _last_of_example(kinds)
    if asked != last.asked:
        _read(asked, allowed(), warnings)
        keep_loaded()
        last = _last_of_example(kinds)
    _choose_off(last, chosen)
    if kept(Recordings) is not last:
        return None
    _say(last)
    return _seen(last)


def _last_of_example(kinds: Kinds) -> Recordings:
    """Return what the example's model read last; before that, the recording that ships."""
    last = kept(Recordings)
    if last is not None and last.asked.model == EXAMPLE_MODEL:
        return last
    return Recordings(ModelInputs(EXAMPLE_MODEL, _TEXT.default, "", "", ()), ModelReading(kinds, (), None, None), None)


def from_model(warnings: DeltaGenerator, controls: DeltaGenerator, chosen: Choose) -> ExplorerContent | None:
    """Draw the choice of a model and the box for a text, and return what was read last; None before that.

    Args:
        warnings: where to say what is wrong.
        controls: where the ways to a model are chosen.
        chosen: returns the heads of a recording that are chosen in the picture.
    """
    may = allowed()
    if not may.ways:
        st.info(TEXT["not allowed"])
        return None
    way, models = choose_way(may, warnings, controls, into="model")
    if not models:
        missing = missing_folder() if way == "folder" else None
        st.caption(TEXT["no folder"].format(path=missing) if missing else TEXT[f"no models {way}"])
        if way == "folder" and (problem := why_no_model()):
            say_problem(problem, warnings)
        return None
    asked, is_asked = _ask_for(way, models, warnings)
    is_newly_asked = [st.session_state.pop(key, False) for key in (_ASKED, NEWLY_SENT)]
    if is_asked or any(is_newly_asked):
        _read(asked, may, warnings)
    keep_loaded()
    last = kept(Recordings)
    if last and last.asked.model == EXAMPLE_MODEL:
        last = None
    _choose_off(last if last and last.asked.model == asked.model else None, chosen)
    if last is None:
        st.caption(TEXT["until then"])
        return None
    if last.asked != asked:
        st.caption(TEXT["read before"])
    _say(last)
    if may.is_local and way != "upload":
        _offer_notebook(last.asked, may.most_bytes)
    if last.beside is not None and last.asked.beside is not None:
        return _beside(last, last.beside, last.asked.beside.label)
    return _seen(last)


def _seen(last: Recordings) -> ExplorerContent:
    """Return what is to be seen of a model alone: a reading, and one without some of its heads."""
    if last.changed is None:
        return ExplorerContent(TEXT["see"].format(name=plain(last.asked.model.label)), last.whole.kinds)
    off = _named(last.asked.off)
    words = TEXT["see without"].format(name=plain(last.asked.model.label), heads=off)
    return ExplorerContent(words, last.changed.kinds, last.whole.kinds, (TEXT["without short"], TEXT["whole"]))


def _ask_for(way: str, models: Models, warnings: DeltaGenerator) -> tuple[ModelInputs, bool]:
    """Draw the choice among ``models`` and the text boxes; return the request, and whether to read it."""
    field = labelled("model", {label: model_label(way, place) for label, place in models.items()})
    beside_field = labelled("own-beside", worded(["", *models], lambda name: name or TEXT["none beside"]))
    warn_bad_links(warnings, [field, beside_field, _TEXT, _SECOND, _TARGET, _OFF])
    with st.container(horizontal=True, vertical_alignment="bottom", key="own-controls"):
        name = select(field, TEXT["model"], width=230)
        beside = select(beside_field, TEXT["beside"], width=190)
        text = text_input(_TEXT, TEXT["text"])
        with st.popover(TEXT["more"]):
            second = text_input(_SECOND, TEXT["second"], placeholder=TEXT["second placeholder"])
            target = text_input(_TARGET, TEXT["target"], placeholder=TEXT["target placeholder"])
        is_asked = st.button(TEXT["read"])
    if way == "upload":
        say_uploaded(name)
    return ModelInputs(models[name], text, second, target, _off(models[name]), models.get(beside)), is_asked


def _offer_notebook(asked: ModelInputs, most_bytes: int) -> None:
    """Draw what saves a notebook that reads the same; where it runs, the model must lie at the same place."""
    folder = str(Path(asked.model.root, asked.model.name))
    title = TEXT["notebook title"].format(name=asked.model.label)
    words = {"install": TEXT["notebook install"], "files": TEXT["notebook files"]}
    download(TEXT["notebook"], partial(notebook_of, asked, folder, most_bytes, title=title, **words), _NOTEBOOK)


def _beside(last: Recordings, beside: ModelReading, name: str) -> ExplorerContent:
    """Return both models' recordings, and their difference only where all tokens are the same.

    These are the tokens that both read and write.
    """
    kinds = last.shown.kinds
    is_same = have_same_tokens(kinds, beside.kinds)
    words = TEXT["see beside" if is_same else "see beside apart"]
    return ExplorerContent(
        words.format(name=plain(last.asked.model.label), beside=plain(name)),
        kinds,
        beside.kinds,
        (last.asked.model.label, name),
        "" if is_same else TEXT["no difference"],
    )


def _off(model: ModelPlace) -> tuple[Head, ...]:
    """Return the heads that are off: as chosen, or by the link at first; another model begins with none."""
    last = kept(Recordings)
    if link_decides(_CHOSEN, _OFF.key) or _CHOSEN not in st.session_state:
        st.session_state[_CHOSEN] = [*linked_value(_OFF)]
    elif last and last.asked.model != model and {*st.session_state[_CHOSEN]} <= {*last.asked.off}:
        st.session_state[_CHOSEN] = []
    off = tuple(sorted(st.session_state[_CHOSEN]))
    set_link(_OFF, off)
    return off


def _choose_off(last: Recordings | None, chosen: Choose) -> None:
    """Draw what is switched off among the heads of the model, where they are known."""
    off = st.session_state[_CHOSEN]
    kinds = last.shown.kinds if last else ()
    options = sorted({*heads_of(kinds), *off})
    if not options:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="own-heads"):
        # A widget that was not drawn for a while forgets its value.
        st.session_state[_CHOSEN] = off
        st.multiselect(
            TEXT["off"],
            options,
            format_func=head_name,
            key=_CHOSEN,
            on_change=_ask,
            placeholder=TEXT["off placeholder"],
            help=TEXT["off help"],
            width="stretch",
        )
        st.button(TEXT["switch off"], on_click=_switch_off, args=(kinds, chosen), disabled=not kinds)


def _switch_off(kinds: Kinds, chosen: Choose) -> None:
    st.session_state[_CHOSEN] = sorted({*st.session_state[_CHOSEN], *chosen(kinds)})
    _ask()


def _ask() -> None:
    st.session_state[_ASKED] = True


def _read(asked: ModelInputs, may: Permissions, warnings: DeltaGenerator) -> None:
    """Have the session hold what ``asked`` is about; where that cannot be read, say why."""
    request = ReadingRequest(
        root=asked.model.root,
        name=asked.model.name,
        most_bytes=may.most_bytes,
        text=asked.text,
        target=asked.target or None,
        most_tokens=MOST_TOKENS,
        most_numbers=_MOST_WEIGHTS,
        second=asked.second or None,
        off=asked.off,
    )
    requests = [request]
    if asked.beside:
        requests.append(replace(request, root=asked.beside.root, name=asked.beside.name, off=()))
    recordings = []
    for one in requests:
        readings = answer_to(one, warnings)
        if readings is None:
            return
        recordings.append(readings)
    try:
        whole, *changed = map(_reading, recordings[0])
        beside = _reading(recordings[1][0]) if asked.beside else None
    except InputError as error:
        warnings.warning(error.sentence(MAP_PROBLEMS))
        return
    keep_in_session(Recordings(asked, whole, next(iter(changed), None), beside))
    if beside is not None:
        st.session_state[NEW_BESIDE] = True


def _reading(recording: TextRecording) -> ModelReading:
    return ModelReading(
        kinds_of_blocks(recording.blocks),
        recording.predictions,
        recording.written,
        recording.log_probability,
        recording.has_sinks,
    )


def _say(last: Recordings) -> None:
    """Say what the whole model finds of the text, and below what it does without the heads that are off."""
    readings = [(TEXT["whole"], last.whole)]
    if last.changed:
        readings.append((TEXT["without"].format(heads=_named(last.asked.off)), last.changed))
    if last.beside and last.asked.beside:
        readings.append((plain(last.asked.beside.label), last.beside))
    lines = [
        line for lines in zip(*(_lines(name, reading) for name, reading in readings), strict=False) for line in lines
    ]
    if lines:
        st.markdown("  \n".join(lines))
    if last.shown.has_sinks:
        st.caption(TEXT["sinks"].format(share=f"{_share_of_sinks(last.shown.kinds):.0%}"))


def _share_of_sinks(kinds: Kinds) -> float:
    """Return which part of a row goes to no token, in the mean over all rows."""
    return float(1 - np.mean([kind.weights.sum(axis=-1).mean() for kind in kinds]))


def _lines(name: str, reading: ModelReading) -> list[str]:
    if reading.written is not None and reading.log_probability is not None:
        value = signed(reading.log_probability)
        return [TEXT["written"].format(reading=name, text=plain(reading.written) or TEXT["nothing"], value=value)]
    return [
        TEXT["next token" if one.place is None else "mask"].format(
            reading=name,
            place=(one.place or 0) + 1,
            candidates=" · ".join(
                TEXT["candidate"].format(token=plain(token), share=f"{share:.1%}") for token, share in one.candidates
            ),
        )
        for one in reading.predictions[:_MOST_SAID]
    ]


def _named(heads: Sequence[Head]) -> str:
    """Return the names of ``heads``; of many, the first and how many more."""
    named = listed(map(head_name, heads[:_MOST_SAID]))
    return TEXT["and more"].format(heads=named, n=len(heads) - _MOST_SAID) if len(heads) > _MOST_SAID else named
