"""Checkpoints: what more training does past the trained lengths."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from model.tasks import find
from model.zoo.evaluate import LEARNED
from viz.base.exports import rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.words import listed, listed_apart, page_text, paragraph
from viz.components.table import table
from viz.pages.length_generalization.accuracy import tasks_measured
from viz.pages.length_generalization.figures.against_length import LengthAxes
from viz.pages.length_generalization.figures.snapshots import snapshots
from viz.pages.length_generalization.names import encoding_title, in_order
from viz.pages.length_generalization.study.checkpoints import (
    MIN_CHANGE,
    Checkpoints,
    checkpoints_of,
    encodings_with_checkpoints,
    most_changed,
)
from viz.pages.length_generalization.study.ranking import lengths_tested
from viz.pages.length_generalization.task import choose_task, say_nothing_here
from viz.shared.model_words import model_words, task_title
from viz.shell.computed import computed_once
from viz.shell.controls import place_for_warnings, select, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/length_generalization/checkpoints")
# Of every task and encoding.
_checkpoints_of = computed_once(checkpoints_of, max_entries=512)


def show() -> None:
    """Draw the page."""
    show_checkpoints(*choose_task())


@st.fragment
def show_checkpoints(results: pd.DataFrame, task: str) -> None:
    """Show the checkpoints of one encoding on ``task``, of all its seeds, and say what changed."""
    st.markdown(TEXT["intro"])
    encodings = in_order(encodings_with_checkpoints(results, task))
    if not encodings:
        others = (other for other in tasks_measured(results) if encodings_with_checkpoints(results, other))
        say_nothing_here(TEXT["no snapshots"], others)
        return
    warnings = place_for_warnings()
    by_encoding = {name: _checkpoints_of(results, task, name) for name in encodings}
    choice = labelled("wear", worded(encodings, encoding_title), most_changed(by_encoding))
    warn_bad_links(warnings, [choice])
    encoding = select(choice, TEXT["encoding"].format(task=task_title(task)), width=320)
    checkpoints = by_encoding[encoding]
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_curves(checkpoints, task, encoding)
    with words:
        st.markdown(_summary(checkpoints, task))
        st.html(_table(checkpoints, task))
        st.markdown(paragraph([TEXT["what is seen"], _inputs(checkpoints)]))


def _show_curves(checkpoints: Checkpoints, task: str, encoding: str) -> None:
    described = find(task).description
    longest = described.train_lengths[1]
    figure = snapshots(
        checkpoints.lengths,
        [TEXT["snapshot"].format(step=step) for step in checkpoints.steps],
        checkpoints.exact_match,
        axes=LengthAxes(
            longest_trained=longest,
            x_name=TEXT["length"].format(unit=model_words(described.unit)),
            y_name=TEXT["exact match"],
            marked=TEXT["trained to"].format(length=longest),
        ),
    )
    beyond = checkpoints.beyond.mean(axis=0)
    alt = TEXT["alt"].format(
        task=task_title(task),
        encoding=encoding_title(encoding),
        steps=listed(f"{step:,}" for step in checkpoints.steps),
        seeds=len(checkpoints.seeds),
        said=listed_apart(
            TEXT["alt one"].format(value=value, step=step)
            for value, step in zip(beyond, checkpoints.steps, strict=True)
        ),
    )
    name = f"wear-{task}-{encoding}"
    file = File(TEXT["download"], lambda: _as_csv(checkpoints), f"{name}.csv")
    draw_picture(figure, key=name, file_name=name, alt=alt, files=[file])


def _summary(checkpoints: Checkpoints, task: str) -> str:
    if checkpoints.change is None:
        return TEXT["too few"].format(learned=LEARNED)
    first, last = checkpoints.learned[0], checkpoints.learned[-1]
    lengths = lengths_tested(task)
    changes = listed(
        TEXT["seed change"].format(seed=seed, first=row[first], last=row[last])
        for seed, row in zip(checkpoints.seeds, checkpoints.beyond, strict=True)
    )
    return TEXT[f"change {checkpoints.change}"].format(
        first=checkpoints.steps[first],
        last=checkpoints.steps[last],
        learned=LEARNED,
        moved=MIN_CHANGE,
        from_length=lengths[0],
        to_length=lengths[-1],
        trained_first=checkpoints.trained[:, first].mean(),
        trained_last=checkpoints.trained[:, last].mean(),
        beyond_first=checkpoints.beyond[:, first].mean(),
        beyond_last=checkpoints.beyond[:, last].mean(),
        seeds=TEXT["each seed"].format(changes=changes) if len(checkpoints.seeds) > 1 else "",
    )


def _inputs(checkpoints: Checkpoints) -> str:
    least, most = checkpoints.n_inputs
    return (TEXT["inputs all"] if least == most else TEXT["inputs"]).format(least=least, most=most)


def _table(checkpoints: Checkpoints, task: str) -> str:
    lengths, unit = lengths_tested(task), model_words(find(task).description.unit)
    beyond = TEXT["beyond"].format(unit=unit.capitalize(), first=lengths[0], last=lengths[-1])
    rows = [
        [
            f"{step:,}",
            _each(checkpoints.trained[:, index]),
            _each(checkpoints.beyond[:, index]),
            _number(checkpoints.beyond[:, index].mean()),
        ]
        for index, step in enumerate(checkpoints.steps)
    ]
    return table([TEXT["step"], TEXT["trained"], beyond, TEXT["mean"]], rows)


def _each(values: Sequence[float] | np.ndarray) -> str:
    return listed(map(_number, values))


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def _as_csv(checkpoints: Checkpoints) -> str:
    headings = [TEXT[key] for key in ("csv seed", "csv step", "csv length", "exact match", "csv trained")]
    return rows_as_csv(headings, _csv_rows(checkpoints))


def _csv_rows(checkpoints: Checkpoints) -> Iterable[Sequence[str]]:
    for seed, by_step, trained in zip(checkpoints.seeds, checkpoints.exact_match, checkpoints.trained, strict=True):
        for step, by_length, share in zip(checkpoints.steps, by_step, trained, strict=True):
            for length, value in zip(checkpoints.lengths, by_length, strict=True):
                if not np.isnan(value):
                    yield str(seed), str(step), str(length), f"{value:.4f}", f"{share:.4f}"
