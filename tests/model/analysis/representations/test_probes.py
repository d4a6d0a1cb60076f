"""Probes find what is planted, and nothing where nothing is."""

import pytest
import torch

from model.analysis.representations.probes import fit_probe, residual_streams, score_probe
from model.architectures.decoder_only import DecoderOnly
from model.config import DecoderOnlyConfig
from model.positional import PositionalConfig
from model.tasks import find, row_of, vocabulary_of
from model.zoo.data import held_out_rows

N = 800


def test_a_planted_position_is_read_back() -> None:
    y = torch.arange(2 * N).double() % 40
    x = torch.randn(2 * N, 16) + y.float()[:, None] * torch.randn(16)
    score = score_probe(fit_probe(x[:N], y[:N]), x[N:], y[N:])
    assert score.r2 > 0.99
    assert score.mean_absolute_error < 1
    assert score.n_tokens == N


def test_noise_tells_nothing() -> None:
    y, x = torch.arange(2 * N).double() % 40, torch.randn(2 * N, 16)
    score = score_probe(fit_probe(x[:N], y[:N]), x[N:], y[N:])
    assert score.r2 == pytest.approx(0, abs=0.1)
    assert score.mean_absolute_error == pytest.approx(10, abs=1)


def test_a_feature_that_never_changes_harms_nothing() -> None:
    y = torch.arange(N).double()
    x = torch.stack((y.float(), torch.full((N,), 3.0)), dim=1)
    assert score_probe(fit_probe(x, y), x, y).r2 > 0.999


def test_one_token_is_too_few() -> None:
    with pytest.raises(ValueError, match=r"^a probe was given 1 tokens to fit; it takes at least two"):
        fit_probe(torch.zeros(1, 3), torch.zeros(1).double())


@pytest.mark.unchecked
def test_streams_hold_every_layer_and_a_place_for_each_token_read_but_bos() -> None:
    task = find("reverse")
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 8, "d_ff": 24, "n_layers": 3}
    config = DecoderOnlyConfig(len(vocabulary_of(task)), positional=PositionalConfig("sinusoidal"), **sizes)
    rows = [*held_out_rows(task, 24, 2), row_of(task, vocabulary_of(task), tuple("ab"))]
    model = DecoderOnly(config).eval()
    found = residual_streams(model, rows)
    n_tokens = sum(len(row.ids) - 2 for row in rows)
    assert [tuple(x.shape) for x in found.layers] == [(n_tokens, 16)] * 4
    assert sorted(found.positions.tolist()) == sorted(place for row in rows for place in range(1, len(row.ids) - 1))
    # Without the sinusoid of its place, what the first layer reads is a token's embedding and nothing else.
    encoding = model.positional.additive_encoding(found.positions.long())
    assert encoding is not None
    distances = torch.cdist(found.layers[0] - encoding, model.embedding.weight * config.d_model**0.5)
    assert distances.min(dim=1).values.max() < 1e-2  # of distances around 5
