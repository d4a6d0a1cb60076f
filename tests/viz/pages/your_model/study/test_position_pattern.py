"""What an encoding makes of every two positions, ours and other people's."""

import numpy as np
import pytest
import torch

from model.positional import PositionalConfig, StackSpec, build
from model.positional.alibi import ALiBi
from viz.pages.your_model.study.position_pattern import by_distance, our_encodings, our_pattern, pattern_of

N = 12
STACK = StackSpec(128, 2, 64, 64, n_layers=1, causal=False)
CAUSAL = StackSpec(128, 2, 64, 64, n_layers=1, causal=True)


def test_sinusoids_are_compared_by_their_cosine() -> None:
    found = our_pattern("sinusoidal", STACK, N)
    assert found.meaning == "vectors"
    table = build(PositionalConfig("sinusoidal"), STACK).additive_encoding(torch.arange(N))
    wanted = torch.nn.functional.cosine_similarity(table[:, None], table[None], dim=-1)
    np.testing.assert_allclose(found.values[0], wanted, atol=1e-5)


def test_alibi_is_what_it_adds_to_the_score() -> None:
    found = pattern_of(ALiBi(CAUSAL), CAUSAL, N)
    assert found.meaning == "bias"
    assert found.values[1, 9, 4] == pytest.approx(-5 * 2**-8)
    assert np.isnan(found.values[0, 4, 9])
    assert by_distance(found, 0, 3) == pytest.approx(-3 * 2**-4)


def test_rotation_leaves_the_mean_cosine_of_its_angles() -> None:
    found = our_pattern("rotary", STACK, N)
    assert found.meaning == "rotation"
    frequencies = 10_000.0 ** (-np.arange(0, 64, 2) / 64)
    assert found.values[0, 7, 2] == pytest.approx(np.cos(5 * frequencies).mean(), abs=1e-5)
    np.testing.assert_allclose(np.diagonal(found.values[1]), 1, atol=1e-5)


def test_ours_are_those_that_words_do_not_have_to_bring_to_life() -> None:
    names = our_encodings()
    assert {"sinusoidal", "rotary", "rotary_yarn", "alibi"} <= {*names}
    assert not {"none", "learned", "t5", "cope"} & {*names}
    for name in names:
        found = our_pattern(name, CAUSAL, 40)
        assert found.values.shape == (2 if found.meaning != "vectors" else 1, 40, 40)
