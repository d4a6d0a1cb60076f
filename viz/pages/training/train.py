"""Train: heads of small models while they learn, step by step, in recorded runs for a question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from model.zoo.recording import TrainingRecording
from viz.base.colours import Theme
from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled
from viz.base.numbers import signed
from viz.base.words import listed_apart, page_text
from viz.pages.training.components.player import player, player_data, rested_at
from viz.pages.training.playing import files_of, played, player_words
from viz.pages.training.study.answers import ANSWERS
from viz.pages.training.study.curves import LAYER, best_head, circuits_of
from viz.pages.training.study.shipped import RECORDED, files, first_known, formed, shipped_recordings, shipped_weights
from viz.shared.shipped import cached_while_unchanged
from viz.shell.controls import choose, place_for_warnings, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import offered
from viz.shell.state import linked_value, set_link

TEXT = page_text("pages/training/train")
_QUESTION = labelled("question", worded(RECORDED, lambda name: TEXT[f"question {name}"]))


@dataclass(frozen=True)
class QuestionView:
    """The answer to a question: its curves, and the step from which they show it.

    ``step`` is what a link calls the step that is shown; each question has its own steps.
    """

    step: str
    plots: tuple[str, ...]
    opens_at: Callable[[TrainingRecording], int | None]


QUESTION_VIEWS = {
    "layers": QuestionView("step", ("loss", "held out", "induction"), formed),
    "grokking": QuestionView("grokking-step", ("accuracy", "held out", "weight norm"), first_known),
    "positions": QuestionView("positions-step", ("loss", "held out", "induction"), lambda run: int(run.steps[-1])),
}


@cached_while_unchanged(files, max_entries=len(RECORDED))
def _recordings(question: str) -> tuple[TrainingRecording, ...]:
    return shipped_recordings(question)


def show() -> None:
    """Draw the page."""
    warnings = place_for_warnings()
    warn_bad_links(warnings, [_QUESTION])
    question = choose(_QUESTION, TEXT["ask"])
    try:
        runs = _recordings(question)
    except ValueError:
        st.warning(TEXT["damaged"])
        return
    steps = tuple(map(int, runs[-1].steps))
    summary = f"{steps[0]}, {steps[1]}, … {steps[-1]}"
    field = Choice(QUESTION_VIEWS[question].step, opening_step(question, runs), steps, summary)
    warn_bad_links(warnings, [field])
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        st.markdown(TEXT[f"see {question}"].format(n=int(runs[-1].steps[-1])))
        _show_player(question, runs, field)
        st.markdown(TEXT[f"formula {question}"])
        st.markdown(TEXT[f"paper {question}"])
    with words:
        for paragraph in answer_to(question, runs):
            st.markdown(paragraph)
    st.caption(TEXT[f"made by {question}"].format(seed=runs[-1].watched.seed))
    st.code("\n".join(run.command for run in runs), language="sh", wrap_lines=True)


def _show_player(question: str, runs: tuple[TrainingRecording, ...], field: Choice[int]) -> None:
    # One for each question, so that each opens at its own step.
    key = f"training-player-{question}"
    files = offered(files_of(runs, shipped_weights(question)), key)
    step = linked_value(field)
    # A step that a link names is where the reader wants to be.
    begins = None if step == field.default else step
    data = picture_of(question, runs, opens_at=step, plays_from=begins, shown_in=theme(), files=files)
    player(data, key=key, on_rest=partial(_rest, key, field))


def opening_step(question: str, runs: tuple[TrainingRecording, ...]) -> int:
    """Return the opening step of the picture of ``question``; the last one if its event never comes."""
    step = QUESTION_VIEWS[question].opens_at(runs[-1])
    return int(runs[-1].steps[-1]) if step is None else step


def picture_of(
    question: str,
    runs: tuple[TrainingRecording, ...],
    *,
    opens_at: int,
    plays_from: int | None = None,
    shown_in: Theme,
    files: Sequence[Mapping[str, str]] = (),
) -> bytes:
    """Return the player's payload for the ``runs`` of ``question``, with their names and curves.

    Args:
        question: one of those that were recorded.
        runs: its recordings.
        opens_at: the step that is shown first.
        plays_from: the step that is played first; None for the first one.
        shown_in: light or dark.
        files: what its menu offers besides.
    """
    names, last = TEXT.lines(f"names {question}"), runs[-1]
    ends = listed_apart(
        TEXT[f"alt run {question}"].format(name=name, right=run.held_out[-1], score=best_head(run)[-1])
        for name, run in zip(names, runs, strict=True)
    )
    return player_data(
        [played(run, name, QUESTION_VIEWS[question].plots) for name, run in zip(names, runs, strict=True)],
        tokens=last.tokens,
        opens_at=last.steps.tolist().index(opens_at),
        plays_from=0 if plays_from is None else last.steps.tolist().index(plays_from),
        alt=TEXT["alt"].format(n=last.steps[-1], ends=ends),
        file_name="training",
        theme=shown_in,
        words=player_words(),
        notes=_notes(last),
        files=files,
    )


def _notes(run: TrainingRecording) -> list[str]:
    """Return a line for each frame of a run in which the circuit was traced."""
    return [
        TEXT["circuit"].format(
            layer=LAYER,
            below=LAYER - 1,
            head=circuit.head + 1,
            writes=signed(circuit.writes, 1),
            score=signed(circuit.score, 1),
            composed=signed(circuit.composed, 1),
            first=circuit.first + 1,
        )
        for circuit in circuits_of(run)
    ]


def answer_to(question: str, runs: tuple[TrainingRecording, ...]) -> list[str]:
    """Return, in Markdown, what ``runs`` answer to ``question``, and what to try."""
    claims = (claim(runs).sentence(TEXT, heading) for heading, claim in ANSWERS[question].items())
    return [*filter(None, claims), *(TEXT[f"{part} {question}"] for part in ("what is seen", "what to try"))]


def _rest(key: str, field: Choice[int]) -> None:
    step = rested_at(key)
    if step in field.options:
        set_link(field, step)


if __name__ == "__main__":
    show()
