"""Parsers of one length are measured side by side."""

import json
from pathlib import Path
from typing import Any

import pytest

from pretrained.publishing import compare_parsers
from pretrained.publishing.compare_parsers import compare, main


def run_of(folder: Path, *, n_steps: int, commit: str = "a" * 40) -> Path:
    """Write the history of a run."""
    folder.mkdir()
    segment = {"from_step": 0, "commit": commit, "training": {"schedule": {"n_steps": n_steps}}}
    (folder / "history.json").write_text(json.dumps([segment]))
    return folder


@pytest.fixture(autouse=True)
def scores(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(run: Path, **_: Any) -> dict[str, float]:
        return {"f1": float(len(run.name))}

    monkeypatch.setattr(compare_parsers, "measure_parser", measured)


def test_each_run_is_written_with_its_scores_and_its_commit(tmp_path: Path) -> None:
    runs = {"nothing": run_of(tmp_path / "ab", n_steps=5), "tags": run_of(tmp_path / "abc", n_steps=5)}
    compare(runs, data_dir=None, path=tmp_path / "comparison.json")
    found = json.loads((tmp_path / "comparison.json").read_text())
    assert found["nothing"] == {"f1": 2.0, "n_steps": 5, "commit": "a" * 40}
    assert found["tags"]["f1"] == 3.0


def test_runs_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    runs = {"nothing": run_of(tmp_path / "ab", n_steps=5), "tags": run_of(tmp_path / "abc", n_steps=6)}
    with pytest.raises(ValueError, match="the runs have 5, 6 steps; they must be of one length"):
        compare(runs, data_dir=None, path=tmp_path / "comparison.json")
    dirty = run_of(tmp_path / "dirty", n_steps=5, commit="abc-dirty")
    with pytest.raises(ValueError, match="since the commit that trained"):
        compare({"nothing": dirty}, data_dir=None, path=tmp_path / "comparison.json")


def test_a_run_without_a_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["runs/one"])
    assert "name a run as one of translator, nothing, tags, =, its folder" in capsys.readouterr().err
