"""The configuration of a run says what is wrong with it."""

import re
from pathlib import Path
from typing import Any

import pytest

import model.training.translation
from model.data.corpora import PARALLEL_CORPORA
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID
from model.training.translation.config import load_training, training_from_dict

SHIPPED = sorted((Path(model.training.translation.__file__).parent / "configurations").glob("*.toml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_configuration_in_the_folder_can_be_read(path: Path) -> None:
    training = load_training(path)
    assert training.corpus in PARALLEL_CORPORA
    special = (training.model.pad_id, training.model.bos_id, training.model.eos_id)
    assert special == (PAD_ID, BOS_ID, EOS_ID)


def test_there_is_a_configuration_to_read() -> None:
    assert SHIPPED


COUNTS = ["n_validated", "max_length", "tokens_per_batch", "n_steps", "warmup"]
COUNTS += ["validate_every", "average_last", "log_every"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *(({name: 0}, f"{name} is 0; it must be at least 1") for name in COUNTS),
        ({"n_dev": 3}, "n_dev is 3; it must be above n_validated, 3"),
        ({"n_cooling": -1}, "n_cooling is -1; it lies between 0 and n_steps, 8"),
        ({"n_cooling": 9}, "n_cooling is 9; it lies between 0 and n_steps, 8"),
        ({"chosen_from": 9}, "chosen_from is 9; it lies between 0 and n_steps, 8"),
        ({"piece_dropout": 1.0}, "piece_dropout is 1.0; it lies from 0 up to but not including 1"),
        ({"label_smoothing": 1.0}, "label_smoothing is 1.0; it lies from 0 up to but not including 1"),
        ({"label_smoothing": -0.5}, "label_smoothing is -0.5; it lies from 0 up to but not including 1"),
        ({"gradient_clip": 0.0}, "gradient_clip is 0.0; it must be above 0"),
        ({"rate_factor": 0.0}, "rate_factor is 0.0; it must be above 0"),
        ({"copying": 1.5}, "copying is 1.5; it lies from 0 to 1"),
        ({"nouns": 1.5}, "nouns is 1.5; it lies from 0 to 1"),
        ({"nouns": 0.5}, "nouns is 0.5, for English to German; nouns are exchanged between English and Japanese only"),
        ({"unmarked": -0.5}, "unmarked is -0.5; it lies from 0 to 1"),
        ({"r_drop": -1.0}, "r_drop is -1.0; it must be at least 0"),
        ({"candidates": "runs/one", "risk": -1.0}, "risk is -1.0; it must be at least 0"),
        ({"candidates": "runs/one"}, "candidates is 'runs/one' and risk is 0.0; give both, or neither"),
        ({"risk": 1.0}, "candidates is '' and risk is 1.0; give both, or neither"),
        ({"candidates": "runs/one", "risk": 1.0, "unmarked": 0.5}, "and unmarked would change what is learned from"),
        ({"seed": -1}, "seed is -1; it must be at least 0"),
        ({"sead": 3}, "lacks nothing and has unknown ['sead']"),
        ({"model": {"d_model": 3}}, "the configuration lacks vocabulary_size"),
    ],
)
def test_a_wrong_entry_is_named(training_values: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        training_from_dict(training_values | changes)


def test_a_missing_entry_is_named(training_values: dict[str, Any]) -> None:
    del training_values["warmup"]
    with pytest.raises(ValueError, match=re.escape("lacks ['warmup'] and has unknown nothing")):
        training_from_dict(training_values)


def test_what_is_no_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    for content in (b"corpus = ", b"\xff"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"{re.escape(str(path))} is no TOML: "):
            load_training(path)
