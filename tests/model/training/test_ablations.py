"""The plan of table 3: every row changes what its name says of the base, over as many tokens."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import model.training
from model.config import EncoderDecoderConfig
from model.training.plan import ConfiguredRun, read_plan

PLAN = Path(model.training.__file__).parent / "plans" / "ablations.toml"
# d_model sets the size of its heads, as in the paper.
SIZES = ["d_key", "d_model", "d_value"]
CHANGED = {
    **{f"h{n}": ["d_key", "d_value", "n_heads"] for n in (1, 4, 16, 32)},
    **{f"dk{n}": ["d_key"] for n in (4, 8)},
    **{f"n{n}": ["n_decoder_layers", "n_encoder_layers"] for n in (1, 3, 5)},
    **{f"dmodel{n}": SIZES for n in (64, 256)},
    **{f"dff{n}": ["d_ff"] for n in (128, 512)},
    **{f"dropout{n}": ["dropout"] for n in (0, 2)},
    **{f"smoothing{n}": ["label_smoothing"] for n in (0, 2)},
    **{name: ["positional"] for name in ("learned", "rotary", "t5", "alibi", "nope")},
    "unscaled": ["score_scale"],
    "no-residual": ["residual"],
    "no-warmup": ["warmup_shape"],
    "post-norm": ["norm"],
    "post-norm-no-warmup": ["norm", "warmup_shape"],
}


@pytest.fixture(scope="module")
def runs() -> list[ConfiguredRun]:
    return [run for run in read_plan(PLAN).runs if isinstance(run, ConfiguredRun)]


def entries(run: ConfiguredRun) -> dict[str, Any]:
    """Everything that a configuration says, without its sections."""
    whole = dataclasses.asdict(run.training)
    sections = [value for value in whole.values() if isinstance(value, Mapping)]
    return {name: value for section in (whole, *sections) for name, value in section.items()} | {"seed": None}


def test_every_row_changes_what_its_name_says_and_nothing_else(runs: list[ConfiguredRun]) -> None:
    base = entries(runs[0])
    assert runs[0].name == "ablation-1"
    sections = {"model", "loss", "schedule"}
    changed = {
        run.variant: sorted(name for name in base if entries(run)[name] != base[name] and name not in sections)
        for run in runs
    }
    assert changed == {"ablation": []} | {f"ablation-{name}": names for name, names in CHANGED.items()}


def test_the_first_seed_of_every_row_comes_first(runs: list[ConfiguredRun]) -> None:
    seeds = [run.training.seed for run in runs]
    assert seeds == sorted(seeds)
    assert {seed: seeds.count(seed) for seed in seeds} == dict.fromkeys((1, 2, 3), 1 + len(CHANGED))


def test_the_number_of_heads_changes_at_constant_compute(runs: list[ConfiguredRun]) -> None:
    for run in runs:
        shape = run.training.model
        assert isinstance(shape, EncoderDecoderConfig)
        if run.variant.removeprefix("ablation-").startswith(("h", "dmodel")):
            assert shape.n_heads * shape.d_key == shape.n_heads * shape.d_value == shape.d_model
