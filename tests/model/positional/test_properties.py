"""What encodings declare of themselves is what they do, and what their papers define."""

import itertools

import pytest
import torch

from model.positional import PositionalConfig, QueryKey, StackSpec, build, note_progress, registered
from model.positional.base import EncodingError
from model.positional.sinusoidal import sinusoidal_encoding
from model.positional.xpos import xpos_decay


def properties(name: str):
    return registered()[name].description.properties


def test_sinusoids_lower_a_score_with_distance_by_a_bounded_amount() -> None:
    encoding = sinusoidal_encoding(torch.arange(200), 64)
    products = encoding @ encoding[0]
    assert products[20:].max() < products[0]
    assert products.min() >= -products[0]
    assert properties("sinusoidal").decay == "bounded"


def test_randomized_positions_end_with_their_sample() -> None:
    stack = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=1, causal=True)
    config = PositionalConfig("randomized", {"longest": 8, "max_position": 64})
    encoding = build(config, stack).eval()
    with pytest.raises(EncodingError):
        encoding.map_positions(torch.arange(9))
    assert properties("randomized").extrapolates == encoding.description.properties.extrapolates == "by a factor"


def test_the_slow_pairs_of_xpos_hardly_fade_so_it_meets_unseen_angles_at_full_size() -> None:
    assert float(xpos_decay(32)[-1]) > 0.9
    assert properties("xpos").extrapolates == "no"


def test_xpos_gives_finite_scores_or_refuses_whatever_its_parameters() -> None:
    stack, refused = StackSpec(d_model=64, n_heads=2, d_key=32, d_value=32, n_layers=1, causal=False), set()
    words = torch.randn(1, 2, 1, 32)
    values = itertools.product((8, 64, 256), (1.0, 2.0, 4.0, 8.0, 512.0, 65536.0), (0.01, 0.1, 0.4, 10.0))
    for n_positions, scale_base, gamma in values:
        encoding = build(PositionalConfig("xpos", {"scale_base": scale_base, "gamma": gamma}), stack)
        positions, qk = torch.arange(n_positions), words.expand(-1, -1, n_positions, -1)
        try:
            q, k = encoding.transform_query_key(QueryKey(qk, qk, positions + 1000, positions + 1000))
        except EncodingError:
            refused.add((n_positions, scale_base, gamma))
        else:
            scores = q @ k.mT
            assert scores.isfinite().all()
            assert torch.allclose(scores.diagonal(dim1=-2, dim2=-1), (words @ words.mT).squeeze(-1), rtol=1e-3)
    assert (256, 1.0, 0.01) in refused
    assert not [values for values in refused if values[0] == 8 or values[1] > 8 or values[2] == 10]


@pytest.mark.parametrize("name", ["alibi", "kerple", "sandwich", "fox"])
def test_what_only_lowers_far_scores_leaves_the_trained_range_downwards_alone(name: str) -> None:
    stack = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=1, causal=True)
    encoding, q, positions = (
        build(PositionalConfig(name), stack).at_layer(0),
        torch.ones(1, 2, 200, 8),
        torch.arange(200),
    )
    bias = encoding.score_bias(QueryKey(q, q, positions, positions))
    assert bias is not None
    from_last = bias[0, :, -1].flip(-1)  # [H, distance]
    trained, beyond = from_last[:, :50], from_last[:, 50:]
    assert (beyond.amax(-1) <= trained.amax(-1)).all()
    assert (beyond.amin(-1) < trained.amin(-1)).all()
    assert properties(name).extrapolates == "yes"


@pytest.mark.parametrize("name", ["transformer_xl", "rotary_interpolation", "rotary_ntk", "rotary_yarn", "xpos"])
def test_what_was_published_for_causal_models_says_so(name: str) -> None:
    assert properties(name).published_for == "causal"


def test_drope_turns_queries_until_the_last_steps_of_training() -> None:
    stack = StackSpec(d_model=16, n_heads=2, d_key=8, d_value=8, n_layers=2, causal=True)
    encoding = build(PositionalConfig("drope", {"recalibration": 0.25}), stack).train()
    model = torch.nn.ModuleList([encoding])
    q, positions = torch.randn(1, 2, 5, 8), torch.arange(5)

    def is_rotary() -> bool:
        return not torch.equal(encoding.at_layer(1).transform_query_key(QueryKey(q, q, positions, positions))[0], q)

    assert not is_rotary()  # who trains without a word of progress trains what is shipped
    found = []
    for step in range(8):
        note_progress(model, step / 8)
        found.append(is_rotary())
    assert found == [True] * 6 + [False] * 2
    note_progress(model, 0.0)
    encoding.eval()
    assert not is_rotary()
