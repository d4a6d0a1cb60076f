"""Figures as the browser's Plotly takes them, in as few digits as a picture shows."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.base.colours import Theme
from viz.figures.base import in_theme
from viz.figures.chart import Chart
from viz.site.changes import changes

_DIGITS = 6


def data_of(figure: go.Figure, theme: Theme) -> dict[str, Any]:
    """Return ``figure`` in a theme as an object of JSON.

    Numbers have six digits, and arrays single precision.
    """
    data: dict[str, Any] = _short(json.loads(in_theme(figure, theme).to_json()))
    return data


def in_both_themes(draw: Callable[[Theme], Any]) -> dict[str, Any]:
    """Return what ``draw`` returns in the light, and what is otherwise in the dark."""
    light = draw("light")
    return {"light": light, "dark": changes(light, draw("dark"))}


def drawn(chart: Chart, label: str = "") -> dict[str, Any]:
    """Return ``chart`` as the browser shows it, with its table as a file that is offered as ``label``."""
    return {
        "name": chart.name,
        "heading": chart.heading,
        "alt": chart.alt,
        "figures": in_both_themes(partial(data_of, chart.figure)),
        "table": {"label": label, "name": f"{chart.name}.csv", "content": chart.table()} if chart.table else None,
    }


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, list):
        return [*map(_short, value)]
    if not isinstance(value, dict):
        return value
    if value.get("dtype") == "f8":
        single = np.frombuffer(b64decode(value["bdata"]), "<f8").astype("<f4")
        return value | {"dtype": "f4", "bdata": b64encode(single.tobytes()).decode()}
    return {name: _short(one) for name, one in value.items()}
