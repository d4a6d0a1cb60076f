"""Where R² rises, and how layers are drawn."""

import numpy as np
import pandas as pd

from viz.figures.cliff import grey_look
from viz.pages.length_generalization.figures.layers import LayerLine, layers
from viz.pages.length_generalization.study.probes import (
    Rise,
    Scores,
    by_layer,
    largest_rise,
    scores_of,
    what_probes_read,
)


def test_scores_are_by_seed_and_layer_whatever_the_order_of_the_rows() -> None:
    rows = [
        {"task": task, "encoding": "rotary", "subject": "trained", "region": "beyond"}
        | {"probe_seed": seed, "layer": layer, "r2": 10.0 * seed + layer}
        for task in ("sort", "copy")
        for layer in (2, 0, 1)
        for seed in (3, 1)
    ]
    scores = scores_of(pd.DataFrame(rows), "sort")
    found = by_layer(scores, "rotary", subject="trained", region="beyond", measure="r2")
    assert found is not None
    assert found.tolist() == [[10, 11, 12], [30, 31, 32]]
    assert by_layer(scores, "rotary", subject="shuffled", region="beyond", measure="r2") is None


def test_the_largest_rise_is_of_the_means_over_seeds() -> None:
    assert largest_rise(np.array([[0.0, 0.5, 1.0, 0.75], [0.0, 0.25, 0.5, 0.75]])) == Rise(1, 0.0, 0.375, 0.75, 2)


def test_what_the_input_tells_is_a_rise_from_nothing() -> None:
    rise = largest_rise(np.array([[0.5, 0.75, 0.5]]))
    assert (rise.layer, rise.before, rise.after) == (0, 0.0, 0.5)


def probed(trained: tuple[float, ...], *, beyond: float, untrained: float) -> Scores:
    """Return scores of one seed: R² by layer, and the same at all layers for the others."""
    values = {("trained", "trained"): trained, ("trained", "beyond"): [beyond] * len(trained)}
    values |= {(subject, "trained"): [untrained] * len(trained) for subject in ("untrained", "shuffled")}
    rows = [
        {"task": "sort", "encoding": "none", "subject": subject, "region": region, "probe_seed": 1}
        | {"layer": layer, "r2": r2, "mean_absolute_error": 10 * (1 - r2)}
        for (subject, region), by_layer in values.items()
        for layer, r2 in enumerate(by_layer)
    ]
    return scores_of(pd.DataFrame(rows), "sort")


def holding(scores: Scores) -> set[str]:
    return {name for name, claim in what_probes_read(scores, "none").items() if claim.holds}


def test_what_is_said_of_a_probe_holds_of_its_scores() -> None:
    assert holding(probed((0.0, 0.9), beyond=0.2, untrained=0.4)) == {"from layer", "beyond", "baselines"}
    assert holding(probed((0.8, 0.9), beyond=0.7, untrained=0.85)) == {"from input"}
    assert holding(probed((0.0, 0.4), beyond=0.3, untrained=0.1)) == {"never", "baselines"}
    assert what_probes_read({}, "none") == {}


def test_lines_are_means_clipped_to_the_picture_and_told_as_they_are() -> None:
    line = LayerLine(np.array([[0.5, -6.0], [1.0, -4.0]]), "#123456", "dash")
    figure = layers(["in", "<b>"], {"<i>": line}, x_name="x", y_name="y", lowest=-1.0, highest=1.0)
    points, mean = figure.data
    assert points.y.tolist() == [0.5, -1, 1, -1]
    assert mean.y.tolist() == [0.75, -1]
    assert mean.customdata.tolist() == [0.75, -5]
    assert mean.name == "&lt;i&gt;"
    assert figure.layout.xaxis.ticktext[1] == "&lt;b&gt;"


def test_quiet_encodings_are_grey_lines_under_the_others_with_one_entry_in_the_legend() -> None:
    line = LayerLine(np.array([[0.5, 1.0]]), "#123456", "dash")
    named = {"vivid": line, "<b>": line, "two": line}
    figure = layers(["in", "1"], named, x_name="x", y_name="y", quiet={"<b>", "two"}, others="2 others")
    *grey, entry = [trace for trace in figure.data if trace.line.color == grey_look().colour]
    assert [trace.name for trace in grey] == ["&lt;b&gt;", "two"]
    assert list(figure.data[:2]) == grey
    assert {trace.legendgroup for trace in grey} == {entry.legendgroup}
    assert [trace.name for trace in figure.data if trace.showlegend is not False] == ["vivid", "2 others"]
    assert len([trace for trace in figure.data if trace.mode == "markers"]) == 1
