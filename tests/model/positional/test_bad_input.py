"""A mistake gets one clear sentence: what was given, what is allowed, what to do."""

import math
from dataclasses import replace

import pytest
import torch

from model.positional import Parameter, PositionalConfig, QueryKey, StackSpec, build, registered

STACK = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=1, causal=True)
PARAMETERS = [
    pytest.param(name, parameter, id=f"{name}-{parameter.name}")
    for name, encoding in registered().items()
    for parameter in encoding.description.parameters
]
# These contradict the default of another parameter, which the test of wrong configurations covers.
CONTRADICTIONS = {
    ("randomized", "longest", "high"),
    ("randomized", "max_position", "low"),
    ("rotary_yarn", "fast", "low"),
    ("rotary_yarn", "slow", "high"),
    ("t5", "max_distance", "low"),
    ("t5", "n_buckets", "high"),
}
ENDS = [
    pytest.param(name, parameter, end, id=f"{name}-{parameter.name}-{end}")
    for name, encoding in registered().items()
    for parameter in encoding.description.parameters
    for end in ("low", "high")
    if (name, parameter.name, end) not in CONTRADICTIONS
]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_a_parameter_out_of_range_is_refused(name: str, parameter: Parameter) -> None:
    wrong = [math.nan, math.inf, -math.inf, parameter.low - 1, parameter.high * 2]
    wrong += [parameter.low] if parameter.open_below else []
    wrong += [parameter.default + 0.5] if parameter.integer else []
    for value in wrong:
        with pytest.raises(ValueError, match=f"^{name} was given {parameter.name} = .* it takes .* up to ") as caught:
            build(PositionalConfig(name, {parameter.name: value}), STACK)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "parameter", "end"), ENDS)
def test_the_ends_of_a_range_are_allowed(name: str, parameter: Parameter, end: str) -> None:
    value = parameter.high if end == "high" else parameter.low + parameter.open_below
    build(PositionalConfig(name, {parameter.name: value}), replace(STACK, d_key=16))


def test_a_whole_number_will_do_where_a_fraction_may_stand() -> None:
    """JSON writes 1.0 as 1."""
    positions, q = torch.arange(4), torch.randn(1, 2, 4, 8)
    bias = build(PositionalConfig("fire", {"c": 1, "threshold": 8}), STACK).at_layer(0).score_bias
    assert bias(QueryKey(q, q, positions, positions)) is not None


@pytest.mark.parametrize("name", ["sinusoidal", "transformer_xl"])
def test_an_odd_d_model_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"^odd dimension: dimension = 7$"):
        build(PositionalConfig(name), replace(STACK, d_model=7))


@pytest.mark.parametrize("name", sorted(registered()))
def test_odd_heads_work(name: str) -> None:
    stack = replace(STACK, n_heads=3, d_key=5, d_value=3)
    positions = torch.arange(6)
    q = torch.randn(2, 3, 6, 5)
    layer = build(PositionalConfig(name), stack).at_layer(0)
    turned_q, turned_k = layer.transform_query_key(QueryKey(q, q, positions, positions))
    bias = layer.score_bias(QueryKey(q, q, positions, positions))
    assert turned_q.shape == turned_k.shape
    assert turned_q.shape[:-1] == q.shape[:-1]
    assert bias is None or bias.shape[1:] == (3, 6, 6)


@pytest.mark.parametrize(
    "name", ["irope", "prope", "rnope", "rotary", "rotary_interpolation", "rotary_ntk", "rotary_yarn", "xpos"]
)
def test_heads_with_no_pair_to_rotate_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="d_key = 1 holds no pair of dimensions to rotate; it takes two at least"):
        build(PositionalConfig(name), replace(STACK, d_key=1))


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (PositionalConfig("rotari"), "'rotari' is no positional encoding; there are alibi, cope"),
        (
            PositionalConfig("rotary", {"bass": 1.0}),
            "rotary was given the parameter 'bass'; its parameters are: base, sha",
        ),
        (PositionalConfig("none", {"base": 2.0}), "none was given the parameter 'base'; its parameters are: none"),
        (PositionalConfig("sandwich", {"d_bar": 7}), "odd dimension: dimension = 7"),
        (
            PositionalConfig("t5", {"n_buckets": 64, "max_distance": 32}),
            "^max_distance too small: max_distance = 32, n_buckets = 64, n_single = 32$",
        ),
        (PositionalConfig("rotary_yarn", {"slow": 40.0}), "^slow not below fast: slow = 40.0, fast = 32.0$"),
        (PositionalConfig("rotary_ntk", {"share": 0.25}), "2 dimensions are rotated; .* it takes at least 4"),
    ],
)
def test_a_wrong_configuration_is_refused(config: PositionalConfig, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        build(config, STACK)


@pytest.mark.parametrize(
    ("values", "given"),
    [({"name": "t5", "layers": 2}, "name, layers"), ({"parameters": {}}, "parameters"), ({}, "nothing")],
)
def test_a_stored_configuration_with_other_entries_is_refused(values: dict[str, object], given: str) -> None:
    with pytest.raises(ValueError, match=f"was given {given}; its entries are name, parameters and inner"):
        PositionalConfig.from_dict(values)


def test_a_position_outside_the_learned_table_is_refused() -> None:
    learned = build(PositionalConfig("learned", {"max_length": 8}), STACK)
    with pytest.raises(ValueError, match=r"^past the learned table: position = 8, rows = 8$"):
        learned.additive_encoding(torch.arange(9))
    with pytest.raises(ValueError, match="position -1 is before the first row of the learned table"):
        learned.additive_encoding(torch.arange(-1, 3))


def test_no_positions_at_all_are_no_mistake() -> None:
    for name in registered():
        encoding = build(PositionalConfig(name), STACK)
        none = encoding.map_positions(torch.arange(0))
        added = encoding.additive_encoding(none)
        assert none.shape == (0,)
        assert added is None or added.shape == (0, 16)
