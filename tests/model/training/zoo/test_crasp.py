"""Runs that test C-RASP's predictions: what they train, when they end, what they measure."""

from pathlib import Path

import pytest
import torch

from model.architectures.decoder_only import DecoderOnly
from model.tasks import find
from model.training.plan import read_plan
from model.training.zoo import crasp
from model.zoo.crasp import BINS, ENCODINGS, TASKS, crasp_runs
from model.zoo.data import rows_between
from model.zoo.evaluate import Measurement
from model.zoo.plan import Run


def test_every_task_is_trained_with_every_encoding_once() -> None:
    runs = crasp_runs()
    assert {(run.task, run.encoding) for run in runs} == {(task, encoding) for task in TASKS for encoding in ENCODINGS}
    assert len(runs) == len(TASKS) * len(ENCODINGS)
    assert [(run.task, run.seed) for run in crasp_runs(["majority"], ["none"], [4, 5])] == [
        ("majority", 4),
        ("majority", 5),
    ]


@pytest.mark.parametrize("run", crasp_runs(), ids=lambda run: run.name)
def test_every_model_reads_the_longest_input(run: Run) -> None:
    model = DecoderOnly(run.model).eval()
    longest = rows_between(find(run.task), BINS[-1][1], BINS[-1][1], 1)[0]
    assert model(torch.tensor([longest.ids[:-1]])).shape[1] == len(longest.ids) - 1


def test_an_unknown_name_in_a_plan_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('[crasp]\ntasks = ["parity"]')
    with pytest.raises(ValueError, match="'parity' is none of unique_copy, unique_reverse, unique_sort, majority"):
        read_plan(tmp_path / "plan.toml")


def test_a_run_is_measured_by_bins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crasp, "N_TEST", 40)
    (run,) = crasp_runs(["majority"], ["none"], n_steps=4, evaluate_every=2)
    rows = crasp.train_and_save(run, tmp_path, lambda _: None)
    assert [(row.step, row.first, row.last) for row in rows.itertuples()] == [
        (step, *limits) for step in (2, 4) for limits in BINS
    ]
    assert (rows.is_last == (rows.step == 4)).all()
    assert (rows.exact_match_known_length >= rows.exact_match).all()


def test_a_run_ends_when_all_trained_lengths_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crasp, "N_TEST", 40)
    monkeypatch.setattr(crasp, "measure", lambda _, rows, length: Measurement(length, len(rows), 1.0, 0))
    (run,) = crasp_runs(["majority"], ["none"], n_steps=4, evaluate_every=2)
    assert set(crasp.train_and_save(run, tmp_path, lambda _: None).step) == {2}
