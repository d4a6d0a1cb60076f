"""Swap positions, run by Streamlit without a browser."""

from pathlib import Path

import pytest

from tests.app.running import charts, open_page, run, translations, warnings, written


def test_it_opens_on_a_base_that_changes_the_translation() -> None:
    app = open_page("swap_positions")
    assert not app.warning
    first, second = translations(app)
    assert first != second
    assert {*charts(app)} == {"cost", "cross-own", "cross-swapped"}
    assert charts(app)["cost"].alt.startswith("BLEU with other positions, by Base of the wavelengths")


def test_its_own_number_changes_nothing_and_a_link_brings_a_change_back() -> None:
    app = open_page("swap_positions", change="shift", side="both", **{"swap-shift": "0"})
    first, second = translations(app)
    assert first == second
    assert "These are the positions that the model was trained with" in written(app)
    app.select_slider(key="swap-shift").set_value(1000)
    run(app)
    swapped = translations(app)
    assert swapped[0] != swapped[1]
    again = open_page("swap_positions", change="shift", side="both", **{"swap-shift": "1000"})
    assert translations(again) == swapped


def test_where_nothing_was_measured_the_translations_and_the_maps_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pretrained.swapped_positions.SWAPPED", tmp_path)
    monkeypatch.setattr("pretrained.swapped_positions.swapped_path", lambda name, *_: tmp_path / f"{name}.parquet")
    app = open_page("swap_positions")
    assert {*charts(app)} == {"cross-own", "cross-swapped"}
    assert "was not measured for this translator" in written(app)
    (tmp_path / "translation-en-de.parquet").write_bytes(b"no parquet")
    (warning,) = warnings(open_page("swap_positions"))
    assert "cannot be read" in warning
