"""The benefit of a longer context, and its cost."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from model.analysis.losses.effective_context import THRESHOLD, EffectiveContext
from viz.base.exports import columns_as_csv, rows_as_csv
from viz.base.link_parameters import Choice
from viz.base.words import listed, listed_apart, page_text, paragraph
from viz.components.table import table
from viz.figures.cliff import Seeds, cliff
from viz.figures.growth import growth
from viz.pages.transformer_xl.measured import read_or_warn, show_part
from viz.pages.transformer_xl.names import in_order, model_number, model_title
from viz.pages.transformer_xl.state import context_losses, evaluation_speed
from viz.pages.transformer_xl.study.context import (
    OPENS_AT,
    SHARES,
    ContextLosses,
    by_name,
    by_step,
    context_pays,
    lengths,
    seeds_apart,
)
from viz.pages.transformer_xl.study.context import context_losses as as_losses
from viz.pages.transformer_xl.study.paper import paper
from viz.pages.transformer_xl.study.results import faster_with_memory
from viz.shared.model_words import in_millions, model_words
from viz.shell.controls import place_for_warnings, slider, warn_bad_links
from viz.shell.picture import File, draw_picture

TEXT = page_text("pages/transformer_xl/context")
_HEIGHT = 350
_SLIDER_WIDTH = 420
# The lines of the cost, by their place among the Okabe–Ito colours.
_COSTS = {"memory": 0, "window": 1, "window_absolute": 2}
Runs = dict[tuple[str, int], EffectiveContext]
Steps = dict[int, ContextLosses]


@st.fragment
def show() -> None:
    """Draw what was measured of all models, or say what measures it.

    A choice in it draws nothing else again.
    """
    losses: Steps = read_or_warn(lambda: by_step(map(as_losses, context_losses())), {})
    speed = read_or_warn(lambda: _checked(evaluation_speed()), None)
    pays = context_pays(losses[min(losses)]).sentence(TEXT, "claim pays") if losses else ""
    faster = faster_with_memory(speed).sentence(TEXT, "claim faster") if speed else ""
    st.markdown(paragraph((pays, faster)))
    show_part(
        "context",
        TEXT["context title"],
        TEXT["context command"],
        lambda: _show_context(losses),
        is_there=bool(losses),
    )
    show_part("cost", TEXT["cost title"], TEXT["cost command"], lambda: _show_cost(speed), is_there=speed is not None)


def _show_context(losses: Steps) -> None:
    hardest, step = _choose(losses)
    measured, coarsest = losses[step], losses[max(losses)]
    reached = lengths(measured, hardest=hardest, step=step)
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        headings, rows = _compared(reached, hardest, measured.contexts[0])
        files = [
            File(TEXT["download context"], lambda: rows_as_csv(headings, rows), "effective-context.csv"),
            File(TEXT["download losses"], lambda: _losses_as_csv(measured), "context-losses.csv"),
        ]
        _draw_gains(measured, reached, hardest, step, files)
        with st.expander(TEXT["context table"]):
            st.html(table(headings, rows))
            st.caption(TEXT["context source"].format(paper=paper().paper, source=model_words(paper().context_source)))
            st.markdown(TEXT["context formula"])
    with words:
        facts = {
            "n_places": f"{measured.losses.shape[-1]:,}",
            "n_runs": len(measured.runs),
            "threshold": f"{THRESHOLD:.0%}",
        }
        st.markdown(TEXT["context line"].format(threshold=facts["threshold"]))
        st.markdown(seeds_apart(coarsest).sentence(TEXT, "claim seeds"))
        if measured is not coarsest:
            st.markdown(TEXT["finer"].format(step=coarsest.steps[0], n_runs=len(coarsest.runs)))
        with st.expander(TEXT["context how"]):
            st.markdown(
                TEXT["context seen"].format(**facts, shortest=measured.contexts[0], longest=measured.contexts[-1])
            )


def _choose(losses: Steps) -> tuple[float, int]:
    """Return the share of hardest positions, and the step from context to context."""
    shares = Choice("hardest", OPENS_AT, SHARES, id="{:g}".format)
    steps = Choice("context-step", next(iter(losses)), tuple(losses))
    warn_bad_links(place_for_warnings(), [shares, steps])
    with st.container(horizontal=True, key="curves-context"):
        share = slider(shares, TEXT["hardest"], width=_SLIDER_WIDTH)
        step = slider(steps, TEXT["step"], width=_SLIDER_WIDTH) if len(losses) > 1 else steps.default
    return share, step


def _draw_gains(measured: ContextLosses, reached: Runs, hardest: float, step: int, files: Sequence[File]) -> None:
    contexts = measured.taken_by(step)
    named = {
        model_title(name): Seeds(
            contexts[:-1], np.array([reached[run].gains for run in runs], dtype=np.float64) * 100, model_number(name)
        )
        for name, runs in _grouped(measured).items()
    }
    figure = cliff(
        named,
        longest_trained=None,
        x_name=TEXT["context axis"],
        y_name=TEXT["gain axis"].format(step=step),
        marked="",
        y_range=None,
        height=_HEIGHT,
    )
    figure.add_hline(y=100 * THRESHOLD, line={"width": 1, "dash": "dot", "color": "gray"})
    shortest = contexts[0]
    description = listed_apart(
        f"{model_title(name)} {_length(reached[name, seed], shortest)}" for name, seed in measured.runs
    )
    alt = TEXT["context alt"].format(hardest=f"{hardest:g}", step=step, said=description)
    draw_picture(figure, key="curves-gains", file_name="context-gains", alt=alt, files=files)


def _grouped(measured: ContextLosses) -> dict[str, list[tuple[str, int]]]:
    grouped = by_name(measured.runs)
    return {name: grouped[name] for name in in_order(grouped)}


def _compared(reached: Runs, hardest: float, shortest: int) -> tuple[list[str], list[list[str]]]:
    """Return a table of every model with its length here, by seed, and in the paper where it has one."""
    published: dict[str, list[str]] = {}
    for one in paper().models:
        entry = (
            TEXT["paper length"].format(length=one.lengths[hardest], parameters=in_millions(one.n_parameters, "{n} M"))
            if (hardest in one.lengths)
            else TEXT["no paper share"]
        )
        published.setdefault(one.name, []).append(entry)
    here = by_name(list(reached))
    rows = [
        [
            model_title(name),
            listed(_length(reached[run], shortest) for run in here[name]),
            listed(dict.fromkeys(published.get(name, [TEXT["not in paper"]]))),
        ]
        for name in in_order(here)
    ]
    others = {one.name: model_words(one.title) for one in paper().models if one.name not in here}
    rows += [[title, "–", listed(dict.fromkeys(published[name]))] for name, title in others.items()]
    return [TEXT["model"], TEXT["length here"].format(hardest=f"{hardest:g}"), TEXT["length paper"]], rows


def _length(context: EffectiveContext, shortest: int) -> str:
    """Return the length.

    It is a bound where the first step measured saves too little or the last one enough.
    """
    measured = "at most" if context.length == shortest else "length"
    return TEXT[measured if context.is_reached else "at least"].format(length=context.length)


def _losses_as_csv(measured: ContextLosses) -> str:
    context, run, place = (axis.ravel() for axis in np.indices(measured.losses.shape))
    names = [name for name, _ in measured.runs]
    seeds = [seed for _, seed in measured.runs]
    return columns_as_csv(
        {
            TEXT["model"]: [model_title(names[index]) for index in run],
            TEXT["seed"]: [seeds[index] for index in run],
            TEXT["context axis"]: [measured.contexts[index] for index in context],
            TEXT["place"]: [int(index) + 1 for index in place],
            TEXT["loss"]: measured.losses.ravel(),
        }
    )


def _checked(costs: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return ``costs`` if anything was measured; raises KeyError if it lacks something."""
    if not costs:
        return None
    for row in costs["milliseconds_per_character"]:
        row["context"], *(row[name] for name in _COSTS)
    TEXT["machine"].format(**costs["machine"]), costs["segment_length"]
    return costs


def _show_cost(costs: Mapping[str, Any] | None) -> None:
    if costs is None:
        return
    rows = costs["milliseconds_per_character"]
    contexts = [row["context"] for row in rows]
    curves = {TEXT[f"cost {name}"]: (contexts, [row[name] for row in rows]) for name in _COSTS}
    colours = {TEXT[f"cost {name}"]: number for name, number in _COSTS.items()}
    figure = growth(
        curves,
        colours=colours,
        x_name=TEXT["cost axis"],
        y_name=TEXT["milliseconds"],
        markers=True,
        has_legend=True,
        height=_HEIGHT,
    )
    headings = [TEXT[name] for name in ("cost axis", "cost memory", "cost window", "cost window_absolute", "faster")]
    body = [
        [f"{row['context']:,}", *(_written(row[name]) for name in _COSTS), f"{row['window'] / row['memory']:,.0f}"]
        for row in rows
    ]
    picture, words = st.columns([2, 1], gap="large")
    with picture:
        alt = TEXT["cost alt"].format(said=listed_apart(f"{row[0]}: {row[-1]}" for row in body))
        file = File(TEXT["download cost"], lambda: rows_as_csv(headings, body), "evaluation-speed.csv")
        draw_picture(figure, key="curves-cost", file_name="evaluation-speed", alt=alt, files=[file])
        with st.expander(TEXT["cost table"]):
            st.html(table(headings, body))
    with words:
        st.markdown(TEXT["cost seen"].format(segment_length=costs["segment_length"]))
        reported = listed(
            TEXT["cost ratio"].format(ratio=ratio, length=length) for length, ratio in paper().slowdown.items()
        )
        st.markdown(TEXT["cost paper"].format(reported=reported, source=model_words(paper().speed_source)))
        st.caption(TEXT["machine"].format(**costs["machine"]))


def _written(milliseconds: float) -> str:
    return f"{milliseconds:,.0f}" if milliseconds >= 100 else f"{milliseconds:.3g}"
