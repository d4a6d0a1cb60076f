"""The configuration of a language model's run says what is wrong with it; those that ship differ where they say."""

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import model.training.language_model
from model.architectures.decoder_only import DecoderOnly
from model.data.corpora import TEXT_CORPORA
from model.training.kinds import load_training

FOLDER = Path(model.training.language_model.__file__).parent / "configurations"
SHIPPED = {path.stem: load_training(path) for path in sorted(FOLDER.glob("*.toml"))}
COMPARED_BY = {"data", "loss", "model"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *(
            ({name: 0}, f"{name} is 0; it must be at least 1")
            for name in ("n_streams", "n_steps", "warmup", "n_validated", "validate_every", "log_every")
        ),
        ({"select_from_step": 10**6}, "select_from_step is 1000000; it lies between 0 and n_steps"),
        ({"segment_length": 1}, "segment_length is 1; it must be at least 2"),
        ({"mem_len": -1}, "mem_len is -1; it must be at least 0"),
        ({"seed": -1}, "seed is -1; it must be at least 0"),
        ({"warmup": 9}, "warmup is 9; it must be at most n_steps, 8"),
        ({"peak_rate": 0.0}, "peak_rate is 0.0; it must be above 0"),
        ({"gradient_clip": -1.0}, "gradient_clip is -1.0; it must be above 0"),
        ({"counted": "third"}, "counted is 'third'; it is one of full, half"),
        ({"decay": "steep"}, "decay is 'steep'; it is one of cosine, straight_line"),
        ({"model": {"d_model": 0}}, "d_model is 0; it must be a whole number, at least 1"),
        ({"model": {"vocabulary_size": 90}}, "the model was given vocabulary_size, which the text decides"),
        ({"colour": "red"}, "the configuration has colour; the entries there are "),
    ],
    ids=str,
)
def test_a_wrong_entry_is_said(make_run, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        make_run(**changes)


@pytest.mark.parametrize("encoding", ["sinusoidal", "learned"])
def test_a_memory_that_an_encoding_cannot_be_read_with_is_refused(make_run, run_values, encoding: str) -> None:
    changes = {"model": run_values["model"] | {"positional": {"name": encoding}}}
    with pytest.raises(ValueError, match=rf"^{encoding} positions are part of what would be remembered"):
        make_run(**changes)
    assert make_run(**changes, mem_len=0).data.mem_len == 0


def test_the_comparisons_of_the_paper_ship() -> None:
    assert SHIPPED.keys() == {
        "transformer_xl",
        "transformer_xl_half_loss",
        "no_recurrence",
        "no_recurrence_half_loss",
        "shaw",
        "shaw_no_recurrence",
        "absolute",
        "absolute_half_loss",
    }


@pytest.mark.parametrize("name", SHIPPED)
def test_they_differ_in_memory_encoding_and_loss_alone(name: str) -> None:
    ours, main = asdict(SHIPPED[name]), asdict(SHIPPED["transformer_xl"])
    assert ours["data"]["corpus"] in TEXT_CORPORA
    assert {entry for entry in ours if ours[entry] != main[entry]} <= COMPARED_BY
    assert {entry for entry in ours["data"] if ours["data"][entry] != main["data"][entry]} <= {"mem_len"}
    assert {entry for entry in ours["model"] if ours["model"][entry] != main["model"][entry]} <= {"positional"}
    expected = 0 if "no_recurrence" in name or "absolute" in name else main["data"]["mem_len"]
    assert SHIPPED[name].data.mem_len == expected
    assert SHIPPED[name].loss.counted == ("half" if name.endswith("half_loss") else "full")


@pytest.mark.parametrize("name", SHIPPED)
def test_they_are_of_the_size_that_a_page_can_run(name: str) -> None:
    decoder = DecoderOnly(SHIPPED[name].model_config(vocabulary_size=90))
    assert 2e6 < sum(parameter.numel() for parameter in decoder.parameters()) < 4e6
