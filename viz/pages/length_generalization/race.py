"""The live race: one input, and what every published encoding answers to it, as the answers come."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import DamagedWeightsError
from model.device import use_one_thread
from model.tasks import Task, TaskInputError, find
from model.tasks.base import Tokens
from pretrained.zoo import ZooModel
from viz.base.exports import rows_as_csv
from viz.base.markdown import plain
from viz.base.tokens import shown_piece
from viz.base.words import page_text
from viz.pages.length_generalization.attention import show_pinned
from viz.pages.length_generalization.components.answer_line import AnswerLine, answer_line
from viz.pages.length_generalization.names import encoding_look, encoding_title
from viz.pages.length_generalization.state import Stamp, network, shipped, weights_stamp
from viz.pages.length_generalization.study.race import Answer, answer, drawn, expected_of, longest_answer_trained, typed
from viz.shell.controls import download, place_for_warnings
from viz.shell.encodings import encoding_refusal
from viz.shell.link import write_link
from viz.shell.page import theme
from viz.shell.shipped import damage

TEXT = page_text("pages/length_generalization/race")
_LINK = "input"
# What the page opens on is beyond training by this much: some encodings are still right there, and others are not.
_BEYOND = 1.5
_MOST_DRAWS = 9999


@st.fragment
def show_race(task: str) -> None:
    """Draw the race on ``task``; what happens in it draws nothing else again."""
    st.header(TEXT["title"], anchor=False)
    try:
        models = shipped(task)
    except DamagedWeightsError as error:
        st.warning(TEXT["damaged"].format(reason=damage(error)))
        return
    if not models:
        st.markdown(TEXT["none shipped"])
        st.code(TEXT["command"].format(task=task), language=None, wrap_lines=True)
        return
    inputs = _ask(find(task))
    answers = _race(find(task), inputs, models)
    _offer_download(answers, task)
    show_pinned(find(task), inputs, answers)


def _ask(task: Task) -> Tokens:
    """Return the input: the one typed, drawn or linked, or the last that could be answered."""
    described = task.description
    key = f"race-{described.name}"
    warnings = place_for_warnings()
    _fill(task, key)
    low, high = described.train_lengths[0], described.longest
    with st.container(horizontal=True, vertical_alignment="bottom", key="race-ask"):
        text = st.text_input(TEXT["input"].format(symbols=described.symbols), key=key)
        length = st.number_input(TEXT["length"], low, high, _opening_length(task), 1, key=f"{key}-length", width=130)
        seed = st.number_input(TEXT["seed"], 1, _MOST_DRAWS, 1, 1, key=f"{key}-seed", width=130)
        st.button(TEXT["draw"], on_click=_draw, args=(task, key, length, seed))
    if (trouble := st.session_state.pop(f"{key}-trouble", None)) is not None:
        warnings.warning(TEXT["cannot draw"].format(reason=plain(trouble)))
    good = st.session_state.get(f"{key}-good")
    try:
        inputs = task.parse(text or "")
    except TaskInputError as error:
        message = TEXT["opened" if good is None else "refused"]
        warnings.warning(message.format(reason=plain(refusal(task, error))))
        return good or _opening(task)
    st.session_state[f"{key}-good"] = inputs
    write_link({_LINK: None if inputs == _opening(task) else typed(task, inputs)})
    return inputs


def _fill(task: Task, key: str) -> None:
    """Put an input into the field when it is first there: the one linked, else one that is drawn."""
    state = st.session_state
    if key in state:
        return
    linked = None if "race opened" in state else st.query_params.get(_LINK)
    state["race opened"] = True
    state[key] = typed(task, _opening(task)) if linked is None else linked


def _opening_length(task: Task) -> int:
    return min(round(task.description.train_lengths[1] * _BEYOND), task.description.longest)


def _opening(task: Task) -> Tokens:
    return drawn(task, _opening_length(task), 1)


def _draw(task: Task, key: str, length: int, seed: int) -> None:
    try:
        st.session_state[key] = typed(task, drawn(task, length, seed))
    except TaskInputError as error:
        st.session_state[f"{key}-trouble"] = refusal(task, error)


def refusal(task: Task, error: TaskInputError) -> str:
    """Return the sentence, without a full stop, that says why ``task`` refuses an input."""
    return TEXT[f"input {error.key}"].format(**{**vars(task.description), **error.values})


def _race(task: Task, inputs: Tokens, models: tuple[ZooModel, ...]) -> dict[str, Answer]:
    """Show each answer as soon as it is there, and return those that there are, by encoding."""
    described = task.description
    expected = expected_of(task, inputs)
    length, trained = task.length(inputs), described.train_lengths[1]
    facts = {"length": length, "unit": described.unit, "trained": trained, "answer": len(expected)}
    st.caption(TEXT["of the input"].format(**facts))
    status = st.empty()
    end = longest_answer_trained(described.name)
    end = end if len(expected) - 1 > end else 0
    with st.container(key="race-answers"):
        st.html(_line(AnswerLine(TEXT["right answer"], "", tuple(map(shown_piece, expected)), trained=end)))
        places = [st.empty() for _ in models]
    for model, place in zip(models, places, strict=True):
        place.html(_line(_named(model.run.encoding, TEXT["waiting"])))
    answers: dict[str, Answer] = {}
    for number, (model, place) in enumerate(zip(models, places, strict=True)):
        status.caption(TEXT["answering"].format(done=number, total=len(models)))
        try:
            found = _answer(weights_stamp(model), model.sha256, described.name, inputs, model)
        except (DamagedWeightsError, ValueError) as error:
            _say_no_answer(model.run.encoding, error, place)
            continue
        answers[model.run.encoding] = found
        place.html(_line(_answered(model.run.encoding, found, end)))
    right = sum(found.first_wrong is None for found in answers.values())
    status.caption(TEXT["answered"].format(right=right, total=len(models)))
    st.caption(TEXT["key"])
    return answers


@st.cache_data(max_entries=2048, show_spinner=False)
def _answer(changed: Stamp, sha256: str, task: str, inputs: Tokens, _model: ZooModel) -> Answer:
    del changed, sha256
    use_one_thread()
    return answer(network(_model), find(task), inputs)


def _say_no_answer(encoding: str, error: Exception, place: DeltaGenerator) -> None:
    reason = damage(error) if isinstance(error, DamagedWeightsError) else encoding_refusal(error)
    with place.container():
        st.html(_line(_named(encoding, TEXT["no answer"])))
        st.caption(plain(_sentence(reason)))


def _answered(encoding: str, found: Answer, end: int) -> AnswerLine:
    total = len(found.expected)
    said = TEXT["all right"].format(total=total)
    if found.first_wrong is not None:
        said = TEXT["first wrong"].format(place=found.first_wrong + 1)
    tokens = tuple(map(shown_piece, found.written))
    return AnswerLine(
        encoding_title(encoding), said, tokens, found.is_right, encoding_look(encoding).swatch, trained=end
    )


def _named(encoding: str, verdict: str) -> AnswerLine:
    return AnswerLine(encoding_title(encoding), verdict, swatch=encoding_look(encoding).swatch)


def _line(line: AnswerLine) -> str:
    return answer_line(line, theme=theme(), mark_name=TEXT["mark"])


def _sentence(message: str) -> str:
    return message[:1].upper() + message[1:]


def _offer_download(answers: Mapping[str, Answer], task: str) -> None:
    headings = [TEXT[key] for key in ("encoding", "place", "written", "expected")]
    rows = [
        [encoding_title(name), place, *pair]
        for name, found in answers.items()
        for place, pair in enumerate(zip(found.written, found.expected, strict=False), start=1)
    ]
    download(TEXT["download"], lambda: rows_as_csv(headings, rows), f"race-{task}.csv")
