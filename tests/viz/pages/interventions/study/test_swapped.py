"""A shipped translator with other positions, and what they cost over many sentences."""

import csv
import io
from itertools import product

import numpy as np
import pandas as pd
import pytest

from model.analysis.interventions.ablation import positions_of
from model.analysis.interventions.swapped_positions import SIDES, Swap
from pretrained.swapped_positions import CHANGES, swapped
from viz.pages.interventions.study.ablated import AblationRequest, translate_ablated
from viz.pages.interventions.study.maps import maps_as_csv
from viz.pages.interventions.study.swapped import cost_of, mean_map, translate_swapped

ROWS = pd.DataFrame(
    [
        {"change": change, "value": float(value), "side": side, "bleu": 40.0 - place}
        for change, values in CHANGES.items()
        for place, (side, value) in enumerate(product(SIDES, values))
    ]
).assign(sentences=400)


def test_its_own_positions_change_nothing_and_none_are_positions_switched_off(asked: AblationRequest) -> None:
    assert translate_swapped(asked, Swap()).translation.text == asked.whole.text
    none = translate_swapped(asked, Swap(strength=0))
    off = translate_ablated(asked, positions_of(asked.translator.model), None)
    assert none.translation.text == off.translation.text
    assert none.log_probability == pytest.approx(off.log_probability, abs=1e-4)


def test_the_mean_map_is_over_all_heads_and_its_rows_sum_to_1(asked: AblationRequest) -> None:
    shown = mean_map(asked.whole)
    np.testing.assert_allclose(shown.weights.sum(1), 1, atol=1e-5)
    assert shown.weights.shape == (len(shown.queries), len(shown.keys))
    by_hand = [asked.whole.patterns[f"decoder.{layer}.cross_attention.pattern"] for layer in range(3)]
    np.testing.assert_allclose(shown.weights, np.mean(by_hand, axis=(0, 1)), atol=1e-6)
    rows = [
        *csv.DictReader(io.StringIO(maps_as_csv({"own": shown, "swapped": shown}, ("positions", "target", "source"))))
    ]
    assert len(rows) == 2 * shown.weights.size
    saved = np.array([row["weight"] for row in rows if row["positions"] == "own"], dtype=np.float32)
    np.testing.assert_array_equal(saved, shown.weights.ravel())


def test_a_change_is_one_number_of_the_side() -> None:
    assert swapped("base", 10, "encoder") == Swap("encoder", base=10)
    assert swapped("shift", 5.0, "both") == Swap("both", shift=5)
    assert swapped("strength", 0, "decoder") == Swap("decoder", strength=0)


def test_what_was_measured_is_found_by_change_value_and_side_and_a_gap_is_refused() -> None:
    found = cost_of(ROWS)
    assert (
        found.own
        == 40.0 - ROWS[ROWS["change"] == "strength"].reset_index().query("side == 'both' and value == 1").index[0]
    )
    assert found.at("base", 10, "encoder") == 38.0
    assert len(found.as_csv().splitlines()) == len(ROWS) + 1
    with pytest.raises(KeyError):
        cost_of(ROWS.iloc[1:])
