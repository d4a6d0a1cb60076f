"""Bits per character by a command: the model's own numbers, by every way of reading, kept with what made them."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import torch

from model.data.loading import load_text, split_text
from model.training.language_model.run import load_run
from pretrained.publishing.__main__ import main as publish
from pretrained.publishing.language_model_scores import RESULTS
from tests.fixtures.system import error_line

pytestmark = pytest.mark.unchecked


def evaluate(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    assert publish(["evaluate_language_model", str(folder), "--device", "cpu", "--skipped", "0", *arguments]) == 0
    return json.loads((folder / RESULTS).read_text())


def test_the_bits_are_those_of_the_text_read_at_once(train_language_model, text_file: Path, capsys) -> None:
    folder = train_language_model()
    run = load_run(folder)
    text = split_text(load_text(str(text_file))).test
    ids = run.vocabulary.encode(text).ids[None]
    whole = run.model(ids[:, :-1]).log_softmax(-1).gather(-1, ids[:, 1:, None])
    (entry,) = evaluate(folder, "--n-rows", "1", "--mem-len", str(len(text)))
    assert entry["bits_per_character"] == pytest.approx(
        float(-whole.detach().mean() / torch.tensor(2.0).log()), rel=1e-4
    )
    assert entry["n_counted"] == len(text) - 1
    assert len(entry["bits_by_position"]) == run.training.data.segment_length
    assert capsys.readouterr().out.startswith(f"{entry['bits_per_character']:.4f} bits per character")


def test_an_entry_says_what_made_it(train_language_model) -> None:
    folder = train_language_model()
    (entry,) = evaluate(folder)
    run = load_run(folder)
    assert entry["name"] == "tiny"
    assert entry["seed"] == 1
    assert entry["step"] == run.step
    assert entry["training"] == asdict(run.training)
    assert entry["reading"] == {"kind": "BySegments", "segment_length": 10, "mem_len": 12}
    assert (
        entry["command"] == f"python -m pretrained.publishing evaluate_language_model {folder} --device cpu --skipped 0"
    )
    assert all(entry[name] for name in ("commit", "trained_by", "torch", "n_parameters", "characters_per_second"))


def test_a_window_over_everything_equals_a_memory_of_everything(train_language_model) -> None:
    folder = train_language_model()
    evaluate(folder, "--n-rows", "2", "--window", "500")
    windowed, remembered = evaluate(folder, "--n-rows", "2", "--mem-len", "500")
    assert windowed["bits_per_character"] == pytest.approx(remembered["bits_per_character"], rel=1e-5)
    assert windowed["bits_by_position"] == []


def test_each_way_of_reading_has_an_entry_and_a_repeated_one_takes_its_place(train_language_model) -> None:
    folder = train_language_model()
    one_row = ("--n-rows", "1", "--mem-len")
    entries = evaluate(folder, *one_row, "0", "5", "20")
    assert [entry["reading"]["mem_len"] for entry in entries] == [0, 5, 20]
    assert len({entry["bits_per_character"] for entry in entries}) == 3
    entries = evaluate(folder, *one_row, "20", "40")
    assert [entry["reading"]["mem_len"] for entry in entries] == [0, 5, 20, 40]


def test_what_is_skipped_does_not_count(train_language_model) -> None:
    folder = train_language_model()
    (whole,) = evaluate(folder, "--n-rows", "2")
    assert publish(["evaluate_language_model", str(folder), "--device", "cpu", "--n-rows", "2", "--skipped", "15"]) == 0
    later = json.loads((folder / RESULTS).read_text())[-1]
    assert later["n_counted"] == whole["n_counted"] - 2 * 15
    assert later["bits_per_character"] != whole["bits_per_character"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--skipped", "4000"], "the first 4000 characters of each row were to be left out"),
        (["--n-rows", "4000"], "characters make no 4000 rows"),
        (["--mem-len", "-1"], "mem_len is -1; it must be at least 0"),
    ],
    ids=str,
)
def test_what_cannot_be_measured_is_said_in_one_line(
    train_language_model, capsys, arguments: list[str], message: str
) -> None:
    refused(train_language_model(), arguments, message, capsys)


def test_absolute_positions_have_no_memory(train_language_model, run_values, capsys) -> None:
    folder = train_language_model(mem_len=0, model=run_values["model"] | {"positional": {"name": "sinusoidal"}})
    refused(folder, ["--mem-len", "64"], "sinusoidal", capsys)


def refused(folder: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert publish(["evaluate_language_model", str(folder), "--device", "cpu", "--skipped", "0", *arguments]) == 2
    assert message in error_line(capsys)
    assert not (folder / RESULTS).exists()


def test_a_run_that_is_not_there_is_said_in_one_line(tmp_path: Path, capsys) -> None:
    assert publish(["evaluate_language_model", str(tmp_path), "--device", "cpu"]) == 2
    assert str(tmp_path / "best.pt") in error_line(capsys)
