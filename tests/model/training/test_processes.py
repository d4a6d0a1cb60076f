"""Two processes under ``torchrun`` train what one trains, and one that was killed goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from model.checkpoint import load_state
from model.data.loading import DATA_DIR_VARIABLE
from model.training.__main__ import main
from model.training.translation.batches import Batch
from tests.fixtures.translation_run import TinyCorpus

SCRIPT = Path(__file__).with_name("tiny_training.py")
TWO = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(SCRIPT)]


@pytest.fixture
def arguments(tiny_corpus: TinyCorpus, write_toml, training_values, tmp_path: Path) -> Callable[..., list[str]]:
    """The training command's arguments for the tiny run without dropout; keywords change its configuration."""
    model = training_values["model"] | {"dropout": 0.0}

    def make(folder: str, **changes: Any) -> list[str]:
        places = ["--folder", str(tmp_path / folder), "--data-dir", str(tiny_corpus.data_dir), "--device", "cpu"]
        return [str(write_toml(model=model, **changes)), *places]

    return make


@pytest.fixture
def start_two(tiny_corpus: TinyCorpus, tmp_path: Path) -> Callable[[list[str]], subprocess.Popen[bytes]]:
    """Start the training command in two processes; what they say is in ``said``."""
    corpus = [tiny_corpus.name, str(tiny_corpus.source), str(tiny_corpus.target)]
    environment = {name: value for name, value in os.environ.items() if name != DATA_DIR_VARIABLE}

    def start(given: list[str]) -> subprocess.Popen[bytes]:
        with (tmp_path / "said").open("ab") as said:
            return subprocess.Popen(
                [*TWO, *corpus, *given],
                env=environment | {"OMP_NUM_THREADS": "1"},
                stdout=said,
                stderr=said,
            )

    return start


def entries(folder: Path) -> list[dict[str, float]]:
    log = folder / "log.jsonl"
    lines = log.read_text().splitlines() if log.is_file() else []
    return [json.loads(line) for line in lines]


def children(process: int) -> list[int]:
    """The processes that ``torchrun`` started, each in a session of its own."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def assert_same_training(folder: Path, expected: Path) -> None:
    ours, theirs = load_state(folder / "checkpoint.pt"), load_state(expected / "checkpoint.pt")
    assert ours["progress"]["step"] == theirs["progress"]["step"]
    for name, weight in theirs["weights"].items():
        torch.testing.assert_close(ours["weights"][name], weight, atol=1e-4, rtol=1e-3, msg=name)
    for one, other in zip(entries(folder), entries(expected), strict=True):
        assert one["step"] == other["step"]
        for measure in {"loss", "dev_loss"} & one.keys():
            assert one[measure] == pytest.approx(other[measure], rel=1e-4)


def test_two_processes_train_what_one_does_on_the_same_batches(arguments, start_two, tmp_path: Path) -> None:
    two = start_two(arguments("two"))
    assert two.wait(timeout=180) == 0, (tmp_path / "said").read_text()
    assert main(arguments("one")) == 0
    assert_same_training(tmp_path / "two", tmp_path / "one")
    assert {path.name for path in (tmp_path / "two").iterdir()} == {path.name for path in (tmp_path / "one").iterdir()}


@pytest.mark.slow
def test_two_processes_that_were_killed_go_on(arguments, start_two, tmp_path: Path) -> None:
    folder = tmp_path / "two"
    every_step = {"validate_every": 2, "log_every": 1}
    two = start_two(arguments("two", n_steps=10_000, **every_step))
    until = time.monotonic() + 120
    while not any(entry["step"] >= 5 for entry in entries(folder)):
        assert two.poll() is None, (tmp_path / "said").read_text()
        assert time.monotonic() < until
        time.sleep(0.05)
    for process in (two.pid, *children(two.pid)):
        os.kill(process, signal.SIGKILL)
    two.wait()
    n_steps = load_state(folder / "checkpoint.pt")["progress"]["step"] + 3
    again = start_two(arguments("two", n_steps=n_steps, **every_step))
    assert again.wait(timeout=180) == 0, (tmp_path / "said").read_text()
    assert main(arguments("one", n_steps=n_steps, **every_step)) == 0
    assert_same_training(folder, tmp_path / "one")


def test_the_parts_of_a_batch_are_all_of_it_and_nothing_else() -> None:
    batch = Batch(torch.arange(10).reshape(5, 2) + 4, torch.arange(15).reshape(5, 3) + 4)
    parts = [batch.share(index, 3) for index in range(3)]
    rows = sorted(row for part in parts for row in part.source.tolist())
    assert rows == batch.source.tolist()
    assert [len(part.source) for part in parts] == [2, 2, 1]
    for part in parts:
        assert all(
            target == batch.target[batch.source.tolist().index(source)].tolist()
            for source, target in zip(part.source.tolist(), part.target.tolist(), strict=True)
        )


def test_a_process_without_a_row_gets_one_that_counts_nothing() -> None:
    batch = Batch(torch.tensor([[5, 3]]), torch.tensor([[2, 6, 3]]))
    assert not batch.share(1, 2).target.any()
    assert batch.share(1, 2).source.tolist() == [[5, 3]]
