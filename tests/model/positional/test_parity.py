"""Every encoding against code or formulas that owe nothing to ours, to 1e-5."""

import math
import warnings
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb
from transformers.models.llama4.configuration_llama4 import Llama4TextConfig
from transformers.models.llama4.modeling_llama4 import Llama4TextAttention
from transformers.models.smollm3.configuration_smollm3 import SmolLM3Config
from transformers.models.t5.configuration_t5 import T5Config
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.xlnet.configuration_xlnet import XLNetConfig
from transformers.models.xlnet.modeling_xlnet import XLNetModel, XLNetRelativeAttention

from model.attention import AttentionPositions, MultiHeadAttention, attention_pattern, attention_scores, causal_mask
from model.hooks import record
from model.positional import PositionalConfig, PositionalEncoding, QueryKey, StackSpec, build
from model.positional.prope import PRoPE
from model.positional.rotary import RotaryEncoding
from model.positional.sinusoidal import sinusoidal_encoding
from model.positional.t5 import t5_buckets

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it calls torch.jit.script as it is imported
    import rotary_embedding_torch
    import x_transformers.x_transformers as lucidrains

B, H, E, D = 2, 4, 16, 32
STACK = StackSpec(d_model=D, n_heads=H, d_key=E, d_value=E, n_layers=1, causal=True)


def agree(ours: Tensor, theirs: Tensor) -> None:
    assert ours.shape == theirs.shape
    assert float((ours.detach() - theirs.detach()).abs().max()) < 1e-5


def encoding(name: str, *, causal: bool = True, n_heads: int = H, **parameters: float) -> PositionalEncoding:
    return build(PositionalConfig(name, parameters), replace(STACK, n_heads=n_heads, causal=causal)).at_layer(0)


def queries_and_keys(n_queries: int = 9, n_keys: int = 9) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Random q and k, and their positions: queries are the last of the keys."""
    keys = torch.arange(n_keys)
    return torch.randn(B, H, n_queries, E), torch.randn(B, H, n_keys, E), keys[n_keys - n_queries :], keys


def bias_by_loop(n_heads: int, queries: Tensor, keys: Tensor, formula: Callable[[int, int, int], float]) -> Tensor:
    """Evaluate ``formula(head, i, j)`` at every place of a bias [1, H, Q, K]."""
    rows = [[[formula(h, i, j) for j in keys.tolist()] for i in queries.tolist()] for h in range(n_heads)]
    return torch.tensor(rows, dtype=torch.float64)[None]


def test_sinusoidal_by_its_formula() -> None:
    expected = torch.tensor(
        [[(math.sin, math.cos)[i % 2](p / 10000 ** ((i - i % 2) / D)) for i in range(D)] for p in (0, 1, 7, 500, 65535)]
    )
    agree(sinusoidal_encoding(torch.tensor([0, 1, 7, 500, 65535]), D), expected)


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


def llama_config(rope: dict[str, object], base: float, share: float = 1.0, length: int = 64) -> LlamaConfig:
    return LlamaConfig(
        hidden_size=H * E,
        num_attention_heads=H,
        head_dim=E,
        max_position_embeddings=length,
        rope_parameters={"rope_theta": base, "partial_rotary_factor": share, **rope},
    )


def rope_parameters(kind: str, config: LlamaConfig, **arguments: int) -> tuple[Tensor, float]:
    frequencies, amplitude = ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"), **arguments)
    return frequencies.double(), amplitude


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


def test_yarn_s_temperature_multiplies_the_scores() -> None:
    q, k, queries, keys = queries_and_keys()
    yarn = encoding("rotary_yarn", factor=8.0)
    assert isinstance(yarn, RotaryEncoding)
    warm = attention_scores(*yarn.transform_query_key(QueryKey(q, k, queries, keys)))
    yarn.amplitude = 1.0
    cold = attention_scores(*yarn.transform_query_key(QueryKey(q, k, queries, keys)))
    torch.testing.assert_close(warm, cold * (0.1 * math.log(8) + 1) ** 2)


@pytest.mark.parametrize("n_queries", [9, 3])
def test_xpos_is_x_transformers(n_queries: int) -> None:
    """Both centre the growth, elsewhere; the scores agree."""
    q, k, queries, keys = queries_and_keys(n_queries, 9)
    ours = attention_scores(*encoding("xpos").transform_query_key(QueryKey(q, k, queries, keys)))
    frequencies, scale = lucidrains.RotaryEmbedding(E, use_xpos=True).forward(keys)
    theirs = attention_scores(
        lucidrains.apply_rotary_pos_emb(q, frequencies, scale),
        lucidrains.apply_rotary_pos_emb(k, frequencies, scale**-1),
    )
    agree(ours, theirs)


def test_xpos_by_its_formula() -> None:
    q, k, queries, keys = queries_and_keys(5, 9)
    ours = attention_scores(
        *encoding("xpos", scale_base=20.0, gamma=0.7).transform_query_key(QueryKey(q, k, queries, keys))
    )
    expected = torch.zeros(B, H, 5, 9)
    for row, n in enumerate(queries.tolist()):
        for m in keys.tolist():
            for i in range(E // 2):
                turn = torch.polar(torch.tensor(1.0), torch.tensor((n - m) * 10000 ** (-2 * i / E)))
                zeta = (2 * i / E + 0.7) / 1.7
                pair_q = torch.complex(q[:, :, row, 2 * i], q[:, :, row, 2 * i + 1])
                pair_k = torch.complex(k[:, :, m, 2 * i], k[:, :, m, 2 * i + 1])
                expected[:, :, row, m] += (pair_q * turn * pair_k.conj()).real * zeta ** ((n - m) / 20)
    agree(ours, expected / math.sqrt(E))


@pytest.mark.parametrize("n_heads", [1, 4, 6, 8, 12, 20])
def test_alibi_is_bloom_s_after_softmax(n_heads: int) -> None:
    positions = torch.arange(50)
    scores = torch.randn(1, n_heads, 50, 50)
    mask = causal_mask(positions, positions)
    q = torch.zeros(1, n_heads, 50, E)
    ours = encoding("alibi", n_heads=n_heads).score_bias(QueryKey(q, q, positions, positions))
    theirs = build_alibi_tensor(torch.ones(1, 50), n_heads, torch.float32)[None]
    agree(
        attention_pattern((scores + ours).masked_fill(~mask, -math.inf)),
        attention_pattern((scores + theirs).masked_fill(~mask, -math.inf)),
    )


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("n_buckets", "max_distance"), [(32, 128), (8, 20), (64, 1000)])
def test_t5_buckets_are_transformers(causal: bool, n_buckets: int, max_distance: int) -> None:
    distance = torch.arange(-3000, 3001)[None]
    theirs = T5Attention._relative_position_bucket(-distance, not causal, n_buckets, max_distance)
    assert torch.equal(t5_buckets(distance, n_buckets, max_distance, causal=causal), theirs)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("n_queries", [40, 7])
def test_t5_bias_is_transformers(causal: bool, n_queries: int) -> None:
    ours = encoding("t5", causal=causal)
    config = T5Config(d_model=D, num_heads=H, is_decoder=causal)
    theirs = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    with torch.no_grad():
        theirs.relative_attention_bias.weight.copy_(ours.get_parameter("table"))
    bias = ours.score_bias(QueryKey(*queries_and_keys(n_queries, 40)))
    agree(bias, theirs.compute_bias(n_queries, 40, past_seen_tokens=40 - n_queries))


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("memory", [0, 6])
def test_transformer_xl_is_xlnet_s_attention(memory: int, causal: bool) -> None:
    n_queries, n_keys = 9, 9 + memory
    ours = encoding("transformer_xl", causal=causal)
    theirs = XLNetRelativeAttention(XLNetConfig(d_model=H * E, n_head=H, d_inner=8, n_layer=1, dropout=0.0)).eval()
    u, v, W_kR = ours.get_parameter("u"), ours.get_parameter("v"), ours.get_parameter("W_kR.weight")
    with torch.no_grad():
        theirs.r_w_bias.copy_(u)
        theirs.r_r_bias.copy_(v)
    # XLNet has all sines before all cosines, and counts distances down from the number of keys to 1 − queries.
    order = torch.cat((torch.arange(0, D, 2), torch.arange(1, D, 2)))
    countdown = torch.arange(n_keys, -n_queries, -1.0)
    R = XLNetModel.positional_embedding(countdown, 1 / 10000 ** (torch.arange(0, D, 2.0) / D), B)  # [R, B, D]
    relative_keys = (R @ W_kR[:, order].T).reshape(-1, B, H, E)
    q, k, queries, keys = queries_and_keys(n_queries, n_keys)
    values = torch.randn(B, H, n_keys, E)
    mask = causal_mask(queries, keys) if causal else torch.ones(1, 1, n_queries, n_keys, dtype=torch.bool)
    theirs_z = theirs.rel_attn_core(
        *(x.permute(2, 0, 1, 3) for x in (q, k, values)),
        relative_keys,
        attn_mask=(~mask).float().expand(B, H, -1, -1).permute(2, 3, 0, 1),
    ).permute(1, 2, 0, 3)
    bias = ours.score_bias(QueryKey(q, k, queries, keys))
    scores = attention_scores(*ours.transform_query_key(QueryKey(q, k, queries, keys)), bias=bias, mask=mask)
    agree(attention_pattern(scores) @ values, theirs_z)


def test_transformer_xl_by_its_four_terms() -> None:
    ours = encoding("transformer_xl")
    u, v, W_kR = ours.get_parameter("u"), ours.get_parameter("v"), ours.get_parameter("W_kR.weight").view(H, E, D)
    q, k, queries, keys = queries_and_keys(4, 7)
    scores = attention_scores(
        *ours.transform_query_key(QueryKey(q, k, queries, keys)), bias=ours.score_bias(QueryKey(q, k, queries, keys))
    )
    expected = torch.zeros(B, H, 4, 7)
    for row, i in enumerate(queries.tolist()):
        for j in keys.tolist():
            R = sinusoidal_encoding(torch.tensor([i - j]), D)[0]
            for h in range(H):
                r = W_kR[h] @ R
                a, b = (q[:, h, row] * k[:, h, j]).sum(-1), q[:, h, row] @ r
                c, d = k[:, h, j] @ u[h], v[h] @ r
                expected[:, h, row, j] = (a + b + c + d) / math.sqrt(E)
    agree(scores, expected)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("memory", [0, 5])
def test_shaw_by_its_formulas(memory: int, causal: bool) -> None:
    """Through a whole attention block, which also holds the place where the values are added."""
    ours = encoding("shaw", causal=causal, clip=3)
    key_table, value_table = ours.get_parameter("key_table"), ours.get_parameter("value_table")
    block = MultiHeadAttention(name="encoder.0.self_attention", d_model=D, n_heads=H, d_key=E, d_value=E)
    x = torch.randn(B, 7 + memory, D)
    positions = torch.arange(7 + memory)
    asked = AttentionPositions(ours, positions[memory:], positions)
    mask = causal_mask(asked.query, asked.key) if causal else None
    with record("encoder.0.self_attention.*") as seen:
        block(x[:, memory:], x, mask=mask, positions=asked)
    q, k, v = (seen[f"encoder.0.self_attention.{name}"].detach() for name in "qkv")
    expected = torch.zeros(B, H, 7, E)
    for row, i in enumerate(asked.query.tolist()):
        seen_keys = [j for j in positions.tolist() if j <= i or not causal]
        clipped = [max(-3, min(3, j - i)) + 3 for j in seen_keys]
        scores = torch.stack(
            [
                (q[:, :, row] * (k[:, :, j] + key_table[w])).sum(-1) / math.sqrt(E)
                for j, w in zip(seen_keys, clipped, strict=True)
            ]
        )
        for weight, j, w in zip(scores.softmax(0), seen_keys, clipped, strict=True):
            expected[:, :, row] += weight[..., None] * (v[:, :, j] + value_table[w])
    agree(seen["encoder.0.self_attention.z"], expected)


def test_kerple_by_its_formula() -> None:
    ours = encoding("kerple", causal=False)
    r1, r2 = ours.get_parameter("log_r1").exp().tolist(), ours.get_parameter("log_r2").exp().tolist()
    q, k, queries, keys = queries_and_keys(9, 30)
    expected = bias_by_loop(H, queries, keys, lambda h, i, j: -r1[h] * math.log(1 + r2[h] * abs(i - j)))
    agree(ours.score_bias(QueryKey(q, k, queries, keys)), expected.float())


@pytest.mark.parametrize("threshold", [4.0, 512.0])
def test_fire_by_its_formula(threshold: float) -> None:
    ours = encoding("fire", threshold=threshold, c=0.5)
    W_1, b_1, W_2 = (ours.get_parameter(name).tolist() for name in ("W_1", "b_1", "W_2"))

    def formula(h: int, i: int, j: int) -> float:
        x = math.log(0.5 * abs(i - j) + 1) / math.log(0.5 * max(threshold, i) + 1)
        return sum(w_2 * max(0.0, w_1 * x + b) for w_1, b, w_2 in zip(W_1, b_1, W_2[h], strict=True))

    q, k, queries, keys = queries_and_keys(12, 20)
    behind = causal_mask(queries, keys)
    expected = bias_by_loop(H, queries, keys, formula).float()
    agree(ours.score_bias(QueryKey(q, k, queries, keys)).masked_fill(~behind, 0), expected.masked_fill(~behind, 0))


@pytest.mark.parametrize("d_bar", [8, 128])
def test_sandwich_by_its_formula(d_bar: int) -> None:
    def formula(h: int, i: int, j: int) -> float:
        cosines = (math.cos((i - j) / 10000 ** (2 * m / d_bar)) for m in range(1, d_bar // 2 + 1))
        return (sum(cosines) - d_bar / 2) / ((h + 1) * 8 / H)

    q, k, queries, keys = queries_and_keys(9, 30)
    ours = encoding("sandwich", causal=False, d_bar=d_bar).score_bias(QueryKey(q, k, queries, keys))
    agree(ours, bias_by_loop(H, queries, keys, formula).float())


@pytest.mark.parametrize("max_count", [4, 64])
@pytest.mark.parametrize("n_queries", [20, 6])
def test_cope_is_x_transformers(max_count: int, n_queries: int) -> None:
    ours = encoding("cope", max_count=max_count)
    theirs = lucidrains.CoPE(dim=E, heads=H, max_pos=max_count)
    with torch.no_grad():
        theirs.pos_emb.normal_()
        ours.get_parameter("table").copy_(theirs.pos_emb)
    q, k, queries, keys = queries_and_keys(n_queries, 20)
    mask = causal_mask(queries, keys)
    scores = attention_scores(q, k).masked_fill(~mask, torch.finfo(torch.float32).min)
    agree(
        ours.score_bias(QueryKey(q, k, queries, keys)).masked_fill(~mask, 0),
        theirs(q, scores).masked_fill(~mask, 0),
    )


def test_cope_between_two_positions_by_its_formula() -> None:
    ours = encoding("cope", causal=False, max_count=5)
    table = ours.get_parameter("table")
    with torch.no_grad():
        table.normal_()
    q, k, queries, keys = queries_and_keys(7, 7)
    gates = attention_scores(q, k).sigmoid()
    expected = torch.zeros(B, H, 7, 7)
    for i in range(7):
        for j in range(7):
            count = gates[:, :, i, min(i, j) : max(i, j) + 1].sum(-1).clamp(max=4)
            share = (count - count.floor())[..., None]
            e = table[count.ceil().long()] * share + table[count.floor().long()] * (1 - share)
            expected[:, :, i, j] = (q[:, :, i] * e).sum(-1)
    agree(ours.score_bias(QueryKey(q, k, queries, keys)), expected)


@pytest.mark.parametrize("p", [0.25, 0.6, 0.75, 1.0])
def test_p_rope_is_transformers_proportional_rotary(p: float) -> None:
    ours = encoding("prope", p=p)
    assert isinstance(ours, PRoPE)
    theirs, _ = rope_parameters("proportional", llama_config({"rope_type": "proportional"}, 10000.0, p))
    agree(ours.frequencies(), theirs[theirs > 0])
    q, k, queries, keys = queries_and_keys()
    _, turned = ours.transform_query_key(QueryKey(q, k, queries, keys))
    angles = keys[:, None] * theirs
    first, second = k[..., ::2], k[..., 1::2]
    agree(turned[..., ::2], (first * angles.cos() - second * angles.sin()).float())
    agree(turned[..., 1::2], (first * angles.sin() + second * angles.cos()).float())


@pytest.mark.parametrize("every", [2, 3, 4])
def test_rnope_leaves_out_the_layers_that_smollm3_does(every: int) -> None:
    rnope = build(PositionalConfig("rnope", {"every": every}), replace(STACK, n_layers=9))
    is_rotary = SmolLM3Config(num_hidden_layers=9, no_rope_layer_interval=every, pad_token_id=0).no_rope_layers
    q, k, queries, keys = queries_and_keys()
    qk = QueryKey(q, k, queries, keys)
    rotated = encoding("rotary").transform_query_key(qk)
    for layer, has_rope in enumerate(is_rotary):
        ours = rnope.at_layer(layer)
        for found, expected in zip(ours.transform_query_key(qk), rotated if has_rope else (q, k), strict=True):
            assert torch.equal(found, expected)
        assert ours.score_bias(qk) is None


def test_the_temperature_of_irope_is_llama_4_s() -> None:
    n, floor, scale = 40, 7, 0.3
    config = Llama4TextConfig(
        hidden_size=H * E,
        num_attention_heads=H,
        num_key_value_heads=H,
        head_dim=E,
        num_hidden_layers=2,
        no_rope_layers=[1, 0],
        floor_scale=floor,
        attn_scale=scale,
        attn_implementation="eager",
    )
    theirs = Llama4TextAttention(config, 1).eval()
    x, tokens = torch.randn(B, n, H * E), torch.arange(n)
    mask = torch.zeros(n, n).masked_fill(~causal_mask(tokens, tokens)[0, 0], -math.inf)
    _, pattern = theirs(x, position_embeddings=torch.zeros(0), attention_mask=mask[None, None])
    q, k = (proj(x).unflatten(-1, (H, E)).transpose(1, 2) for proj in (theirs.q_proj, theirs.k_proj))
    irope = build(PositionalConfig("irope", {"scale": scale, "floor": floor}), replace(STACK, n_layers=2))
    ours = irope.at_layer(1).transform_query_key(QueryKey(q, k, tokens, tokens))
    agree(attention_pattern(attention_scores(*ours, mask=causal_mask(tokens, tokens))), pattern)
    assert isinstance(irope.at_layer(0), RotaryEncoding)


@pytest.mark.parametrize("n_queries", [12, 5])
def test_pope_is_x_transformers(n_queries: int) -> None:
    ours, theirs = encoding("pope"), lucidrains.PolarEmbedding(E, H)
    with torch.no_grad():
        theirs.learned_bias.uniform_(-7, 1)  # past both of its bounds
        ours.get_parameter("delta").copy_(theirs.learned_bias[:, 0])
    q, k, queries, keys = queries_and_keys(n_queries, 12)
    angles, bias = theirs(keys)
    theirs_q = lucidrains.apply_polar_pos_emb(q, angles)
    theirs_k = lucidrains.apply_polar_pos_emb(k, angles + bias)
    expected = theirs_q @ theirs_k.transpose(-2, -1) / math.sqrt(E)
    agree(attention_scores(*ours.transform_query_key(QueryKey(q, k, queries, keys))), expected)


def test_pope_by_its_formula() -> None:
    ours = encoding("pope", causal=False)
    delta = ours.get_parameter("delta")
    with torch.no_grad():
        delta.uniform_(-6, 0)
    q, k, queries, keys = queries_and_keys(4, 9)
    theta = 10000.0 ** (-torch.arange(E) / E)
    size = torch.log1p(q.exp())[:, :, :, None] * torch.log1p(k.exp())[:, :, None]  # [B, H, Q, K, E]
    angle = (keys[None, :] - queries[:, None])[..., None] * theta + delta[:, None, None]  # [H, Q, K, E]
    expected = (size * angle.cos()).sum(-1) / math.sqrt(E)
    agree(attention_scores(*ours.transform_query_key(QueryKey(q, k, queries, keys))), expected)


@pytest.mark.parametrize("n_queries", [12, 5])
def test_fox_is_x_transformers_where_it_reads_keys(n_queries: int) -> None:
    ours, theirs = encoding("fox"), lucidrains.DataDependentAlibi(H * E, H)
    ours.get_submodule("gate").load_state_dict(theirs.to_forget_gates[0].state_dict())
    q, k, queries, keys = queries_and_keys(n_queries, 12)
    behind = causal_mask(queries, keys)
    expected = theirs(k.transpose(1, 2).flatten(2))[:, :, 12 - n_queries :]
    agree(ours.score_bias(QueryKey(q, k, queries, keys)).masked_fill(~behind, 0), expected.masked_fill(~behind, 0))


def test_fox_by_its_formula_in_both_directions() -> None:
    ours = encoding("fox", causal=False)
    q, k, queries, keys = queries_and_keys(7, 7)
    f = ours.get_submodule("gate")(k.transpose(1, 2).flatten(2)).sigmoid()  # [B, K, H]
    expected = torch.zeros(B, H, 7, 7)
    for i in range(7):
        for j in range(7):
            expected[:, :, i, j] = f[:, min(i, j) + 1 : max(i, j) + 1].prod(1).log()
    agree(ours.score_bias(QueryKey(q, k, queries, keys)), expected)


@pytest.mark.parametrize("inner", ["none", "alibi", "rotary", "shaw", "transformer_xl"])
@pytest.mark.parametrize("n_queries", [12, 5])
def test_scalable_softmax_has_base_n_to_the_s(inner: str, n_queries: int) -> None:
    ours = build(PositionalConfig("ssmax", inner=PositionalConfig(inner)), replace(STACK, n_layers=2))
    s = ours.get_parameter("s")
    with torch.no_grad():
        s.uniform_(0.1, 1)
    q, k, queries, keys = queries_and_keys(n_queries, 12)
    allowed = causal_mask(queries, keys) & (torch.arange(12) != 3)
    qk = QueryKey(q, k, queries, keys, allowed)
    layer = ours.at_layer(1)
    found = attention_scores(*layer.transform_query_key(qk), bias=layer.score_bias(qk), mask=allowed)
    wrapped = ours.get_submodule("inner").at_layer(1)
    z = attention_scores(*wrapped.transform_query_key(qk), bias=wrapped.score_bias(qk))
    n = torch.tensor([sum(j <= i and j != 3 for j in range(12)) for i in queries.tolist()])
    powers = (n[:, None] ** (s[1][:, None, None] * z)).masked_fill(~allowed, 0)
    agree(attention_pattern(found), powers / powers.sum(-1, keepdim=True))
    assert layer.reads_pattern == wrapped.reads_pattern
    for name, term in wrapped.score_terms(qk).items():
        agree(layer.score_terms(qk)[name], term * s[1][:, None, None] * n[:, None].log())
