"""A published zoo so small that it is made in a moment: fresh weights, made-up results."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
import streamlit as st
import torch

from model.architectures.decoder_only import DecoderOnly
from model.training.runs import finish
from model.training.zoo.results import save_trained
from model.training.zoo.train import Snapshot, Trained
from model.zoo.evaluate import Measurement
from model.zoo.plan import make_run
from pretrained import zoo as zoo_store
from pretrained.publishing.publish_zoo import publish

SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 32, "n_layers": 2}
TASK = "copy_repeat"
LENGTHS = (10, 20, 40)
EXACT = {
    ("none", 1): (1.0, 1.0, 0.75),
    ("none", 2): (1.0, 1.0, 0.25),
    ("alibi", 1): (1.0, 0.5, 0.125),
}


def publish_zoo(folder: Path, exact: Mapping[tuple[str, int], tuple[float, ...]] = EXACT, task: str = TASK) -> Path:
    """Publish models of ``task`` with the exact match ``exact`` at LENGTHS in ``folder``; return where they stand."""
    for (encoding, seed), values in exact.items():
        torch.manual_seed(seed)
        run = make_run(task, encoding, seed, **SIZES)
        weights = DecoderOnly(run.model).state_dict()
        measured = tuple(Measurement(*row, 0.9, 2.0) for row in zip(LENGTHS, (200,) * 3, values, strict=True))
        last = tuple(Measurement(length, 200, 0.0, 0.0, 1.0) for length in LENGTHS)
        snapshots = (Snapshot(1, (1.0, 0.0), measured), Snapshot(2, (1.0, 0.0), last))
        trained = Trained(snapshots, snapshots[0], weights, weights, 1.0)
        finish(run, folder / "runs", partial(save_trained, run, trained))
    publish(folder / "runs", folder=folder / "zoo")
    return folder / "zoo"


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the app read a small zoo of its own."""
    folder = publish_zoo(tmp_path)
    monkeypatch.setattr(zoo_store, "ZOO", folder)
    yield folder
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def no_zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the app find that nothing was published."""
    monkeypatch.setattr(zoo_store, "ZOO", tmp_path)
    yield
    st.cache_resource.clear()
