"""Rotary and its scalings, against code or formulas that owe nothing to ours, to 1e-5."""

import math
import warnings

import pytest
import torch
from torch import Tensor
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

from model.attention import attention_scores
from model.positional import QueryKey
from model.positional.rotary import RotaryEncoding
from model.positional.rotary_yarn import interpolated_share
from tests.model.positional.parity.agreement import (
    B,
    E,
    H,
    agree,
    encoding,
    llama_config,
    queries_and_keys,
    rope_parameters,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it calls torch.jit.script as it is imported
    import rotary_embedding_torch
    import x_transformers.x_transformers as lucidrains


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_rotary_is_x_transformers(share: float) -> None:
    q, _, positions, _ = queries_and_keys()
    ours, _ = encoding("rotary", share=share).transform_query_key(QueryKey(q, q, positions, positions))
    frequencies, scale = lucidrains.RotaryEmbedding(int(E * share)).forward(positions)
    agree(ours, lucidrains.apply_rotary_pos_emb(q, frequencies, scale))


def test_rotary_is_rotary_embedding_torch_at_any_offset() -> None:
    q = torch.randn(B, H, 9, E)
    positions = torch.arange(64, 73)  # far out their float32 angles lose the phase
    ours, _ = encoding("rotary").transform_query_key(QueryKey(q, q, positions, positions))
    rotary = rotary_embedding_torch.RotaryEmbedding(E, cache_if_possible=False)
    agree(ours, rotary.rotate_queries_or_keys(q, offset=64))


def test_rotary_is_llama_s_with_even_dimensions_before_odd_ones() -> None:
    q, k, queries, keys = queries_and_keys()
    ours = torch.cat(encoding("rotary", base=5e5).transform_query_key(QueryKey(q, k, queries, keys)))
    llama = LlamaRotaryEmbedding(llama_config({"rope_type": "default"}, base=5e5))
    cosines, sines = llama(q, queries[None])
    order = torch.cat((torch.arange(0, E, 2), torch.arange(1, E, 2)))
    theirs = torch.cat(apply_rotary_pos_emb(q[..., order], k[..., order], cosines, sines))
    agree(ours[..., order], theirs)


@pytest.mark.parametrize("base", [100.0, 10000.0, 5e5])
@pytest.mark.parametrize("share", [0.5, 1.0])
@pytest.mark.parametrize("factor", [1.0, 2.0, 8.0])
def test_the_scalings_are_transformers(base: float, share: float, factor: float) -> None:
    def frequencies(name: str, **more: float) -> tuple[Tensor, float]:
        ours = encoding(name, base=base, share=share, factor=factor, **more)
        assert isinstance(ours, RotaryEncoding)
        return ours.frequencies(), ours.amplitude

    linear = llama_config({"rope_type": "linear", "factor": factor}, base, share)
    agree(frequencies("rotary_interpolation")[0], rope_parameters("linear", linear)[0])

    # Their dynamic scaling by 1 at s times the trained length is the NTK-aware base for s.
    dynamic = llama_config({"rope_type": "dynamic", "factor": 1.0}, base, share)
    agree(frequencies("rotary_ntk")[0], rope_parameters("dynamic", dynamic, seq_len=int(64 * factor))[0])

    for fast, slow, length in ((32, 1, 2048), (4, 0.5, 64)):
        yarn = llama_config(
            {
                "rope_type": "yarn",
                "factor": factor,
                "beta_fast": fast,
                "beta_slow": slow,
                "original_max_position_embeddings": length,
            },
            base,
            share,
            length=int(length * factor),
        )
        ours, amplitude = frequencies("rotary_yarn", fast=fast, slow=slow, original_length=length)
        theirs, their_amplitude = rope_parameters("yarn", yarn)
        agree(ours, theirs)
        assert amplitude == pytest.approx(their_amplitude, abs=1e-9)


@pytest.mark.parametrize(("base", "length", "fast", "slow", "share"), [(1e4, 64, 128, 64, 1), (10, 65_536, 32, 1, 0)])
def test_yarn_interpolates_all_slow_pairs_and_no_fast_one(
    base: float, length: int, fast: float, slow: float, share: int
) -> None:
    assert interpolated_share(16, base, length, fast, slow).tolist() == [share] * 8


def test_yarn_s_temperature_multiplies_the_scores() -> None:
    q, k, queries, keys = queries_and_keys()
    yarn = encoding("rotary_yarn", factor=8.0)
    assert isinstance(yarn, RotaryEncoding)
    warm = attention_scores(*yarn.transform_query_key(QueryKey(q, k, queries, keys)))
    yarn.amplitude = 1.0
    cold = attention_scores(*yarn.transform_query_key(QueryKey(q, k, queries, keys)))
    torch.testing.assert_close(warm, cold * (0.1 * math.log(8) + 1) ** 2)
