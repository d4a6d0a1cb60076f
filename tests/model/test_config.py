"""Configurations say what is wrong with them, and read back as they were written."""

import dataclasses
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig, config_from_dict, config_from_json, config_to_json, load_config
from model.decoding.graph import find_graphs
from model.positional import PositionalConfig


def test_the_defaults_are_the_paper_s_base_model() -> None:
    config = EncoderDecoderConfig(vocabulary_size=37000)
    sizes = (config.d_model, config.n_heads, config.d_key, config.d_value, config.d_ff)
    assert sizes == (512, 8, 64, 64, 2048)
    assert (config.n_encoder_layers, config.n_decoder_layers, config.dropout, config.norm) == (6, 6, 0.1, "post")
    assert config.positional == PositionalConfig("sinusoidal")
    assert (config.residual, config.score_scale) == ("add", None)


def test_a_configuration_reads_back_as_it_was_written(make_config, tmp_path: Path) -> None:
    config = make_config(norm="pre", dropout=0.25, positional=PositionalConfig("learned", {"max_length": 99}))
    assert config_from_json(config_to_json(config)) == config
    (tmp_path / "config.json").write_text(config_to_json(config), encoding="utf-8")
    assert load_config(tmp_path / "config.json") == config


def test_a_configuration_does_not_change(make_config) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        make_config().d_model = 3


@pytest.mark.parametrize(
    "name",
    ["vocabulary_size", "d_model", "n_heads", "d_key", "d_value", "d_ff", "n_encoder_layers", "n_decoder_layers"],
)
@pytest.mark.parametrize("value", [0, -1])
def test_a_size_below_1_is_refused_by_name_value_and_limit(make_config, name: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"^{name} is {value}; .*at least 1$"):
        make_config(**{name: value})


@pytest.mark.parametrize("value", [1.0, 1.5, -0.1, float("nan")])
def test_a_dropout_that_is_no_probability_is_refused(make_config, value: float) -> None:
    with pytest.raises(ValueError, match=f"^dropout is {value}; .*from 0 up to but not including 1$"):
        make_config(dropout=value)


VALUES: dict[str, Any] = {"vocabulary_size": 11, "d_model": 16}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({**VALUES, "d_ff": "wide"}, "d_ff is 'wide'; it must be a whole number, at least 1"),
        ({**VALUES, "d_ff": 2.5}, "d_ff is 2.5; it must be a whole number, at least 1"),
        ({**VALUES, "norm": "middle"}, "norm is 'middle'; it is 'post' (as published) or 'pre'"),
        ({**VALUES, "residual": "twice"}, "residual is 'twice'; it is 'add' (as published) or 'none'"),
        ({**VALUES, "score_scale": 0}, "score_scale is 0; it must be above 0, at most 10,000"),
        (
            {**VALUES, "score_scale": "big"},
            "score_scale is 'big'; it must be above 0, at most 10,000, or left out for 1/√d_key",
        ),
        ({**VALUES, "score_scale": math.inf}, "score_scale is inf; it must be above 0, at most 10,000"),
        ({**VALUES, "pad_id": 0.5}, "pad_id is 0.5; it must be a whole number below vocabulary_size, 11"),
        ({**VALUES, "bos_id": True}, "bos_id is True; it must be a whole number"),
        ({**VALUES, "eos_id": 0}, "pad_id, bos_id and eos_id are 0, 2 and 0; they must differ"),
        ({**VALUES, "depth": 3}, "the configuration has depth; its entries are bos_id"),
        ({"d_model": 16}, "the configuration lacks vocabulary_size"),
        (
            {**VALUES, "positional": {"parameters": {}}},
            "a positional encoding was given parameters; its entries are name, parameters and inner",
        ),
        (
            {**VALUES, "positional": {"name": "none", "base": 3}},
            "a positional encoding was given name, base; its entries are name, parameters and inner",
        ),
    ],
)
@pytest.mark.unchecked
def test_a_wrong_entry_is_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        config_from_dict(values)


def test_entries_that_are_left_out_take_their_defaults() -> None:
    assert config_from_dict(VALUES) == EncoderDecoderConfig(vocabulary_size=11, d_model=16)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 24) | st.floats(-1e4, 1e4) | st.just(math.inf) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["name", "base", "x"]), inner),
    max_leaves=4,
)
SMALL = {"d_model": 8, "n_heads": 2, "d_key": 4, "d_value": 4, "d_ff": 8, "n_encoder_layers": 1, "n_decoder_layers": 1}
ENTRIES = [field.name for field in dataclasses.fields(EncoderDecoderConfig)]


@settings(max_examples=150)
@given(entry=st.sampled_from([*ENTRIES, "name", "parameters", "inner", "base"]), value=json_values)
@example(entry="positional", value=[1])
@example(entry="name", value=[1])
@example(entry="parameters", value=[1])
@example(entry="score_scale", value=1e39)
@example(entry="score_scale", value=10**400)
@example(entry="base", value=10**400)
@example(entry="inner", value=5)
@pytest.mark.unchecked
def test_any_value_is_a_model_that_runs_or_is_refused(entry: str, value: Any) -> None:
    rotary: dict[str, Any] = {"name": "rotary"} | ({entry: value} if entry in ("name", "parameters", "inner") else {})
    if entry == "base":
        rotary["parameters"] = {"base": value}
    values = {"vocabulary_size": 11, **SMALL, "positional": rotary} | ({entry: value} if entry in ENTRIES else {})
    try:
        model = EncoderDecoder(config_from_json(json.dumps(values))).eval()
    except ValueError:
        return
    source, read = (torch.tensor([[row + 1, model.config.eos_id]]) for row in range(2))
    with torch.no_grad():
        assert model(source, read).isfinite().all()


@pytest.mark.parametrize(
    "text", ["[]", "3", "null", '"a"', "{", "", "[[]]", '{"vocabulary_size": 11, "positional": 3}']
)
@pytest.mark.unchecked
def test_a_file_that_is_no_configuration_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - JSON has words of its own
        config_from_json(text)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "config.json").write_text(text, encoding="utf-8")
    assert find_graphs(tmp_path, EncoderDecoderConfig(11)) is None
