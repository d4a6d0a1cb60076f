"""Probing what ships: what is written, that it is the same again, and that baselines are what they are called."""

from pathlib import Path

import pandas as pd
import pytest

from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.probe_zoo import probe_zoo
from pretrained.zoo import PROBES, zoo_probes
from tests.fixtures.zoo import publish_tiny_zoo

pytestmark = pytest.mark.unchecked


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    models = [("reverse", "none"), ("reverse", "sinusoidal"), ("sort", "none")]
    return publish_tiny_zoo(tmp_path_factory.mktemp("tiny"), *models)


def test_every_model_layer_and_baseline_is_scored_inside_and_beyond_training(zoo: Path) -> None:
    assert probe_zoo(folder=zoo, seeds=[1]) == "3 models"
    scores = zoo_probes(zoo)
    keys = ["task", "encoding", "probe_seed", "subject", "region", "layer"]
    assert not scores.duplicated(keys).any()
    assert len(scores) == 3 * 3 * 2 * 3
    assert set(scores.command) == {
        f"python -m pretrained.publishing probe_zoo --tasks {task} --seeds 1" for task in scores.task
    }
    mean = scores[scores.region == "trained"].groupby(["encoding", "subject", "layer"]).r2.mean()
    assert mean["sinusoidal", "trained", 0] > mean["none", "trained", 0] + 0.1
    assert mean.xs("shuffled", level="subject").max() < 0.1


def test_the_same_seed_gives_the_same_and_other_tasks_stay(zoo: Path) -> None:
    probe_zoo(folder=zoo, seeds=[1])
    before = zoo_probes(zoo)
    assert probe_zoo(folder=zoo, tasks=["sort"], seeds=[1]) == "1 models"
    keys = ["task", "encoding", "subject", "region", "layer"]
    after = zoo_probes(zoo)
    pd.testing.assert_frame_equal(
        *(rows.sort_values(keys).reset_index(drop=True).drop(columns="commit") for rows in (before, after))
    )


def test_where_nothing_ships_nothing_is_written(tmp_path: Path) -> None:
    assert probe_zoo(folder=tmp_path) == "0 models"
    assert not (tmp_path / PROBES).exists()
    assert zoo_probes(tmp_path).empty


def test_a_lost_weights_file_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def lost(*_: object) -> None:
        raise FileNotFoundError("gone")

    monkeypatch.setattr("pretrained.publishing.probe_zoo.shipped_zoo", lost)
    assert publish(["probe_zoo"]) == 2
    assert capsys.readouterr().err == "gone\n"
