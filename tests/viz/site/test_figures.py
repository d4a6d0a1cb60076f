"""Figures of the site keep their numbers to six digits, in half of the bytes."""

import json
from base64 import b64decode

import numpy as np
import plotly.graph_objects as go

from viz.components.browser import header_of, pack, with_less_header
from viz.site.figures import data_of


def test_numbers_have_six_digits_and_arrays_single_precision() -> None:
    values = np.array([1 / 3, 2e6 / 3, -1e-9])
    figure = go.Figure(go.Scatter(x=values, y=["a", "b", "c"], line={"width": 2 / 3}), {"xaxis": {"range": [0, 1 / 7]}})
    data = data_of(figure, "light")
    (trace,) = data["data"]
    kept = np.frombuffer(b64decode(trace["x"]["bdata"]), trace["x"]["dtype"])
    np.testing.assert_allclose(kept, values, rtol=1e-6)
    assert trace["x"]["dtype"] == "f4"
    assert trace["line"]["width"] == 0.666667
    assert trace["y"] == ["a", "b", "c"]
    assert go.Figure(json.loads(json.dumps(data))).layout.xaxis.range == (0, 0.142857)


def test_less_of_a_header_leaves_the_numbers() -> None:
    packed = pack({"view": 1, "words": "long"}, {"rows": np.arange(3, dtype=np.float32)})
    less = with_less_header(packed, ("view",))
    assert header_of(less).keys() == {"view", "blocks"}
    assert less.endswith(np.arange(3, dtype="<f4").tobytes())
    assert int.from_bytes(less[:4], "little") % 4 == 0
