"""A run remembers what it was trained by, each time that changes."""

import subprocess
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest

from model.training import __main__ as command_line
from model.training import engines, history, sweep
from model.training.history import commit, is_committed, read_history, remember, trained_by


def test_a_segment_is_added_where_the_configuration_changes_and_only_there(make_training, tmp_path: Path) -> None:
    assert read_history(tmp_path) == []
    remember(asdict(make_training()), folder=tmp_path, step=0)
    remember(asdict(make_training()), folder=tmp_path, step=4)
    remember(asdict(make_training(n_steps=9)), folder=tmp_path, step=6)
    history = read_history(tmp_path)
    assert [(part["from_step"], part["training"]["schedule"]["n_steps"]) for part in history] == [(0, 8), (6, 9)]
    assert all(part["commit"] and part["torch"] for part in history)


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=b", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of git with code, a configuration and a table, whose code is asked for its commit."""
    git(tmp_path, "init")
    (tmp_path / "model" / "training").mkdir(parents=True)
    for name in ("model/training/history.py", "model/task.py", "plan.toml", "results.parquet"):
        (tmp_path / name).write_text("committed")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--message", "all")
    monkeypatch.setattr(history, "__file__", str(tmp_path / "model" / "training" / "history.py"))
    return tmp_path


@pytest.mark.parametrize("name", ["model/task.py", "plan.toml", "model/new_task.py", "plans/new.toml", "train.sh"])
def test_a_commit_does_not_hold_code_and_configurations_that_were_changed_or_added(checkout: Path, name: str) -> None:
    assert commit.__wrapped__() == git(checkout, "rev-parse", "HEAD")
    (checkout / name).parent.mkdir(exist_ok=True)
    (checkout / name).write_text("changed")
    assert commit.__wrapped__() == f"{git(checkout, 'rev-parse', 'HEAD')}-dirty"


def test_what_publishing_writes_changes_no_code(checkout: Path) -> None:
    for name in ("results.parquet", "docs.md", "weights.safetensors", "index.json"):
        (checkout / name).write_text("changed")
    assert is_committed(commit.__wrapped__())


def test_a_process_keeps_the_commit_that_it_began_with(checkout: Path) -> None:
    commit.cache_clear()
    began = commit()
    (checkout / "model" / "task.py").write_text("changed")
    assert commit() == began
    commit.cache_clear()
    assert commit() == f"{began}-dirty"
    commit.cache_clear()


def test_outside_of_git_no_commit_is_known(checkout: Path) -> None:
    (checkout / ".git").rename(checkout / "no_git")
    assert commit.__wrapped__() == "unknown"
    assert not is_committed("unknown")


@pytest.mark.parametrize(
    ("commits", "expected"), [(("a", "b"), "b"), (("a-dirty", "b"), "a-dirty"), (("unknown", "b"), "unknown")]
)
def test_a_run_was_trained_by_its_last_commit_or_by_code_that_none_holds(
    commits: tuple[str, ...], expected: str
) -> None:
    assert trained_by([{"commit": one} for one in commits]) == expected


@pytest.mark.unchecked
def test_a_process_asks_for_its_commit_before_anything_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def end(*_: object, **__: object) -> None:
        order.append("work")
        raise ValueError("work")

    for module, work in ((engines, "finish"), (sweep, "unfinished"), (command_line, "load_training")):
        monkeypatch.setattr(module, "commit", lambda: order.append("commit"))
        monkeypatch.setattr(module, work, end)
    with pytest.raises(ValueError, match="work"):
        engines.train_alone(SimpleNamespace(), tmp_path, end, end)
    with pytest.raises(ValueError, match="work"):
        sweep.sweep(SimpleNamespace(runs=()), tmp_path, SimpleNamespace())
    assert command_line.main(["a.toml"]) == 2
    assert order == ["commit", "work"] * 3
