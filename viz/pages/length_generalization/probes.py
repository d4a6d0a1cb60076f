"""Probes: how much of a token's position can be read from each layer of a model."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from model.tasks import find, length_tasks
from pretrained.zoo import zoo_probes
from viz.base.colours import MUTED, coloured
from viz.base.exports import rows_as_csv
from viz.base.languages import worded
from viz.base.link_parameters import labelled
from viz.base.numbers import signed
from viz.base.words import listed, listed_apart, page_text, paragraph
from viz.components.table import table
from viz.figures.cliff import grey_look
from viz.pages.length_generalization.figures.layers import LayerLine, layers
from viz.pages.length_generalization.names import encoding_look, encoding_title, in_order
from viz.pages.length_generalization.study.probes import Scores, by_layer, scores_of, what_probes_read
from viz.pages.length_generalization.task import choose_task, say_nothing_here
from viz.shared.encodings import most_used
from viz.shared.model_words import task_title
from viz.shell.controls import choose, place_for_warnings, select, warn_bad_links
from viz.shell.page import theme
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/length_generalization/probes")

_SUBJECTS = {"trained": "solid", "untrained": "dash", "shuffled": "dot"}
_REGIONS = ("trained", "beyond")
_MEASURES = ("r2", "mean_absolute_error")
_LOWEST = -1.0
# Of the line that the baselines stand beside, and of all others.
_CHOSEN, _OTHER = 3.5, 1.25


def show() -> None:
    """Draw the page."""
    _, task = choose_task()
    show_probes(task)


@st.fragment
def show_probes(task: str) -> None:
    """Show how well position is read from each layer of every model of ``task``.

    One of them stands beside its baselines.
    """
    st.markdown(TEXT["intro"])
    rows = _read()
    scores = {} if rows.empty else scores_of(rows, task)
    encodings = in_order({encoding for encoding, *_ in scores})
    if not encodings:
        probed = {} if rows.empty else {*rows.task}
        say_nothing_here(TEXT["no probes"], (task for task in length_tasks() if task in probed))
        return
    warnings = place_for_warnings()
    regions = labelled("probe-at", worded(_REGIONS, lambda name: TEXT[f"region {name}"]))
    measures = labelled("probe-by", worded(_MEASURES, lambda name: TEXT[f"measure {name}"]))
    probe = labelled("probe", worded(encodings, encoding_title))
    warn_bad_links(warnings, [regions, measures, probe])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        region = choose(regions, TEXT["region"])
        measure = choose(measures, TEXT["measure"])
        encoding = select(probe, TEXT["encoding"], width=220)
    picture, words = st.columns([2, 1], gap="large")
    quiet = {*encodings} - {*most_used(encodings), _read_best(scores, encodings, region), encoding}
    with picture:
        _show(
            _trained(scores, encodings, region, measure, chosen=encoding),
            measure,
            f"probes-{task}",
            TEXT["alt all"].format(task=task_title(task)),
            height=370,
            files=[File(TEXT["download"], lambda: _as_csv(rows, task), f"probes-{task}.csv")],
            quiet={*map(encoding_title, quiet)},
        )
    with words:
        st.markdown(_summary(scores, encoding))
        lines = _subjects(scores, encoding, region, measure)
        alt = TEXT["alt one"].format(encoding=encoding_title(encoding), task=task_title(task))
        _show(lines, measure, f"probes-{task}-{encoding}", alt, height=190)
        st.markdown(TEXT["what is seen"].format(lowest=signed(_LOWEST)))
    _show_table(scores, encodings, region, quiet)
    longest = find(task).description.train_lengths[1]
    st.caption(TEXT["how"].format(longest=longest, twice=2 * longest))


def _read() -> pd.DataFrame:
    try:
        return zoo_probes()
    except (OSError, ValueError):
        st.warning(TEXT["damaged"])
        return pd.DataFrame()


def _read_best(scores: Scores, encodings: tuple[str, ...], region: str) -> str:
    """Return the encoding whose position is read best from some layer."""

    def best(encoding: str) -> float:
        r2 = by_layer(scores, encoding, subject="trained", region=region, measure="r2")
        return -np.inf if r2 is None else float(r2.mean(axis=0).max())

    return max(encodings, key=best)


def _trained(
    scores: Scores, encodings: tuple[str, ...], region: str, measure: str, *, chosen: str
) -> dict[str, LayerLine]:
    lines = {}
    for encoding in encodings:
        values = by_layer(scores, encoding, subject="trained", region=region, measure=measure)
        if values is not None:
            look = encoding_look(encoding)
            lines[encoding_title(encoding)] = LayerLine(
                values, look.colour, look.dash, _CHOSEN if encoding == chosen else _OTHER
            )
    return lines


def _subjects(scores: Scores, encoding: str, region: str, measure: str) -> dict[str, LayerLine]:
    lines = {}
    for subject, dash in _SUBJECTS.items():
        values = by_layer(scores, encoding, subject=subject, region=region, measure=measure)
        if values is not None:
            colour = encoding_look(encoding).colour if subject == "trained" else MUTED
            lines[TEXT[f"subject {subject}"]] = LayerLine(values, colour, dash)
    return lines


def _show(
    lines: dict[str, LayerLine],
    measure: str,
    name: str,
    alt: str,
    *,
    height: int = 300,
    files: Sequence[File] = (),
    quiet: Collection[str] = (),
) -> None:
    if not lines:
        st.markdown(TEXT["nothing here"])
        return
    n_layers = next(iter(lines.values())).values.shape[1]
    labels = [TEXT["input"], *(str(layer) for layer in range(1, n_layers))]
    is_r2 = measure == "r2"
    lowest = max(_LOWEST, min(0.0, *(float(line.values.min()) for line in lines.values()))) if is_r2 else None
    figure = layers(
        labels,
        lines,
        x_name=TEXT["layer"],
        y_name=TEXT[f"axis {measure}"],
        lowest=lowest,
        highest=1.0 if is_r2 else None,
        height=height,
        quiet=quiet,
        others=TEXT["others"].format(n=len(quiet)),
    )
    description = listed_apart(
        TEXT["alt line"].format(name=key, values=listed(signed(value) for value in line.values.mean(axis=0)))
        for key, line in lines.items()
    )
    whole = TEXT["alt"].format(what=alt, axis=TEXT[f"axis {measure}"], said=description)
    draw_picture(figure, key=name, file_name=name, alt=whole, files=files)


def _summary(scores: Scores, encoding: str) -> str:
    """Return where the position can be read and how well, past training too, and what baselines reach."""
    claims = what_probes_read(scores, encoding)
    titles = {"encoding": encoding_title}
    sentences = (claim.sentence(TEXT, f"claim {name}", titles) for name, claim in claims.items())
    return paragraph(sentences) or TEXT["nothing here"]


def _show_table(scores: Scores, encodings: tuple[str, ...], region: str, quiet: Collection[str]) -> None:
    headings = [TEXT["column encoding"], TEXT["column best"], TEXT["column r2"], TEXT["column error"]]
    lines = []
    for encoding in encodings:
        r2, error = (
            by_layer(scores, encoding, subject="trained", region=region, measure=measure) for measure in _MEASURES
        )
        if r2 is not None and error is not None:
            means, errors = r2.mean(axis=0), error.mean(axis=0)
            best = int(means.argmax())
            where = str(best) if best else TEXT["input"]
            lines.append([encoding_title(encoding), where, signed(means[best]), f"{errors[best]:.1f}"])
    looks = [grey_look() if encoding in quiet else encoding_look(encoding) for encoding in encodings]
    st.html(table(headings, lines, swatches=[coloured(look.swatch, theme()) for look in looks]))


def _as_csv(rows: pd.DataFrame, task: str) -> str:
    columns = ["encoding", "seed", "probe_seed", "subject", "region", "layer", "r2", "mean_absolute_error", "n_tokens"]
    return rows_as_csv(columns, rows[rows.task == task][columns].itertuples(index=False))


if __name__ == "__main__":
    show()
