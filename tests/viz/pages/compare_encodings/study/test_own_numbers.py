"""Untrained weights are those of their seed, whatever other threads draw at the same time."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig, StackSpec, build, registered
from viz.pages.compare_encodings.study import comparison, zoo
from viz.pages.compare_encodings.study.comparison import Setting, cost, effect
from viz.pages.compare_encodings.study.own_numbers import OwnNumbers

STACK = StackSpec(d_model=32, n_heads=2, d_key=16, d_value=16, n_layers=2, causal=True)
SIZES = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 8, "n_layers": 2}


def disturbed(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``make`` with another thread that draws random numbers right before it."""

    def made(*given: Any) -> Any:
        other = Thread(target=torch.rand, args=(3,))
        other.start()
        other.join()
        return make(*given)

    return made


@pytest.mark.parametrize("name", registered())
def test_they_are_the_numbers_that_pytorch_draws_after_the_same_seed(name: str) -> None:
    torch.manual_seed(3)
    expected = build(PositionalConfig(name), STACK).state_dict()
    with OwnNumbers(3):
        assert_close(build(PositionalConfig(name), STACK).state_dict(), expected, rtol=0, atol=0)


def test_a_model_is_of_them_too() -> None:
    config = DecoderOnlyConfig(11, positional=PositionalConfig("t5"), **SIZES)
    torch.manual_seed(3)
    expected = DecoderOnly(config).state_dict()
    with OwnNumbers(3):
        assert_close(DecoderOnly(config).state_dict(), expected, rtol=0, atol=0)


def test_a_generator_that_is_given_is_the_one_that_draws() -> None:
    expected = torch.rand(3, generator=torch.Generator().manual_seed(5))
    with OwnNumbers(3):
        assert torch.equal(torch.rand(3, generator=torch.Generator().manual_seed(5)), expected)


@pytest.mark.parametrize("name", ["learned", "fire", "shaw"])
def test_an_effect_is_the_same_while_others_draw(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    alone = effect(PositionalConfig(name), Setting(12, 2, True), None, "")
    monkeypatch.setattr(comparison, "build", disturbed(build))
    beside_others = effect(PositionalConfig(name), Setting(12, 2, True), None, "")
    np.testing.assert_array_equal(beside_others.scores, alone.scores)


def test_a_new_model_beside_a_trained_one_is_the_same_while_others_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    trained = {"fire": DecoderOnly(DecoderOnlyConfig(11, positional=PositionalConfig("fire"), **SIZES)).eval()}
    (alone,) = zoo.learned_effects(trained, 6)
    monkeypatch.setattr(zoo, "DecoderOnly", disturbed(DecoderOnly))
    (beside_others,) = zoo.learned_effects(trained, 6)
    np.testing.assert_array_equal(beside_others.untrained.scores, alone.untrained.scores)


def test_what_others_draw_is_the_same_too() -> None:
    state = torch.get_rng_state()
    effect(PositionalConfig("learned"), Setting(12, 2, True), None, "")
    cost(PositionalConfig("learned"), Setting(12, 2, True))
    assert torch.equal(torch.get_rng_state(), state)
