"""The catalogue of heads, run by Streamlit without a browser."""

from pathlib import Path

import pytest

from pretrained import head_catalogue
from tests.app.running import charts, open_in_app


def test_it_opens_on_the_head_that_does_most_with_its_sentences() -> None:
    app = open_in_app("heads")
    assert not app.exception
    alt = charts(app)["heads"].alt
    assert "Weight on the previous token" in alt
    written = " ".join(entry.value for entry in app.markdown)
    assert "of 72 heads are positional" in written
    assert "**Most, in these sentences**" in written


def test_a_head_can_be_chosen_and_a_measure_that_not_all_have() -> None:
    app = open_in_app("heads", measure="Weight on what followed an earlier copy")
    assert not app.exception
    head = next(box for box in app.selectbox if box.label == "Head")
    # Only the decoder repeats what it has written.
    assert all(option.startswith(("The highest", "Decoder")) for option in head.options)
    head.set_value(head.options[3]).run()
    assert not app.exception


def test_a_damaged_file_gets_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_catalogue, "roles_path", lambda name, *_: tmp_path / f"{name}.parquet")
    (tmp_path / "translation-en-de.parquet").write_bytes(b"no parquet")
    (warning,) = open_in_app("heads").warning
    assert warning.value.startswith("The catalogue of this translator cannot be read.")


def test_without_any_it_says_how_one_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_catalogue, "roles_path", lambda name, *_: tmp_path / f"{name}.parquet")
    (warning,) = open_in_app("heads").warning
    assert "No translator here has a catalogue" in warning.value
