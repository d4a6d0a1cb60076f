"""A run remembers what it was trained by, each time that changes."""

from dataclasses import asdict
from pathlib import Path

from model.training.history import read_history, remember


def test_a_segment_is_added_where_the_configuration_changes_and_only_there(make_training, tmp_path: Path) -> None:
    assert read_history(tmp_path) == []
    remember(asdict(make_training()), folder=tmp_path, step=0)
    remember(asdict(make_training()), folder=tmp_path, step=4)
    remember(asdict(make_training(n_steps=9)), folder=tmp_path, step=6)
    history = read_history(tmp_path)
    assert [(part["from_step"], part["training"]["schedule"]["n_steps"]) for part in history] == [(0, 8), (6, 9)]
    assert all(part["commit"] and part["torch"] for part in history)
