"""The configuration of a run says what is wrong with it."""

import re
from pathlib import Path
from typing import Any

import pytest

import model.training.translation
from model.data.corpora import PARALLEL_CORPORA
from model.text.tokenizer import BOS_ID, EOS_ID, PAD_ID
from model.training.translation.config import TranslationTraining, load_translation_training, translation_training
from tests.fixtures.translation_run import changed

SHIPPED = sorted((Path(model.training.translation.__file__).parent / "configurations").glob("*.toml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_configuration_in_the_folder_can_be_read(path: Path) -> None:
    training = load_translation_training(path)
    assert training.data.corpus in PARALLEL_CORPORA
    special = (training.model.pad_id, training.model.bos_id, training.model.eos_id)
    assert special == (PAD_ID, BOS_ID, EOS_ID)


def test_there_is_a_configuration_to_read() -> None:
    assert SHIPPED


COUNTS = ["n_validated", "max_length", "tokens_per_batch", "n_steps", "warmup"]
COUNTS += ["validate_every", "average_checkpoints", "log_every"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *(({name: 0}, f"{name} is 0; it must be at least 1") for name in COUNTS),
        ({"max_source_words": -1}, "max_source_words is -1; it must be at least 0"),
        ({"n_dev": 3}, "n_dev is 3; it must be above n_validated, 3"),
        ({"cooldown_steps": -1}, "cooldown_steps is -1; it lies between 0 and n_steps, 8"),
        ({"cooldown_steps": 9}, "cooldown_steps is 9; it lies between 0 and n_steps, 8"),
        ({"select_from_step": 9}, "select_from_step is 9; it lies between 0 and n_steps, 8"),
        ({"bpe_dropout": 1.0}, "bpe_dropout is 1.0; it lies from 0 up to but not including 1"),
        ({"label_smoothing": 1.0}, "label_smoothing is 1.0; it lies from 0 up to but not including 1"),
        ({"label_smoothing": -0.5}, "label_smoothing is -0.5; it lies from 0 up to but not including 1"),
        ({"gradient_clip": 0.0}, "gradient_clip is 0.0; it must be above 0"),
        ({"lr_scale": 0.0}, "lr_scale is 0.0; it must be above 0"),
        ({"copy_augmentation": 1.5}, "copy_augmentation is 1.5; it lies from 0 to 1"),
        ({"swap_nouns": 1.5}, "swap_nouns is 1.5; it lies from 0 to 1"),
        (
            {"swap_nouns": 0.5},
            "swap_nouns is 0.5, for English to German; nouns are swapped between English and",
        ),
        ({"drop_end_marks": -0.5}, "drop_end_marks is -0.5; it lies from 0 to 1"),
        ({"mrt_candidates": "runs/one", "mrt_weight": -1.0}, "mrt_weight is -1.0; it must be at least 0"),
        ({"mrt_candidates": "runs/one"}, "mrt_candidates is 'runs/one' and mrt_weight is 0.0; give both, or neither"),
        ({"mrt_weight": 1.0}, "mrt_candidates is '' and mrt_weight is 1.0; give both, or neither"),
        ({"mrt_candidates": "runs/one", "mrt_weight": 1.0, "drop_end_marks": 0.5}, "and drop_end_marks would change"),
        ({"seed": -1}, "seed is -1; it must be at least 0"),
        ({"sead": 3}, "the configuration has sead; the entries there are "),
        ({"data": {"corpse": "x"}}, "the configuration has data.corpse; the entries there are corpus,"),
        ({"data": 3}, "data is 3; it must be a table"),
        ({"n_steps": "many"}, "schedule.n_steps is 'many'; it must be int"),
        ({"precision": "float8"}, "precision is 'float8'; it must be float32 or bfloat16"),
        ({"model": {"d_model": 3}}, "the configuration lacks vocabulary_size"),
    ],
)
def test_a_wrong_entry_is_named(training_values: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        translation_training(changed(training_values, TranslationTraining, **changes))


def test_a_missing_entry_is_named(training_values: dict[str, Any]) -> None:
    del training_values["schedule"]["warmup"]
    with pytest.raises(ValueError, match=re.escape("the configuration lacks schedule.warmup")):
        translation_training(training_values)


def test_what_is_no_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    for content in (b"corpus = ", b"\xff"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"{re.escape(str(path))} is no TOML: "):
            load_translation_training(path)
