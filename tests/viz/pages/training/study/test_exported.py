"""Runs as files: the configurations and weights in one archive."""

import io
import tomllib
import zipfile

from model.zoo.watched_runs import WatchedRun
from viz.pages.training.study.exported import models_as_zip
from viz.pages.training.study.shipped import shipped_recordings, shipped_weights


def test_the_archive_has_a_configuration_and_the_weights_of_every_model() -> None:
    runs, weights = shipped_recordings(), shipped_weights()
    with zipfile.ZipFile(io.BytesIO(models_as_zip(runs, weights))) as archive:
        assert archive.namelist() == [
            *("model-1.toml", "model-2.toml", "model-1-weights.safetensors", "model-2-weights.safetensors")
        ]
        for number, run in enumerate(runs, start=1):
            configuration = archive.read(f"model-{number}.toml").decode()
            assert WatchedRun.from_dict(tomllib.loads(configuration)) == run.watched
        assert archive.read("model-2-weights.safetensors") == weights[1]


def test_runs_that_were_stopped_have_configurations_alone() -> None:
    with zipfile.ZipFile(io.BytesIO(models_as_zip(shipped_recordings(), ()))) as archive:
        assert archive.namelist() == ["model-1.toml", "model-2.toml"]
