"""The cliff: accuracy against length for one task, and what was not learned."""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from model.tasks import find
from model.zoo.evaluate import LEARNED
from viz.base.claims import Claim
from viz.base.colours import coloured
from viz.base.exports import rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import Choice, labelled
from viz.base.words import listed, page_text, paragraph
from viz.components.table import table
from viz.figures.cliff import Seeds, cliff, grey_look
from viz.pages.length_generalization.accuracy import (
    TaskAccuracy,
    best,
    during,
    farthest,
    measured,
    measured_at,
    near_twice,
    steps_measured,
    tasks_measured,
)
from viz.pages.length_generalization.names import encoding_title
from viz.pages.length_generalization.path import show_path
from viz.pages.length_generalization.predictions import show_predictions
from viz.pages.length_generalization.published_forms import show_published_forms
from viz.pages.length_generalization.race import give_drawn
from viz.pages.length_generalization.study.claims import past_training
from viz.pages.length_generalization.task import choose_task
from viz.shared.encodings import most_used, with_meanings
from viz.shared.measured import encoding_costs
from viz.shared.model_words import model_words, task_title
from viz.shared.zoo import crasp_results, results, tasks_shipped
from viz.shell.computed import computed_once
from viz.shell.controls import place_for_warnings, select_some, slider, warn_bad_links
from viz.shell.page import open_part, theme
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/length_generalization/cliff")
# The seeds of a row stay on one line, also on a phone.
_SEPARATOR = ",\N{NO-BREAK SPACE}"
_TITLES = {"encoding": encoding_title, "unit": model_words}
# What is said of so few encodings that learned a task.
_OF_FEW: Mapping[object, str] = {0: "past none", 1: "past one"}
# More than there are tasks.
_MAX_TASKS = 32
_MAX_STEPS = 256
# What the slider of training steps ends with.
_BEST = "best"
_measured = computed_once(measured, max_entries=_MAX_TASKS)
_measured_at = computed_once(measured_at, max_entries=_MAX_STEPS)
_steps_measured = computed_once(steps_measured, max_entries=_MAX_TASKS)
_past_training = computed_once(past_training, max_entries=_MAX_TASKS)


def show() -> None:
    """Draw the page."""
    _, task = choose_task()
    show_cliff(task)
    zoo = _read(results)
    show_predictions(zoo, _read(crasp_results))
    show_path(zoo, _read(encoding_costs))
    show_published_forms(zoo)


@st.fragment
def show_cliff(task: str) -> None:
    """Draw what was measured on ``task``, and what was not; a choice in it draws nothing else again."""
    zoo = _read(results)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        if task in tasks_measured(zoo):
            _show_measured(zoo, task)
        else:
            st.markdown(TEXT["not trained"])
            st.code(TEXT["command"].format(task=task), language=None, wrap_lines=True)
    with words:
        for part in ("what is seen", "what to try", "paper"):
            st.markdown(TEXT[part])


def _read(load: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Return what ``load`` does; empty where the file is damaged, which leaves out what it is shown in."""
    try:
        return load()
    except (OSError, ValueError):
        return pd.DataFrame()


def _show_measured(results: pd.DataFrame, task: str) -> None:
    of_task, described = _measured(results, task), find(task).description
    trained, not_learned = of_task.longest_trained, of_task.not_learned
    st.markdown(_what_holds(results, task))
    drawn = st.container()
    shown, is_chosen = _choose_encodings(of_task)
    lengths = sorted({int(length) for seeds in shown.values() for length in seeds.lengths})
    left, right = st.columns(2, gap="large")
    with left:
        length = _choose_length(lengths, trained, model_words(described.unit))
    with right:
        step = _choose_step(_steps_measured(results, task))
    at_step = shown if step is None else _measured_at(results, task, step)
    named = {encoding_title(name): at_step[name] for name in shown}
    quiet = set() if is_chosen else quiet_ones(shown, trained)
    figure = drawn_task(task, named, trained, quiet)
    alt = task_alt(task, listed(named), longest=lengths[-1], trained=trained)
    name, rows = f"cliff-{task}", best(results, task)
    if step is not None:
        alt = paragraph([alt, TEXT["alt step"].format(step=step)])
        name, rows = f"cliff-{task}-{step}", during(results, task, step)
    with drawn:
        if step is not None:
            # Over the picture, which is not what the sentence above is about.
            st.caption(TEXT["after step"].format(step=step))
        file = File(TEXT["download"], lambda: _as_csv(rows), f"{name}.csv")
        draw_picture(figure, key=f"cliff-{task}", file_name=name, alt=alt, files=[file])
    _show_table(named, length, quiet)
    if task in tasks_shipped():
        label = TEXT["answers"].format(length=length, unit=model_words(described.unit))
        st.button(label, on_click=_open_answers, args=(task, length), type="tertiary")
    failed = listed(f"{encoding_title(name)} ({value:.2f})" for name, value in not_learned.items())
    if failed:
        st.markdown(TEXT["not learned"].format(encodings=failed, least=LEARNED))
    if described.guessed:
        st.markdown(TEXT["guessing"].format(share=described.guessed))


def quiet_ones(shown: Mapping[str, Seeds], trained: int) -> set[str]:
    """Return the titles of the encodings that are drawn behind the others, where none was chosen."""
    vivid = {*most_used(shown), farthest(shown, trained)}
    return {encoding_title(name) for name in shown if name not in vivid}


def drawn_task(task: str, named: Mapping[str, Seeds], trained: int, quiet: Collection[str]) -> go.Figure:
    """Return the picture of a task: the encodings by title, those of ``quiet`` behind the others."""
    described = find(task).description
    return cliff(
        named,
        quiet=quiet,
        others=TEXT["others"].format(n=len(quiet)),
        longest_trained=trained,
        x_name=TEXT["length"].format(unit=model_words(described.unit)),
        y_name=TEXT["exact match"],
        marked=TEXT["trained to"].format(length=trained),
        level=(TEXT["by guessing"].format(share=described.guessed), described.guessed) if described.guessed else None,
    )


def task_alt(task: str, encodings: str, *, longest: int, trained: int) -> str:
    """Return what the picture of a task shows, up to the ``longest`` inputs, for those who hear it."""
    guessed = find(task).description.guessed
    alt = TEXT["alt"].format(task=task_title(task), trained=trained, longest=longest, encodings=encodings)
    return paragraph([alt, TEXT["alt guess"].format(share=guessed) if guessed else ""])


def past_sentence(claim: Claim) -> str:
    """Return the words of a claim by `past_training`, which compare nothing where fewer than two learned."""
    few = _OF_FEW.get(claim.values["n"])
    if few is None:
        return claim.sentence(TEXT, "claim past", _TITLES)
    return Claim(True, claim.values).sentence(TEXT, few, _TITLES)


def _what_holds(results: pd.DataFrame, task: str) -> str:
    """Return the claim, and how many encodings it leaves out."""
    of_task = _measured(results, task)
    sentences = [with_meanings(past_sentence(_past_training(results, task)))]
    left_out = len(of_task.by_encoding) - len(of_task.compared)
    if left_out:
        sentences.append(TEXT["not drawn"].format(n=left_out))
    return paragraph(sentences)


def _choose_encodings(of_task: TaskAccuracy) -> tuple[dict[str, Seeds], bool]:
    """Return what to draw, and whether it was chosen."""
    field = labelled("encodings", worded(of_task.by_encoding, encoding_title))
    chosen = select_some(field, TEXT["encodings"], placeholder=TEXT["all encodings"])
    return {name: of_task.by_encoding[name] for name in chosen or of_task.compared}, bool(chosen)


def _choose_length(lengths: list[int], trained: int, unit: str) -> int:
    field = Choice("length", near_twice(lengths, trained), tuple(lengths))
    warn_bad_links(place_for_warnings(), [field])
    return slider(field, TEXT["at length"].format(unit=unit))


def _choose_step(steps: Sequence[int]) -> int | None:
    """Return the training step to show; None for the best checkpoint of each run.

    It is None also where no other was measured.
    """
    if not steps:
        return None
    options = worded((*map(str, steps), _BEST), lambda name: TEXT[_BEST] if name == _BEST else f"{int(name):,}")
    field = labelled("training-step", options, _BEST)
    warn_bad_links(place_for_warnings(), [field])
    chosen = slider(field, TEXT["training step"])
    return None if chosen == _BEST else int(chosen)


def _open_answers(task: str, length: int) -> None:
    give_drawn(task, length)
    open_part("race")


def _show_table(by_encoding: dict[str, Seeds], length: int, quiet: Collection[str]) -> None:
    there = {name: _at(seeds, length) for name, seeds in by_encoding.items() if length in seeds.lengths}
    ranked = sorted(there, key=lambda name: -float(there[name].mean()))
    rows = [
        [
            name,
            f"{there[name].mean():.2f}",
            _SEPARATOR.join(f"{value:.2f}" for value in there[name]),
            str(len(there[name])),
        ]
        for name in ranked
    ]
    headings = [TEXT[name] for name in ("encoding", "mean", "each seed", "seeds")]
    looks = [grey_look() if name in quiet else by_encoding[name].look for name in ranked]
    st.html(table(headings, rows, swatches=[coloured(look.swatch, theme()) for look in looks]))


def _at(seeds: Seeds, length: int) -> np.ndarray:
    values = seeds.values[:, list(seeds.lengths).index(length)]
    known: np.ndarray = values[~np.isnan(values)]
    return known


def _as_csv(rows: pd.DataFrame) -> str:
    rows = rows[["encoding", "seed", "length", "n", "exact_match"]]
    headings = [TEXT[key] for key in ("encoding", "seed", "length of input", "examples", "exact match")]
    return rows_as_csv(headings, ([encoding_title(row[0]), *row[1:]] for row in rows.itertuples(index=False)))


if __name__ == "__main__":
    show()
