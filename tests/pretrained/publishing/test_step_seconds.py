"""Seconds of a step, told as one sentence where they cannot be measured."""

from pathlib import Path

import pytest

from pretrained.publishing.__main__ import main as publish


def test_without_a_corpus_one_sentence_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TRANSFORMER_DATA_DIR", raising=False)
    assert publish(["step_seconds"]) == 2
    assert "no data folder was named" in capsys.readouterr().err
    assert publish(["step_seconds", "--data-dir", str(tmp_path)]) == 2
    assert "has no file" in capsys.readouterr().err
    assert publish(["step_seconds", "--plan", str(tmp_path / "none.toml")]) == 2
