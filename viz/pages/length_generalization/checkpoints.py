"""Seeds and wear, a section of the page Length generalization: what more training does past the trained lengths."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from model.tasks import find
from model.zoo.evaluate import LEARNED
from viz.base.exports import rows_as_csv
from viz.base.link_parameters import choice_of
from viz.base.words import page_text
from viz.components.table import table
from viz.pages.length_generalization.figures.snapshots import snapshots
from viz.pages.length_generalization.names import encoding_title, in_order, task_title
from viz.pages.length_generalization.study.checkpoints import MOVED, Wear, encodings_worn, wear
from viz.pages.length_generalization.study.ranking import lengths_tested
from viz.shell.controls import download, place_for_warnings, warn_bad_links
from viz.shell.page import plot_config, theme

TEXT = page_text("pages/length_generalization/checkpoints")


@st.fragment
def show_wear(results: pd.DataFrame, task: str) -> None:
    """Show the snapshots of one encoding on ``task``, of all its seeds, and say what changed."""
    st.header(TEXT["title"], anchor="wear")
    st.markdown(TEXT["intro"])
    encodings = in_order(encodings_worn(results, task))
    if not encodings:
        st.markdown(TEXT["no snapshots"])
        return
    warnings = place_for_warnings()
    warn_bad_links(warnings, [choice_of("wear", map(encoding_title, encodings))])
    encoding = st.selectbox(
        TEXT["encoding"].format(task=task_title(task)),
        encodings,
        format_func=encoding_title,
        key="wear",
        bind="query-params",
        width=320,
    )
    found = wear(results, task, encoding)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        _show_snapshots(found, task, encoding)
        download(TEXT["download"], lambda: _as_csv(found), f"wear-{task}-{encoding}.csv")
    with words:
        st.markdown(_said(found, task))
        st.html(_table(found, task))
        st.markdown(f"{TEXT['what is seen']} {_inputs(found)}")


def _show_snapshots(found: Wear, task: str, encoding: str) -> None:
    described = find(task).description
    longest = described.train_lengths[1]
    figure = snapshots(
        found.lengths,
        [TEXT["snapshot"].format(step=step) for step in found.steps],
        found.exact_match,
        longest_trained=longest,
        theme=theme(),
        x_name=TEXT["length"].format(unit=described.unit),
        y_name=TEXT["exact match"],
        marked=TEXT["trained to"].format(length=longest),
    )
    beyond = found.beyond.mean(axis=0)
    alt = TEXT["alt"].format(
        task=described.title,
        encoding=encoding_title(encoding),
        steps=", ".join(f"{step:,}" for step in found.steps),
        seeds=len(found.seeds),
        said="; ".join(
            TEXT["alt one"].format(value=value, step=step) for value, step in zip(beyond, found.steps, strict=True)
        ),
    )
    config = plot_config(f"wear-{task}-{encoding}")
    st.plotly_chart(figure, theme=None, key=f"wear-{task}-{encoding}", config=config, alt=alt)


def _said(found: Wear, task: str) -> str:
    if found.change is None:
        return TEXT["too few"].format(learned=LEARNED)
    first, last = found.learned[0], found.learned[-1]
    lengths = lengths_tested(task)
    changes = ", ".join(
        TEXT["seed change"].format(seed=seed, first=row[first], last=row[last])
        for seed, row in zip(found.seeds, found.beyond, strict=True)
    )
    return TEXT[f"change {found.change}"].format(
        first=found.steps[first],
        last=found.steps[last],
        learned=LEARNED,
        moved=MOVED,
        from_length=lengths[0],
        to_length=lengths[-1],
        trained_first=found.trained[:, first].mean(),
        trained_last=found.trained[:, last].mean(),
        beyond_first=found.beyond[:, first].mean(),
        beyond_last=found.beyond[:, last].mean(),
        seeds=TEXT["each seed"].format(changes=changes) if len(found.seeds) > 1 else "",
    )


def _inputs(found: Wear) -> str:
    least, most = found.n_inputs
    return (TEXT["inputs all"] if least == most else TEXT["inputs"]).format(least=least, most=most)


def _table(found: Wear, task: str) -> str:
    lengths, unit = lengths_tested(task), find(task).description.unit
    beyond = TEXT["beyond"].format(unit=unit.capitalize(), first=lengths[0], last=lengths[-1])
    rows = [
        [
            f"{step:,}",
            _each(found.trained[:, place]),
            _each(found.beyond[:, place]),
            _number(found.beyond[:, place].mean()),
        ]
        for place, step in enumerate(found.steps)
    ]
    return table([TEXT["step"], TEXT["trained"], beyond, TEXT["mean"]], rows)


def _each(values: Sequence[float] | np.ndarray) -> str:
    return ", ".join(map(_number, values))


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def _as_csv(found: Wear) -> str:
    headings = [TEXT[key] for key in ("csv seed", "csv step", "csv length", "exact match", "csv trained")]
    return rows_as_csv(headings, _csv_rows(found))


def _csv_rows(found: Wear) -> Iterable[Sequence[str]]:
    for seed, by_step, trained in zip(found.seeds, found.exact_match, found.trained, strict=True):
        for step, by_length, share in zip(found.steps, by_step, trained, strict=True):
            for length, value in zip(found.lengths, by_length, strict=True):
                if not np.isnan(value):
                    yield str(seed), str(step), str(length), f"{value:.4f}", f"{share:.4f}"
