"""Memory over segments, the four terms of the score and the relative shift, against formulas and whole texts."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from model.architectures.decoder_only import DecoderOnly
from model.architectures.transformer_xl import read_segments, read_window, relative_shift
from model.attention import MultiHeadAttention
from model.config import DecoderOnlyConfig
from model.hooks import SCORE_TERMS, intervene, record
from model.positional import PositionalConfig, registered
from model.positional.sinusoidal import sinusoidal_encoding

REMEMBERING = [name for name, kind in registered().items() if kind.description.properties.memory]
# Not by distance alone: what is read first counts from 0 or from what is remembered.
COUNTING_FROM_THE_START = ("fire", "randomized")
BLOCK = "decoder.1.self_attention"


def make(positional: str = "transformer_xl", **changes: Any) -> DecoderOnly:
    torch.manual_seed(0)
    sizes = {"d_model": 16, "n_heads": 2, "d_key": 8, "d_value": 6, "d_ff": 24, "n_layers": 3}
    config = DecoderOnlyConfig(vocabulary_size=11, positional=PositionalConfig(positional), **(sizes | changes))
    model = DecoderOnly(config).eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    return model


def text(n: int = 23) -> Tensor:
    return torch.randint(3, 11, (2, n), generator=torch.Generator().manual_seed(1))


def close(ours: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("positional", REMEMBERING)
def test_segments_with_memory_over_everything_equal_the_whole_text(positional: str, norm: str) -> None:
    model, tokens = make(positional, norm=norm), text()
    pieces = list(read_segments(model, tokens, 5, model.new_memory(len(tokens[0]))))
    assert [piece.shape[1] for piece in pieces] == [5, 5, 5, 5, 3]
    close(torch.cat(pieces, dim=1), model(tokens))


@pytest.mark.parametrize("mem_len", [0, 3, 8])
@pytest.mark.parametrize("positional", [name for name in REMEMBERING if name not in COUNTING_FROM_THE_START])
def test_segments_read_several_at_once_equal_those_read_one_after_the_other(positional: str, mem_len: int) -> None:
    model, tokens = make(positional), text()
    one_by_one = model.new_memory(mem_len)
    expected = torch.cat(list(read_segments(model, tokens, 4, one_by_one)), dim=1)
    at_once = model.new_memory(mem_len, segment_length=4)
    found = [model(tokens[:, begin:end], memory=at_once) for begin, end in ((0, 8), (8, 20), (20, 23))]
    close(torch.cat(found, dim=1), expected)
    for ours, theirs in zip(at_once.layers, one_by_one.layers, strict=True):
        close(ours.states, theirs.states)


def scores_by_hand(model: DecoderOnly, layer: int, read: Tensor, queries: range, offset: int) -> Tensor:
    """Return (q + u)·k + (q + v)·W_kR R_{i−j}, over √d_key, pair by pair; query i stands at ``offset`` + i."""
    attention, encoding = model.layers[layer].self_attention, model.positional.at_layer(layer)
    heads, size = encoding.u.shape

    def split(x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:-1], heads, size)  # [..., H, E]

    scores = torch.full((read.shape[0], heads, len(queries), read.shape[1]), -math.inf)
    for row, i in enumerate(queries):
        for j in range(i + 1):
            q, k = split(attention.W_Q(read[:, i])), split(attention.W_K(read[:, j]))
            distance = torch.tensor([i + offset - j])
            r = split(encoding.W_kR(sinusoidal_encoding(distance, model.config.d_model, encoding.base)[0]))
            scores[:, :, row, j] = ((q + encoding.u) * k + (q + encoding.v) * r).sum(-1) / math.sqrt(size)
    return scores


def test_scores_over_memory_are_those_of_each_pair_and_a_wrong_offset_is_seen() -> None:
    model, tokens = make(norm="post"), text(9)
    memory = model.new_memory(4)
    model(tokens[:, :5], memory=memory)
    with record(f"{BLOCK}.*") as seen:
        model(tokens[:, 5:], memory=memory)
    read = torch.cat((seen[f"{BLOCK}.memory"], seen[f"{BLOCK}.residual_before"]), dim=1)
    close(seen[f"{BLOCK}.scores"], scores_by_hand(model, 1, read, range(4, 8), 0))
    wrong = scores_by_hand(model, 1, read, range(4, 8), 1)
    finite = wrong.isfinite()
    assert not torch.allclose(seen[f"{BLOCK}.scores"][finite], wrong[finite], atol=1e-2)


@pytest.mark.parametrize("mem_len", [0, 3, 7, 100])
def test_memory_holds_the_last_positions_and_no_more(mem_len: int) -> None:
    model, tokens = make(), text(12)
    memory = model.new_memory(mem_len)
    lengths = []
    for _ in read_segments(model, tokens, 5, memory):
        lengths.append(memory.length)
    assert lengths == [min(mem_len, read) for read in (5, 10, 12)]


def test_without_memory_segments_know_nothing_of_each_other() -> None:
    model, tokens = make(), text(10)
    pieces = list(read_segments(model, tokens, 5, model.new_memory(0)))
    close(pieces[1], model(tokens[:, 5:]))


def test_information_flows_back_one_memory_a_layer() -> None:
    model, tokens = make(), text(21)
    other = tokens.clone()
    reach = 3 * 4  # layers times memory, after a segment of one token
    other[:, 20 - reach] = 3 + (tokens[:, 20 - reach] - 2) % 8
    last = [list(read_segments(model, one, 1, model.new_memory(4)))[-1] for one in (tokens, other)]
    assert not torch.allclose(*last, atol=1e-6)
    other = tokens.clone()
    other[:, : 20 - reach] = 3 + (tokens[:, : 20 - reach] - 2) % 8
    close(list(read_segments(model, other, 1, model.new_memory(4)))[-1], last[0])


def test_no_gradient_flows_into_memory_but_what_reads_it_learns() -> None:
    model, tokens = make(n_layers=1), text(8)
    memory = model.new_memory(4)
    model(tokens[:, :4], memory=memory)
    assert memory.layers[0].states is not None
    assert not memory.layers[0].states.requires_grad
    model(tokens[:, 4:], memory=memory).square().sum().backward()
    with_memory = model.layers[0].self_attention.W_K.weight.grad.clone()
    model.zero_grad()
    model(tokens[:, 4:]).square().sum().backward()
    assert not torch.allclose(with_memory, model.layers[0].self_attention.W_K.weight.grad)


@pytest.mark.parametrize(("segment", "mem_len"), [(8, 3), (3, 8)])
def test_a_query_sees_the_memory_and_its_segment_up_to_itself(segment: int, mem_len: int) -> None:
    model, tokens = make(), text(8 + segment)
    memory = model.new_memory(mem_len)
    model(tokens[:, :8], memory=memory)
    with record("*.pattern") as seen:
        model(tokens[:, 8:], memory=memory)
    visible = torch.ones(segment, mem_len + segment, dtype=torch.bool).tril(mem_len)
    for pattern in seen.values():
        assert ((pattern > 0) == visible).all()


def test_clamped_distances_count_as_the_farthest() -> None:
    model, tokens = make(), text(12)
    clamped = make()
    clamped.load_state_dict(model.state_dict())
    for layer in range(3):
        clamped.positional.at_layer(layer).clamp = 4
    with record("*.position_bias") as seen:
        clamped(tokens)
    by_distance = seen["decoder.0.self_attention.position_bias"][:, :, -1].flip(-1)  # [B, H, distance]
    v_alone = by_distance[..., 4:]
    close(v_alone, v_alone[..., :1].expand_as(v_alone))
    close(clamped(tokens[:, :5]), model(tokens[:, :5]))
    assert not torch.allclose(clamped(tokens), model(tokens), atol=1e-3)


@pytest.mark.parametrize("scale", [None, 1.0])
def test_the_four_terms_sum_to_the_scores(scale: float | None) -> None:
    model, tokens = make(), text(12)
    for block in model.modules():
        if isinstance(block, MultiHeadAttention):
            block.scale = scale
    memory = model.new_memory(8)
    plain = [*read_segments(model, tokens, 6, memory.copy())]
    with record("*") as seen:
        recorded = [*read_segments(model, tokens, 6, memory)]
    close(torch.cat(recorded, 1), torch.cat(plain, 1))
    scores = seen[f"{BLOCK}.scores"]
    terms = torch.stack([seen[f"{BLOCK}.term_{term}"] for term in SCORE_TERMS]).sum(0)
    assert scores.shape[-2:] == (6, 12)
    close(terms[scores.isfinite()], scores[scores.isfinite()])


@pytest.mark.parametrize(("term", "silenced"), [("c", ("u",)), ("d", ("v",)), ("bd", ("W_kR.weight",))], ids=str)
def test_a_term_without_gain_is_as_if_its_weights_were_zero(term: str, silenced: tuple[str, ...]) -> None:
    model, tokens = make(), text(9)
    with intervene({f"*.term_{name}": torch.zeros_like for name in term}):
        edited = model(tokens)
    with torch.no_grad():
        for layer in range(3):
            for name in silenced:
                model.positional.at_layer(layer).get_parameter(name).zero_()
    close(edited, model(tokens))


def test_the_relative_shift_puts_every_distance_at_its_key() -> None:
    queries, keys = 4, 7
    distance = torch.arange(keys - 1, -1, -1.0).expand(queries, -1)  # by distance: from the farthest to 0
    shifted = relative_shift(distance[None])[0]
    for i in range(queries):
        for j in range(keys - queries + i + 1):
            assert shifted[i, j] == keys - queries + i - j


def test_a_window_reads_what_a_whole_text_reads_while_it_holds_it() -> None:
    model, tokens = make("rotary"), text(8)
    windows = list(read_window(model, tokens, 5))
    for end in range(1, 6):
        close(windows[end - 1], model(tokens[:, :end])[:, -1])
    close(windows[7], model(tokens[:, 3:])[:, -1])


@pytest.mark.unchecked
def test_bad_lengths_are_named() -> None:
    model, tokens = make(), text(4)
    with pytest.raises(ValueError, match=r"^mem_len is -1; it must be at least 0$"):
        model.new_memory(-1)
    with pytest.raises(ValueError, match=r"^segment_length is 0; it must be at least 1$"):
        next(read_segments(model, tokens, 0, model.new_memory(2)))
    with pytest.raises(ValueError, match=r"^window is 0; it must be at least 1$"):
        next(read_window(model, tokens, 0))
    with pytest.raises(ValueError, match=r"^both a cache and a memory"):
        model(tokens, cache=model.new_cache(), memory=model.new_memory(2))
