"""Figures as the browser's Plotly takes them, in as few digits as a picture shows."""

import json
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
import plotly.graph_objects as go

_DIGITS = 6


def data_of(figure: go.Figure) -> dict[str, Any]:
    """Return ``figure`` as an object of JSON: numbers have six digits, and arrays single precision."""
    data: dict[str, Any] = _short(json.loads(figure.to_json()))
    return data


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
