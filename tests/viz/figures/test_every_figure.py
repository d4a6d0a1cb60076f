"""Every figure draws every value that it is given, also one far from the others; a new figure has to be listed here."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go
import pytest

import viz.figures
import viz.pages
from viz.base.colours import PALETTES, LineLook, Theme
from viz.figures.base import in_theme
from viz.figures.cliff import Seeds
from viz.pages.ablations.figures.differences import Differences
from viz.pages.choose_encoding.figures.duel import DuelMark
from viz.pages.choose_encoding.figures.judged import JudgedRow
from viz.pages.length_generalization.figures.against_length import LengthAxes
from viz.pages.length_generalization.figures.layers import LayerLine
from viz.pages.parsing.figures.tree import DrawnNode
from viz.pages.transformer_xl.figures.distance import Words

AXES = {"x_name": "x", "y_name": "y"}
RNG = np.random.default_rng(5)
SQUARE = RNG.dirichlet(np.ones(3), size=3).astype(np.float32)
NAMES, CELLS = ("a", "b", "c"), [["x"] * 3] * 3
LOOK = LineLook("#000000", "solid")


def curve(far: float) -> np.ndarray:
    return np.array([0.1, 0.5, far])


# How each is drawn with one value ``far`` from the others, and how many values it is given; an empty axis is 0.
CASES: dict[str, tuple[Callable[[Callable[..., go.Figure], float], go.Figure], int]] = {
    "bars": (lambda draw, far: draw(NAMES, {"one": curve(far)}, y_name="y"), 3),
    "cliff": (
        lambda draw, far: draw(
            {"one": Seeds((1, 2, 3), curve(far)[None], 0)}, longest_trained=2, marked="m", y_range=None, **AXES
        ),
        3,
    ),
    "growth": (lambda draw, far: draw({"one": ([1, 2, 3], curve(far).tolist())}, colours={"one": 0}, **AXES), 3),
    "horizontal": (lambda draw, far: draw(NAMES, {"one": curve(far), "two": curve(1)}, x_name="x"), 6),
    "towers": (
        lambda draw, far: draw({"one": {"layer 1": {"a": 2, "b": round(1e6 * far)}}}, blocks=["a", "b"], name="n"),
        2,
    ),
    "lines": (lambda draw, far: draw(np.arange(3.0), {"one": curve(far)}, **AXES), 3),
    "position_map": (
        lambda draw, far: draw(SQUARE * np.float32(far), row_name="r", column_name="c", hover="{row}"),
        9,
    ),
    "spread": (lambda draw, far: draw([1, 2, 3], {"one": np.stack([curve(far)] * 3)}, **AXES), 9),
    "token_map": (
        lambda draw, _: draw(SQUARE, rows=NAMES, columns=NAMES, hover="{row}", row_height=20),
        9,
    ),
    "differences": (
        lambda draw, far: draw(
            [Differences("one", {1: -0.5, 2: 0.25, 3: -far}, 0.4)], legend=("s", "m", "o"), x_name="x"
        ),
        4,
    ),
    "duel": (
        lambda draw, far: draw(
            NAMES, {"one": [DuelMark(value, "") for value in curve(far)]}, looks={"one": LOOK}, x_name="x"
        ),
        3,
    ),
    "judged": (
        lambda draw, far: draw(
            [
                JudgedRow(name, value, None, kind, "")
                for kind, (name, value) in enumerate(zip(NAMES, curve(far), strict=True))
            ],
            legend=("1", "2", "3", "4"),
            x_name="x",
        ),
        3,
    ),
    "alignment_map": (
        lambda draw, _: draw(
            SQUARE,
            source=NAMES,
            target=NAMES,
            sure=frozenset({(0, 0)}),
            possible=frozenset(),
            links=frozenset(),
            hover="{row}",
        ),
        9,
    ),
    "measure_grid": (
        lambda draw, far: draw(SQUARE * far, rows=NAMES, hovers=CELLS, marked=None, highest=far),
        9,
    ),
    "pruning_curves": (
        lambda draw, far: draw({"one": (np.arange(3) / 3, -curve(far))}, {}, level=None, **AXES),
        3,
    ),
    "attribution_grid": (
        lambda draw, far: draw(
            SQUARE.astype(float) * far,
            curve(far),
            names=NAMES,
            sums=[("sum", far)],
            head_hovers=CELLS,
            row_hovers=NAMES,
            headings=("h", "t"),
        ),
        12,
    ),
    "cost_curves": (
        lambda draw, far: draw({"one": curve(far)}, values=NAMES, own=0, chosen=("one", 1), own_name="own", **AXES),
        3,
    ),
    "lens_grid": (
        lambda draw, _: draw(
            SQUARE,
            CELLS,
            CELLS,
            is_marked=np.zeros((3, 3), dtype=bool),
            steps=NAMES,
            columns=NAMES,
            column_width=90,
        ),
        9,
    ),
    "pattern_map": (
        lambda draw, _: draw(SQUARE, title="t", queries=NAMES, keys=NAMES, hover="{row}", is_edited=[False] * 3),
        9,
    ),
    "worth_grid": (
        lambda draw, far: draw(
            SQUARE.astype(float) * far, rows=NAMES, words=NAMES, hovers=CELLS, beside=("t", NAMES), after=1
        ),
        9,
    ),
    "before_after": (
        lambda draw, _: draw(
            {1: 0.5, 2: 0.9},
            {1: 0.1, 2: 0.2},
            names=("b", "a"),
            colour="#000000",
            axes=LengthAxes(1, "x", "y", "m"),
        ),
        4,
    ),
    "layers": (
        lambda draw, far: draw(NAMES, {"one": LayerLine(curve(far)[None], "#000000", "solid")}, **AXES),
        3,
    ),
    "ranking": (
        lambda draw, _: draw(NAMES, [0.1, 0.5, 1.0], colours=["#000000"] * 3, legend=("h", "p"), x_name="x"),
        3,
    ),
    "snapshots": (
        lambda draw, _: draw((1, 2, 3), NAMES, RNG.random((2, 3, 3)), axes=LengthAxes(2, "x", "y", "m")),
        18,
    ),
    "tree_figure": (lambda draw, _: draw([DrawnNode("S", 0, 2, 0, "told")], ("a", "b"), (0.1, 0.9)), 1),
    "aligned": (lambda draw, far: draw({"one": SQUARE * np.float32(far)}, NAMES, hover="{row}"), 9),
    "heatmap": (lambda draw, _: draw(SQUARE, NAMES, NAMES), 9),
    "cells": (lambda draw, far: draw(SQUARE * far, hover="{row}", height=200), 9),
    "mosaic": (lambda draw, _: draw({"one": SQUARE, "two": SQUARE}, per_row=2, height=200), 18),
    "attention_by_distance": (
        lambda draw, _: draw(SQUARE[None], Words(NAMES, ("L1",), "x", "{row} {distance} {value}")),
        9,
    ),
    "term_by_distance": (
        lambda draw, far: draw(SQUARE[None] * np.float32(far), Words(NAMES, ("L1",), "x", "{row} {distance} {value}")),
        9,
    ),
    "layer_paths": (lambda draw, _: draw(NAMES, {"one": curve(0.9)}, y_name="y"), 3),
    "score_grid": (
        lambda draw, far: draw(SQUARE * far, queries=NAMES, keys=NAMES, hovers=CELLS),
        9,
    ),
    "circuit_curves": (
        lambda draw, far: draw(
            {name: (curve(y), [True, False, True]) for name, y in {"a": far, "b": 0, "c": 1}.items()},
            sizes=[1, 2, 3],
            whole=0.5,
            chosen=2,
            whole_name="w",
            **AXES,
        ),
        9,
    ),
    "spread_map": (
        lambda draw, far: draw(SQUARE * np.float32(far), NAMES, [1], x_name="x", y_name="y", hover="{value}"),
        9,
    ),
}


def figures() -> dict[str, Callable[..., go.Figure]]:
    """Return every function that draws a figure, but the empty canvases that others begin with."""
    packages = [module.name for module in pkgutil.walk_packages(viz.figures.__path__, "viz.figures.")]
    pages = [module.name for module in pkgutil.walk_packages(viz.pages.__path__, "viz.pages.")]
    modules = [importlib.import_module(name) for name in (*packages, *(page for page in pages if ".figures." in page))]
    return {
        name: function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and inspect.get_annotations(function).get("return") is go.Figure
        and name[0] != "_"
        and name not in ("against_length", "canvas", "in_theme", "row_canvas")
    }


def drawn(figure: go.Figure) -> int:
    """Count the values on the picture: points inside of both axes, bars, cells, what is written beside."""
    return sum(_drawn(trace, figure) for trace in figure.data)


def _drawn(trace: go.Scatter | go.Bar | go.Heatmap | go.Image, figure: go.Figure) -> int:
    if trace.type in ("heatmap", "image"):
        z = trace.z if trace.z is not None else np.zeros(0)
        cells = np.asarray(z, dtype=object)
        return cells.shape[0] * cells.shape[1] if cells.ndim > 1 else cells.size
    n = max(len(axis) for axis in (trace.x, trace.y) if axis is not None)
    x, y = (
        np.asarray([np.nan if value is None else value for value in (range(n) if axis is None else axis)])
        for axis in (trace.x, trace.y)
    )
    inside = np.ones(len(x), dtype=bool)
    for values, axis in ((x, figure.layout.xaxis), (y, figure.layout.yaxis)):
        if values.dtype.kind not in "fiu":
            continue
        inside &= np.isfinite(values)
        if axis.range is not None and axis.type != "log":
            inside &= (values >= min(axis.range)) & (values <= max(axis.range))
    return int(inside.sum())


def test_every_figure_is_here() -> None:
    assert {*CASES} == {*figures()}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("far", [0.9, 40.0])
def test_every_value_is_drawn(name: str, far: float) -> None:
    make, n_given = CASES[name]
    assert drawn(make(figures()[name], far)) >= n_given


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("theme", list(PALETTES))
def test_in_a_theme_every_colour_is_one(name: str, theme: Theme) -> None:
    make, _ = CASES[name]
    figure = make(figures()[name], 0.9)
    assert "var(--" in figure.to_json()
    assert "var(--" not in in_theme(figure, theme).to_json()
