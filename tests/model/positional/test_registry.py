"""The registry of positional encodings, and the formulas of the additive ones."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import model.positional
from model.positional import (
    Description,
    Parameter,
    PositionalConfig,
    PositionalEncoding,
    Properties,
    StackSpec,
    build,
    register,
    registered,
    registry,
)
from model.positional.sinusoidal import sinusoidal_encoding

STACK = StackSpec(d_model=8, n_heads=2, d_key=4, d_value=4, n_layers=3, causal=True)
UNKNOWN = Properties(
    kind="none",
    acts_on=(),
    learned=False,
    decay="none",
    extrapolates="no",
    tells_direction=False,
    takes_positions=False,
)
EVERY = pytest.mark.parametrize("name", registered())


def test_these_encodings_are_there() -> None:
    assert {"learned", "none", "sinusoidal"} <= registered().keys()
    assert list(registered()) == sorted(registered())


@EVERY
def test_an_encoding_describes_itself(name: str) -> None:
    description = registered()[name].description
    assert description.name == name
    assert description.title
    assert description.paper
    assert description.formula
    assert 2017 <= description.year <= 2026


@pytest.mark.parametrize(
    ("wrapper", "inner"),
    [("ssmax", "pope"), ("ssmax", "path"), ("ssmax", "rotary"), ("randomized", "pope"), ("randomized", "rotary")],
)
def test_a_layer_says_of_scores_what_its_inner_encoding_does(wrapper: str, inner: str) -> None:
    alone = build(PositionalConfig(inner), STACK).at_layer(0)
    layer = build(PositionalConfig(wrapper, inner=PositionalConfig(inner)), STACK).at_layer(0)
    for name in ("is_linear", "changes_product", "reads_pattern"):
        assert getattr(layer, name) == getattr(alone, name), name


def test_an_unknown_encoding_is_refused_by_name_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"'rotten' is no positional encoding; there are .*learned.*sinusoidal"):
        build(PositionalConfig("rotten"), STACK)


def test_an_unknown_parameter_is_refused_by_name_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="sinusoidal was given the parameter 'bass'; its parameters are: base"):
        build(PositionalConfig("sinusoidal", {"bass": 3.0}), STACK)


@pytest.fixture
def clean_registry() -> Iterator[None]:
    before = registered()
    yield
    for name in registered().keys() - before.keys():
        del registry._registry[name]


@pytest.mark.usefixtures("clean_registry")
def test_a_registered_class_is_found_and_built_with_its_parameters() -> None:
    @register
    class Constant(PositionalEncoding):
        description = Description(
            name="test-constant",
            title="Constant",
            paper="none",
            year=2026,
            formula="c",
            explanation="adds one number",
            properties=UNKNOWN,
            parameters=(
                Parameter("height", 2.0, 0.0, 9.0, "what is added"),
                Parameter("steps", 3, 1, 9, "a whole number", integer=True),
            ),
        )

        def __init__(self, stack: StackSpec, height: float, steps: int) -> None:
            super().__init__()
            self.given = (stack, height, steps)

    assert registered()["test-constant"] is Constant
    assert build(PositionalConfig("test-constant"), STACK).given == (STACK, 2.0, 3)
    changed = build(PositionalConfig("test-constant", {"height": 7.5, "steps": 4.0}), STACK)
    assert changed.given == (STACK, 7.5, 4)
    assert isinstance(changed.given[2], int)


@pytest.mark.usefixtures("clean_registry")
def test_a_file_in_the_folder_is_found_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dropped_in.py").write_text(
        "from model.positional.base import Description, PositionalEncoding, Properties\n"
        "from model.positional.registry import register\n\n"
        "@register\n"
        "class DroppedIn(PositionalEncoding):\n"
        "    description = Description('test-dropped-in', 'Dropped in', 'drops in', 'none', 2026, 'd',\n"
        "        Properties('none', (), False, 'none', 'no', False))\n"
    )
    monkeypatch.setattr(model.positional, "__path__", [*model.positional.__path__, str(tmp_path)])
    monkeypatch.setattr(registry, "__file__", str(tmp_path / "registry.py"))
    registry._import_folder.cache_clear()
    assert "test-dropped-in" in registered()
    del sys.modules["model.positional.dropped_in"]


def test_sinusoids_are_the_published_ones() -> None:
    encoding = sinusoidal_encoding(torch.tensor([0, 1, 7, 100_000]), 6, base=500.0)
    for row, position in enumerate((0, 1, 7, 100_000)):
        for pair in range(3):
            angle = position / 500.0 ** (2 * pair / 6)
            assert encoding[row, 2 * pair].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert encoding[row, 2 * pair + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_the_paper_s_base_is_the_default() -> None:
    default = build(PositionalConfig("sinusoidal"), STACK).additive_encoding(torch.arange(5))
    torch.testing.assert_close(default, sinusoidal_encoding(torch.arange(5), 8, 10000.0))
    other = build(PositionalConfig("sinusoidal", {"base": 100}), STACK).additive_encoding(torch.arange(5))
    torch.testing.assert_close(other, sinusoidal_encoding(torch.arange(5), 8, 100.0))


def test_the_dot_product_of_two_sinusoids_depends_on_their_distance_alone() -> None:
    encoding = sinusoidal_encoding(torch.arange(40), 8)
    products = encoding @ encoding.T
    for distance in (0, 1, 5):
        diagonal = products.diagonal(distance)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("base", [1.0, 0.0, -3.0, math.nan])
def test_wavelengths_must_grow(base: float) -> None:
    with pytest.raises(ValueError, match=f"base is {base:g}; .* above 1"):
        sinusoidal_encoding(torch.arange(3), 4, base)


def test_the_learned_table_has_a_trained_row_a_position_and_no_more() -> None:
    encoding = build(PositionalConfig("learned", {"max_length": 4}), STACK)
    (table,) = encoding.parameters()
    assert table.requires_grad
    torch.testing.assert_close(encoding.additive_encoding(torch.tensor([3, 1])), table[[3, 1]])
    with pytest.raises(ValueError, match="past the learned table: position = 4, rows = 4"):
        encoding.additive_encoding(torch.arange(5))


def test_without_an_encoding_nothing_is_added() -> None:
    encoding = build(PositionalConfig("none"), STACK)
    assert encoding.additive_encoding(torch.arange(3)) is None
    assert not list(encoding.parameters())
