"""What tests C-RASP's predictions ships as one table, and stays when the zoo ships again."""

from pathlib import Path

import pandas as pd
import pytest

from model.training.zoo import crasp
from model.zoo.crasp import crasp_runs
from pretrained.publishing.crasp import ship_crasp
from pretrained.zoo import crasp_results


@pytest.fixture
def sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(crasp, "N_TEST", 10)
    monkeypatch.setattr(crasp, "commit", lambda: "0123")
    (run,) = crasp_runs(["majority"], ["none"], n_steps=1)
    folder = tmp_path / "sweep" / run.name
    folder.mkdir(parents=True)
    crasp.train_and_save(run, folder, lambda _: None).to_parquet(folder / "rows.parquet")
    return folder.parent


def test_results_ship_beside_those_of_other_runs(sweep: Path, tmp_path: Path) -> None:
    zoo = tmp_path / "zoo"
    zoo.mkdir()
    assert ship_crasp(run=sweep, folder=zoo) == "1 runs"
    shipped = crasp_results(zoo)
    other = shipped.assign(encoding="shifted")
    pd.concat([shipped, other]).to_parquet(zoo / "crasp.parquet")
    ship_crasp(run=sweep, folder=zoo)
    assert len(crasp_results(zoo)) == 2 * len(shipped)


def test_without_a_run_the_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="has no finished run; python -m"):
        ship_crasp(run=tmp_path, folder=tmp_path)
