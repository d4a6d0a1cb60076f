"""Parsers of one length are measured side by side."""

import json
from pathlib import Path
from typing import Any

import pytest

from model.checkpoint import save_state
from pretrained.publishing import parser
from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.parser import compare_parsers


def run_of(folder: Path, *, n_steps: int, step: int | None = None) -> Path:
    """Write the history of a run, and the step that it stands at: the last one, or another."""
    folder.mkdir()
    save_state({"progress": {"step": n_steps if step is None else step}}, folder / "checkpoint.pt")
    segment = {"from_step": 0, "commit": "a" * 40, "training": {"schedule": {"n_steps": n_steps}}}
    (folder / "history.json").write_text(json.dumps([segment]))
    return folder


def named(runs: dict[str, Path]) -> list[str]:
    """The arguments that name the runs."""
    return [f"{name}={run}" for name, run in runs.items()]


@pytest.fixture(autouse=True)
def scores(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(run: Path, **_: Any) -> dict[str, float]:
        return {"f1": float(len(run.name))}

    monkeypatch.setattr(parser, "measure_parser", measured)


def test_each_run_is_written_with_its_scores_and_its_commit(tmp_path: Path) -> None:
    runs = {"nothing": run_of(tmp_path / "ab", n_steps=5), "tags": run_of(tmp_path / "abc", n_steps=5)}
    compare_parsers(named(runs), path=tmp_path / "comparison.json")
    scores = json.loads((tmp_path / "comparison.json").read_text())
    assert scores["nothing"] == {"f1": 2.0, "n_steps": 5, "commit": "a" * 40}
    assert scores["tags"]["f1"] == 3.0


def test_runs_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    runs = {"nothing": run_of(tmp_path / "ab", n_steps=5), "tags": run_of(tmp_path / "abc", n_steps=6)}
    with pytest.raises(ValueError, match="the runs have 5, 6 steps; they must be of one length"):
        compare_parsers(named(runs), path=tmp_path / "comparison.json")


def test_a_run_that_is_not_there_or_not_finished_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert publish(["compare_parsers", f"nothing={tmp_path / 'typo'}"]) == 2
    assert capsys.readouterr().err.startswith(f"{tmp_path / 'typo'} holds no run that has been trained; name")
    run = run_of(tmp_path / "ab", n_steps=2600, step=900)
    assert publish(["compare_parsers", f"nothing={run}"]) == 2
    assert capsys.readouterr().err.startswith(f"{run} stands at step 900 of 2,600; python -m model.training")


def test_a_run_without_a_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert publish(["compare_parsers", "runs/one"]) == 2
    assert "name one as one of translator, nothing, tags, =, its folder" in capsys.readouterr().err
