"""Reaching in: what must change nothing changes no bit, and what is changed is what the words say."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from model.analysis.interventions.edited_models import (
    has_no_weights,
    log_length_factor,
    rotary_part,
    scaled_logits,
    with_encoding,
    with_rotary,
    with_shifted_start,
)
from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.hooks import intervene
from model.positional import PositionalConfig, registered
from model.positional.rotary import RotaryEncoding
from model.tasks import find
from model.zoo.data import held_out_rows
from model.zoo.evaluate import measure
from model.zoo.plan import ENCODINGS

TOKENS = torch.tensor([[1, 5, 6, 7, 8, 9, 3], [1, 9, 3, 4, 4, 10, 6]])
RANDOMIZED = PositionalConfig("randomized", {"max_position": 64, "longest": 32})


def make(encoding: PositionalConfig, size: int = 11) -> DecoderOnly:
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 24, "n_layers": 2}
    model = DecoderOnly(DecoderOnlyConfig(size, positional=encoding, **sizes)).eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    return model


def read(model: DecoderOnly) -> Tensor:
    with torch.no_grad():
        logits: Tensor = model(TOKENS, positions=model.positional.test_positions(TOKENS.shape[1]))
    return logits


def differs(first: Tensor, second: Tensor) -> bool:
    return not torch.allclose(first, second, atol=1e-3)


@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=list(ENCODINGS))
@pytest.mark.parametrize(
    "change",
    [
        lambda model: with_shifted_start(model, 0),
        lambda model: with_encoding(model, model.config.positional),
    ],
)
def test_what_changes_nothing_changes_no_bit(
    encoding: PositionalConfig, change: Callable[[DecoderOnly], DecoderOnly]
) -> None:
    model = make(encoding)
    with scaled_logits(1):
        assert torch.equal(read(change(model)), read(model))


@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=list(ENCODINGS))
def test_tau_multiplies_what_the_softmax_is_given(encoding: PositionalConfig) -> None:
    model = make(encoding)
    with scaled_logits(1.7):
        scaled = read(model)
    with intervene({"*.scores": lambda scores: scores * 1.7}):
        torch.testing.assert_close(scaled, read(model), rtol=1e-4, atol=1e-4)
    assert differs(scaled, read(model))


@pytest.mark.parametrize("name", ["none", "sinusoidal", "rotary", "learned"])
def test_without_a_bias_tau_is_a_scale_of_the_queries(name: str) -> None:
    model = make(ENCODINGS[name])
    with scaled_logits(0.6):
        scaled = read(model)
    for layer in model.layers:
        layer.self_attention.W_Q.weight.data *= 0.6
    torch.testing.assert_close(scaled, read(model), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("tau", [0, -1, float("nan"), float("inf")])
def test_a_tau_that_is_none_is_refused(tau: float) -> None:
    with pytest.raises(ValueError, match=r"^tau is .*; it must be a finite number above 0"), scaled_logits(tau):
        pass


@pytest.mark.parametrize("name", ["sinusoidal", "learned"])
def test_absolute_positions_see_a_moved_start_as_later_positions(name: str) -> None:
    model = make(ENCODINGS[name])
    later = torch.arange(5, 5 + TOKENS.shape[1])
    moved = read(with_shifted_start(model, 5))
    assert torch.equal(moved, model(TOKENS, positions=later))
    assert differs(moved, read(model))


@pytest.mark.parametrize("name", ["none", "alibi", "t5", "rotary", "transformer_xl"])
def test_relative_encodings_see_no_difference(name: str) -> None:
    model = make(ENCODINGS[name])
    torch.testing.assert_close(read(with_shifted_start(model, 5)), read(model), rtol=1e-4, atol=1e-4)


def test_randomized_positions_are_moved_after_they_are_drawn() -> None:
    model = make(RANDOMIZED)
    torch.testing.assert_close(read(with_shifted_start(model, 40)), read(model), rtol=1e-4, atol=1e-4)


def test_the_start_cannot_be_moved_back() -> None:
    with pytest.raises(ValueError, match=r"^shift is -1; it must be at least 0$"):
        with_shifted_start(make(PositionalConfig("none")), -1)


@pytest.mark.parametrize(("trained", "other"), [("t5", "alibi"), ("sinusoidal", "none"), ("learned", "rotary")])
def test_another_encoding_reads_with_the_same_weights_elsewhere(trained: str, other: str) -> None:
    model = make(ENCODINGS[trained])
    expected = make(ENCODINGS[other])
    expected.load_state_dict({k: v for k, v in model.state_dict().items() if not k.startswith("positional")})
    before = read(model)
    swapped = with_encoding(model, ENCODINGS[other])
    assert torch.equal(read(swapped), read(expected))
    assert differs(read(swapped), before)
    assert torch.equal(read(model), before)


@pytest.mark.parametrize(
    ("trained", "other"),
    [
        (PositionalConfig("t5"), PositionalConfig("t5", {"max_distance": 64})),
        (PositionalConfig("learned", {"max_length": 64}), PositionalConfig("learned", {"max_length": 128})),
    ],
)
def test_a_wrapper_keeps_no_weights_of_another_encoding_inside(
    trained: PositionalConfig, other: PositionalConfig
) -> None:
    model = make(PositionalConfig("ssmax", inner=trained))
    with pytest.raises(ValueError, match=r"^ssmax has weights, which would be untrained"):
        with_encoding(model, PositionalConfig("ssmax", inner=other))


def test_there_and_back_again_needs_the_weights_that_were_left_behind() -> None:
    swapped = with_encoding(make(ENCODINGS["t5"]), ENCODINGS["none"])
    with pytest.raises(ValueError, match=r"^t5 has weights, which would be untrained"):
        with_encoding(swapped, ENCODINGS["t5"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [("alibi", True), ("randomized", True), ("rnope", True), ("t5", False), ("fire", False), ("drope", False)],
)
def test_only_encodings_that_need_no_training_can_take_a_place(name: str, expected: bool) -> None:
    assert has_no_weights(make(ENCODINGS["none"]), ENCODINGS[name]) is expected


def test_judging_an_encoding_draws_no_random_number_of_anyone_s() -> None:
    model = make(ENCODINGS["none"])
    state = torch.random.get_rng_state()
    assert not has_no_weights(model, ENCODINGS["fire"])
    assert torch.equal(torch.random.get_rng_state(), state)


@pytest.mark.parametrize("encoding", [ENCODINGS["rotary"], ENCODINGS["rotary_25"], RANDOMIZED, ENCODINGS["ssmax"]])
def test_a_scaling_by_one_and_the_trained_base_turn_as_trained(encoding: PositionalConfig) -> None:
    model = make(encoding)
    for name, changes in (("rotary", {"base": 1e4}), ("rotary_interpolation", {"factor": 1})):
        torch.testing.assert_close(read(with_encoding(model, with_rotary(encoding, name, changes))), read(model))
    stretched = with_encoding(model, with_rotary(encoding, "rotary_interpolation", {"factor": 4}))
    assert differs(read(stretched), read(model))


def test_another_base_turns_otherwise() -> None:
    model = make(ENCODINGS["rotary"])
    changed = with_encoding(model, with_rotary(ENCODINGS["rotary"], "rotary", {"base": 50}))
    assert differs(read(changed), read(model))


ROTARY = [name for name, kind in registered().items() if issubclass(kind, RotaryEncoding)]


@pytest.mark.parametrize("name", ROTARY)
@pytest.mark.parametrize("variant", ROTARY)
def test_any_rotary_variant_takes_the_place_of_any_other(name: str, variant: str) -> None:
    before = registered()[name].description
    values = {parameter.name: parameter.default for parameter in before.parameters} | {"share": 0.5}
    changed = with_rotary(PositionalConfig(name, values), variant, {"base": 500.0})
    after = {parameter.name for parameter in registered()[variant].description.parameters}
    assert changed == PositionalConfig(variant, {key: values[key] for key in values if key in after} | {"base": 500.0})
    with_encoding(make(ENCODINGS["none"]), changed)


def test_what_rotates_is_found_inside_a_wrapper_and_keeps_its_share() -> None:
    assert rotary_part(RANDOMIZED) == PositionalConfig("rotary")
    assert rotary_part(ENCODINGS["randomized_fire"]) is None
    changed = with_rotary(ENCODINGS["rotary_25"], "rotary_ntk", {"factor": 2})
    assert changed == PositionalConfig("rotary_ntk", {"share": 0.25, "factor": 2})
    assert with_rotary(RANDOMIZED, "rotary_yarn", {}).name == "randomized"
    with pytest.raises(ValueError, match=r"^alibi has no rotary part"):
        with_rotary(ENCODINGS["alibi"], "rotary", {})


@pytest.mark.unchecked
def test_a_changed_model_is_measured_like_any_other() -> None:
    rows = held_out_rows(find("copy_repeat"), 5, 4)
    model = make(RANDOMIZED, 40)
    changed = with_shifted_start(with_encoding(model, PositionalConfig("none")), 3)
    with scaled_logits(2):
        assert measure(changed, rows, 5).n == len(rows)


def test_the_logarithmic_factor_is_1_where_the_model_was_trained_and_2_at_the_square() -> None:
    assert [log_length_factor(length, 10) for length in (1, 2, 10)] == [1, 1, 1]
    assert log_length_factor(100, 10) == pytest.approx(2)
    with pytest.raises(ValueError, match=r"^the longest trained length is 1; it must be at least 2$"):
        log_length_factor(5, 1)
