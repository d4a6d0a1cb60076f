"""What other positions cost translators is of the weights that ship, and tells what the pages say of it."""

import pytest

from pretrained import read_card, shipped
from pretrained.swapped_positions import CHANGES, SWAPPED, swapped_path, swapped_positions

MEASURED = [name for name in shipped() if swapped_path(name).is_file()]


def test_there_is_one_of_a_translator_that_ships_and_none_of_another() -> None:
    assert "translation-en-de" in MEASURED
    assert {path.stem for path in SWAPPED.glob("*.parquet")} == {*MEASURED}


@pytest.mark.parametrize("name", MEASURED)
def test_it_is_of_the_weights_that_ship_and_its_own_positions_serve_it_best(name: str) -> None:
    rows = swapped_positions(name)
    assert {*rows["weights"]} == {read_card(name).metrics["sha256"]["weights.safetensors"]}
    assert rows["sentences"].min() >= 200
    assert len(rows) == 3 * sum(map(len, CHANGES.values()))
    own = rows[(rows["change"] == "shift") & (rows["value"] == 0)]["bleu"]
    assert own.nunique() == 1
    assert rows["bleu"].max() < own.iloc[0] + 1
    without = rows[(rows["change"] == "strength") & (rows["value"] == 0)].set_index("side")["bleu"]
    # The decoder's mask tells order too.
    assert without["encoder"] < without["decoder"] < own.iloc[0]
