"""Results of a sweep are published as they come, and nothing that was published is lost."""

from pathlib import Path

import pandas as pd
import pytest

from model.training.runs import ROWS
from pretrained.ablations import ablation_results
from pretrained.publishing.publish_ablations import main, publish


def finish(runs: Path, variant: str, seed: int, bleu: float, commit: str = "abc") -> None:
    """Write a finished run as a sweep leaves it."""
    folder = runs / f"{variant}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    shared = {"variant": variant, "seed": seed, "commit": commit, "torch": "2.0"}
    rows = [{"checkpoint": "during", "step": 5, "score": 1.0}, {"checkpoint": "best", "step": 9, "sacrebleu": bleu}]
    pd.DataFrame([row | shared for row in rows]).to_parquet(folder / ROWS)


def test_what_is_finished_is_published_beside_what_was(tmp_path: Path) -> None:
    path = tmp_path / "published" / "results.parquet"
    assert ablation_results(path).empty
    finish(tmp_path / "runs", "base", 1, 30.0)
    assert publish(tmp_path / "runs", path=path) == 1
    finish(tmp_path / "elsewhere", "base", 1, 31.0)
    finish(tmp_path / "elsewhere", "h1", 1, 29.0)
    assert publish(tmp_path / "elsewhere", path=path) == 2
    found = ablation_results(path)
    assert len(found) == 4
    best = found[found.checkpoint == "best"]
    assert dict(zip(best.variant, best.sacrebleu, strict=True)) == {"base": 31.0, "h1": 29.0}
    assert "torch" not in found
    assert "commit" in found


def test_a_run_by_code_of_no_commit_is_refused(tmp_path: Path) -> None:
    finish(tmp_path / "runs", "h1", 1, 30.0, commit="abc-dirty")
    with pytest.raises(ValueError, match="since the commit that trained h1; train them anew"):
        publish(tmp_path / "runs", path=tmp_path / "results.parquet")
    assert ablation_results(tmp_path / "results.parquet").empty


def test_a_sweep_without_a_finished_run_gets_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--run", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("has no finished run; python -m model.training.sweep trains them\n")
