"""The commands that publish and measure a model say in one line what they lack."""

from pathlib import Path

import pytest

from model.data import DATA_DIR_VARIABLE
from pretrained import evaluate, publish


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error."""
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_an_unknown_model_is_said_in_one_line(capsys) -> None:
    assert evaluate.main(["rotten", "--device", "cpu"]) == 2
    assert "no model 'rotten' ships" in said(capsys)


def test_a_missing_corpus_is_said_in_one_line(capsys, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    assert evaluate.main(["translation-en-de", "--device", "cpu"]) == 2
    assert "--data-dir" in said(capsys)
    assert evaluate.main(["translation-en-de", "--device", "cpu", "--data-dir", str(tmp_path)]) == 2
    assert str(tmp_path / "tatoeba/deu-eng/train.eng") in said(capsys)


def test_a_run_that_is_not_there_cannot_be_published(capsys, tmp_path: Path) -> None:
    configuration = "model/training/configurations/translation-en-de.toml"
    assert publish.main([configuration, "--run", str(tmp_path)]) == 2
    assert str(tmp_path / "best.pt") in said(capsys)
