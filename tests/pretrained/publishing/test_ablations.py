"""Results of a sweep are published as they come, and nothing that was published is lost."""

import json
from pathlib import Path

import pandas as pd
import pytest

from model.training.runs import ROWS
from pretrained.ablations import ablation_results
from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.ablations import ship_ablations


def finish(runs: Path, variant: str, seed: int, bleu: float) -> None:
    """Write a finished run as a sweep leaves it."""
    folder = runs / f"{variant}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    shared = {"variant": variant, "seed": seed, "commit": "abc", "torch": "2.0"}
    rows = [{"checkpoint": "during", "step": 5, "score": 1.0}, {"checkpoint": "best", "step": 9, "sacrebleu": bleu}]
    pd.DataFrame([row | shared for row in rows]).to_parquet(folder / ROWS)


def test_what_is_finished_is_published_beside_what_was(tmp_path: Path) -> None:
    path = tmp_path / "published" / "results.parquet"
    assert ablation_results(path).empty
    finish(tmp_path / "runs", "base", 1, 30.0)
    assert ship_ablations(run=tmp_path / "runs", path=path) == f"{path}: 1 runs"
    finish(tmp_path / "elsewhere", "base", 1, 31.0)
    finish(tmp_path / "elsewhere", "h1", 1, 29.0)
    assert ship_ablations(run=tmp_path / "elsewhere", path=path) == f"{path}: 2 runs"
    results = ablation_results(path)
    assert len(results) == 4
    best = results[results.checkpoint == "best"]
    assert dict(zip(best.variant, best.sacrebleu, strict=True)) == {"base": 31.0, "h1": 29.0}
    assert "torch" not in results
    assert "commit" in results
    assert not [*tmp_path.rglob("runs/results*")]


@pytest.mark.parametrize("name", [".", "nowhere"])
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("ablations", "has no finished run; python -m model.training.sweep trains them"),
        ("crasp", "has no finished run; python -m model.training.sweep model/training/plans/crasp.toml trains them"),
        ("zoo", "has no finished run of seed 1; python -m model.training.zoo trains some"),
    ],
)
def test_a_sweep_without_a_finished_run_gets_one_sentence(
    kind: str, sentence: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish([kind, "--run", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err == f"{tmp_path / name} {sentence}\n"
    assert not [*tmp_path.iterdir()]


def test_a_variant_of_uncommitted_code_is_refused_by_its_history(tmp_path: Path) -> None:
    finish(tmp_path / "runs", "base", 1, 30.0)
    history = [{"from_step": 0, "commit": "abc-dirty", "training": {}}]
    (tmp_path / "runs" / "base-1" / "history.json").write_text(json.dumps(history))
    with pytest.raises(ValueError, match="files were changed or added since the commit that trained"):
        ship_ablations(run=tmp_path / "runs", path=tmp_path / "results.parquet")
