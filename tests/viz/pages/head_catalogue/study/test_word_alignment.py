"""Alignment error rates as the page shows them, and one pair as a shipped head links it."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from model.analysis.maps.aligning_maps import Aligner
from model.decoding.translator import Translator
from pretrained.alignments import gold_pairs
from viz.pages.head_catalogue.study.aligned_pair import align
from viz.pages.head_catalogue.study.published import published_alignment
from viz.pages.head_catalogue.study.word_alignment import alignment_of, parts_of, reading

# By layer, head and step; head 0 is the mean.
ERRORS = {(1, 0): (0.5, 0.4), (1, 1): (0.6, 0.2), (1, 2): (0.7, 0.8), (2, 0): (0.3, 0.9), (2, 1): (0.3, 0.7)}
ERRORS |= {(2, 2): (0.4, 0.6), (0, 0): (0.35, 0.65)}
TABLE = pd.DataFrame(
    [
        {"part": part, "layer": layer, "head": head, "step": step, "weighing": "weights", "error": error + more}
        for (layer, head), both in ERRORS.items()
        for step, error in zip(("output", "input"), both, strict=True)
        for part, more in (("all", 0.0), ("caption", 0.05))
    ]
).assign(gold="en-de", sentences=100)


def test_the_best_head_is_one_of_a_step_and_never_a_mean() -> None:
    found = alignment_of(TABLE)
    assert found.best("output", "weights") == Aligner(2, 1, "weights")
    assert found.best("input", "weights") == Aligner(1, 1, "weights")
    assert found.best("output", "weights", layer=1) == Aligner(1, 1, "weights")
    assert (found.layers, found.n_heads, found.sentences) == ((1, 2), 2, 100)


def test_the_grid_has_a_row_a_step_and_layer_and_the_mean_last() -> None:
    rows, errors = alignment_of(TABLE).grid("weights")
    assert rows == [("output", 1), ("output", 2), ("input", 1), ("input", 2)]
    np.testing.assert_allclose(errors, [[0.6, 0.7, 0.5], [0.3, 0.4, 0.3], [0.2, 0.8, 0.4], [0.7, 0.6, 0.9]])
    assert len(alignment_of(TABLE).as_csv().splitlines()) == 1 + 2 * len(ERRORS)


def test_heads_of_later_layers_that_align_at_the_step_that_reads_are_counted() -> None:
    found = reading(alignment_of(TABLE))
    assert (found.holds, found.values) == (True, {"first": 1, "n": 2, "like": 0, "later": 2})
    is_turned = (TABLE["layer"] == 2) & (TABLE["head"] == 2) & (TABLE["step"] == "input")
    found = reading(alignment_of(TABLE.assign(error=TABLE["error"].mask(is_turned, 0.1))))
    assert (found.holds, found.values["like"]) == (False, 1)


def test_parts_are_apart_and_one_that_is_not_there_is_refused() -> None:
    assert parts_of(TABLE) == ("all", "caption")
    assert alignment_of(TABLE, "caption").rates[Aligner(1, 1, "weights"), "input"] == pytest.approx(0.25)
    with pytest.raises(KeyError):
        alignment_of(TABLE, "everyday")


def test_a_head_links_each_written_word_once_and_its_weights_are_shares(translator: Translator) -> None:
    pair = gold_pairs()[7]
    for weighing in ("weights", "norms"):
        found = align(translator, pair, Aligner(1, 7, weighing), "input")
        assert found is not None
        assert sorted(target for _, target in found.links) == [*range(len(pair.words[1]))]
        assert found.weights.shape == (len(found.target), len(found.source))
        assert (found.weights.sum(1) <= 1 + 1e-6).all()
        assert 0 <= found.error <= 1
        rows = [*csv.DictReader(io.StringIO(found.as_csv()))]
        assert sum(row["linked"] == "true" for row in rows) == len(found.links)
        assert sum(row["gold"] == "sure" for row in rows) == len(pair.gold.sure)
        np.testing.assert_allclose([float(row["weight"]) for row in rows], found.weights.ravel(), rtol=1e-8)


def test_published_rates_are_lower_where_a_word_is_read() -> None:
    found = published_alignment()
    assert found["input", "norms"] < found["input", "weights"] < found["output", "weights"]
