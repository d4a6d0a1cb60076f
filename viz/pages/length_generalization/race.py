"""The live race: one input, and every published encoding's answer to it as soon as it is written."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import DamagedWeightsError
from model.device import use_one_thread
from model.tasks import Task, TaskInputError, find
from model.tasks.base import Tokens
from pretrained.zoo import ZooModel
from viz.base.exports import columns_as_csv, rows_as_csv
from viz.base.link_parameters import Text
from viz.base.markdown import plain
from viz.base.tokens import shown_piece
from viz.base.words import listed, page_text, paragraph
from viz.figures.lines import lines
from viz.pages.length_generalization.accuracy import not_learned
from viz.pages.length_generalization.attention import show_pinned
from viz.pages.length_generalization.components.answer_line import AnswerLine, answer_line
from viz.pages.length_generalization.names import encoding_look, encoding_title
from viz.pages.length_generalization.state import AskedInput
from viz.pages.length_generalization.study.race import (
    WrittenAnswer,
    answer,
    drawn,
    expected_of,
    longest_answer_trained,
    right_by_token,
    typed,
)
from viz.pages.length_generalization.task import choose_task, say_nothing_here
from viz.shared.encodings import encoding_refusal
from viz.shared.model_words import model_words
from viz.shared.shipped import cached_while_unchanged, damage
from viz.shared.zoo import network, seed_text, shipped, tasks_shipped, weights_file
from viz.shell.controls import download, place_for_warnings
from viz.shell.link import link_decides
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture, with_arrays
from viz.shell.state import keep_in_session, kept, linked_value, set_link

TEXT = page_text("pages/length_generalization/race")
# The page opens on an input this many times as long as the longest in training: there, some encodings are right.
_BEYOND = 1.5
_MAX_SEED = 9999
_MAX_LINK = 10_000
_MAX_ANSWERS = 2048
_CHART = 148


def show() -> None:
    """Draw the page."""
    show_race(*choose_task())


@st.fragment
def show_race(results: pd.DataFrame, task: str) -> None:
    """Draw the race on ``task``; a choice in it draws nothing else again."""
    try:
        models = shipped(task)
    except DamagedWeightsError as error:
        st.warning(TEXT["damaged"].format(reason=damage(error)))
        return
    if not models:
        reason = paragraph([TEXT["none shipped"], "" if results.empty else TEXT["results alone"]])
        say_nothing_here(reason, tasks_shipped())
        return
    inputs = _ask(find(task))
    answers = _race(find(task), inputs, models, not_learned(results, task))
    _offer_download(answers, task)
    show_pinned(find(task), inputs, answers)


def _ask(task: Task) -> Tokens:
    """Return the input: the one typed, drawn or linked, or the last that could be answered."""
    described = task.description
    key = f"race-{described.name}"
    warnings = place_for_warnings()
    opening = typed(task, _opening(task))
    field = Text("input", opening, _MAX_LINK)
    last = kept(AskedInput)
    # The input in the link is that of the task in the link.
    if link_decides("race-input", field.key):
        st.session_state[key] = linked_value(field)
    # On another page each was another widget, which would begin with a value of its own.
    beginnings = {key: opening, f"{key}-length": _opening_length(task), f"{key}-seed": 1}
    st.session_state.update({name: st.session_state.get(name, value) for name, value in beginnings.items()})
    if last is None or last.task != described.name:
        last = AskedInput(described.name)
    low, high = described.train_lengths[0], described.longest
    with st.container(horizontal=True, vertical_alignment="bottom", key="race-ask"):
        text = st.text_input(
            TEXT["input"].format(symbols=model_words(described.symbols)), key=key, persist_state="session"
        )
        for name, least, most in (("length", low, high), ("seed", 1, _MAX_SEED)):
            st.number_input(
                TEXT[name],
                least,
                most,
                step=1,
                key=f"{key}-{name}",
                width=130,
                persist_state="session",
                on_change=_draw,
                args=(task, last, key),
            )
        st.button(TEXT["draw"], on_click=_draw_another, args=(task, last, key))
    if last.trouble:
        warnings.warning(TEXT["cannot draw"].format(reason=plain(last.trouble)))
    keep_in_session(replace(last, trouble=""))
    try:
        inputs = task.parse(text or "")
    except TaskInputError as error:
        message = TEXT["opened" if last.inputs is None else "refused"]
        warnings.warning(message.format(reason=plain(refusal(task, error))))
        return last.inputs or _opening(task)
    keep_in_session(AskedInput(described.name, inputs))
    set_link(field, typed(task, inputs))
    return inputs


def give_drawn(task: str, length: int) -> None:
    """Have the race on ``task`` open on an input of ``length`` that is drawn, as a callback asks for it."""
    key, seed = f"race-{task}", 1
    st.session_state.update({f"{key}-length": length, f"{key}-seed": seed})
    st.session_state[key] = typed(find(task), drawn(find(task), length, seed))


def _opening_length(task: Task) -> int:
    return min(round(task.description.train_lengths[1] * _BEYOND), task.description.longest)


def _opening(task: Task) -> Tokens:
    return drawn(task, _opening_length(task), 1)


def _draw_another(task: Task, last: AskedInput, key: str) -> None:
    st.session_state[f"{key}-seed"] = st.session_state[f"{key}-seed"] % _MAX_SEED + 1
    _draw(task, last, key)


def _draw(task: Task, last: AskedInput, key: str) -> None:
    length, seed = st.session_state[f"{key}-length"], st.session_state[f"{key}-seed"]
    try:
        st.session_state[key] = typed(task, drawn(task, length, seed))
    except TaskInputError as error:
        keep_in_session(replace(last, trouble=refusal(task, error)))


def refusal(task: Task, error: TaskInputError) -> str:
    """Return the sentence, without a full stop, that says why ``task`` refuses an input."""
    values = {**vars(task.description), **error.values}
    values |= {name: model_words(values[name]) for name in ("title", "symbols", "unit")}
    return TEXT[f"input {error.key}"].format(**values)


def _race(
    task: Task, inputs: Tokens, models: tuple[ZooModel, ...], unlearned: Collection[str]
) -> dict[str, WrittenAnswer]:
    """Show each answer as soon as it is written, and return the answers by encoding."""
    described = task.description
    expected = expected_of(task, inputs)
    length, trained = task.length(inputs), described.train_lengths[1]
    facts = {"length": length, "unit": model_words(described.unit), "trained": trained, "answer": len(expected)}
    st.caption(TEXT["of the input"].format(**facts))
    status = st.empty()
    end = longest_answer_trained(described.name)
    end = end if len(expected) - 1 > end else 0
    # Its height is in the style sheet: what came later would move the answers.
    chart = st.container(key="race-chart")
    with st.container(key="race-answers"):
        st.html(_line(AnswerLine(TEXT["right answer"], "", tuple(map(shown_piece, expected)), trained=end)))
        places = [st.empty() for _ in models]
    for model, place in zip(models, places, strict=True):
        place.html(_line(_named(model.run.encoding, TEXT["waiting"])))
    answers: dict[str, WrittenAnswer] = {}
    for number, (model, place) in enumerate(zip(models, places, strict=True)):
        status.caption(TEXT["answering"].format(done=number, total=len(models)))
        try:
            written = _answer(model, described.name, inputs)
        except (DamagedWeightsError, ValueError) as error:
            _show_no_answer(model.run.encoding, error, place)
            continue
        answers[model.run.encoding] = written
        place.html(_line(_answered(model.run.encoding, written, end)))
    right = sum(written.first_wrong is None for written in answers.values())
    status.caption(TEXT["answered"].format(right=right, total=len(models)))
    if answers:
        with chart:
            _draw_right([*answers.values()], described.name, end)
    st.caption(TEXT["key"])
    failed = [name for name in unlearned if name in answers]
    if failed:
        st.caption(TEXT["not learned"].format(encodings=listed(map(encoding_title, failed))))
    # No caption: a link in its grey has too little contrast.
    st.markdown(paragraph([seed_text(models), TEXT["in general"]]))
    return answers


def _draw_right(answers: Sequence[WrittenAnswer], task: str, end: int) -> None:
    """Draw how many of ``answers`` have each token right.

    ``end`` is where training ended, 0 where it is not passed.
    """
    right = right_by_token(answers)
    tokens = np.arange(1, len(right) + 1)
    figure = lines(
        tokens,
        {TEXT["models right"]: right},
        x_name=TEXT["token"],
        y_name=TEXT["right by token"].format(total=len(answers)),
        marks={TEXT["mark"]: end + 0.5} if end else {},
        height=_CHART,
    )
    figure.update_traces(line_shape="hvh")
    columns = {TEXT["token"]: tokens, TEXT["models right"]: right}
    draw_picture(
        figure,
        key="race-right",
        file_name=f"race-{task}",
        alt=TEXT["alt right"].format(listed=listed(map(str, right)), total=len(answers)),
        files=with_arrays(File(TEXT["numbers"], lambda: columns_as_csv(columns), f"race-{task}-right.csv")),
    )


@cached_while_unchanged(
    lambda model, *_: [weights_file(model)],
    max_entries=_MAX_ANSWERS,
    key=lambda model, task, inputs: (model.sha256, task, inputs),
)
def _answer(model: ZooModel, task: str, inputs: Tokens) -> WrittenAnswer:
    use_one_thread()
    return answer(network(model), find(task), inputs)


def _show_no_answer(encoding: str, error: Exception, place: DeltaGenerator) -> None:
    reason = damage(error) if isinstance(error, DamagedWeightsError) else encoding_refusal(error)
    with place.container():
        st.html(_line(_named(encoding, TEXT["no answer"])))
        st.caption(plain(_sentence(reason)))


def _answered(encoding: str, written: WrittenAnswer, end: int) -> AnswerLine:
    verdict = TEXT["all right"].format(total=len(written.expected))
    if written.first_wrong is not None:
        verdict = TEXT["first wrong"].format(place=written.first_wrong + 1)
    tokens = tuple(map(shown_piece, written.written))
    return AnswerLine(
        encoding_title(encoding), verdict, tokens, written.is_right, encoding_look(encoding).swatch, trained=end
    )


def _named(encoding: str, verdict: str) -> AnswerLine:
    return AnswerLine(encoding_title(encoding), verdict, swatch=encoding_look(encoding).swatch)


def _line(line: AnswerLine) -> str:
    return answer_line(line, theme=theme(), mark_name=TEXT["mark"])


def _sentence(message: str) -> str:
    return message[:1].upper() + message[1:]


def _offer_download(answers: Mapping[str, WrittenAnswer], task: str) -> None:
    headings = [TEXT[key] for key in ("encoding", "place", "written", "expected")]
    rows = [
        [encoding_title(name), place, *pair]
        for name, line in answers.items()
        for place, pair in enumerate(zip(line.written, line.expected, strict=False), start=1)
    ]
    download(TEXT["download"], lambda: rows_as_csv(headings, rows), f"race-{task}.csv")
