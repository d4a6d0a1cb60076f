"""The documented table of translators is the one that its command writes."""

from pathlib import Path

import pytest

from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.models_table import DOCUMENT, with_table
from pretrained.publishing.shipping import written_bleu
from pretrained.translators import read_card, shipped


def test_the_documented_table_is_that_of_the_shipped_models() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_table(text, [read_card(name) for name in shipped()]) == text


def test_every_model_has_a_line_with_its_scores(tmp_path: Path) -> None:
    file = tmp_path / "models.md"
    file.write_text(
        "Before\n<!-- python -m pretrained.publishing models_table -->\nold\n<!-- end of the table -->\nafter\n"
    )
    assert publish(["models_table", "--file", str(file)]) == 0
    before, *lines, _, after = file.read_text().splitlines()
    assert (before, after) == ("Before", "after")
    assert len(lines) == 3 + len(shipped())
    for name, line in zip(shipped(), lines[3:], strict=True):
        scores = read_card(name).metrics["dev"]
        assert line.startswith(f"| `{name}` |")
        assert f"| {written_bleu(scores)} | {scores['chrf']} |" in line


def test_a_file_without_a_place_for_it_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "other.md"
    file.write_text("nothing")
    assert publish(["models_table", "--file", str(file)]) == 2
    assert "no place for the table" in capsys.readouterr().err
    assert file.read_text() == "nothing"
