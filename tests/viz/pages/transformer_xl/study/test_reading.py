"""Where a text is read, and the memory with which a model comes to a segment."""

import pytest
import torch

from model.architectures.decoder_only import DecoderOnly
from model.architectures.transformer_xl import read_segments
from model.attention import SegmentMemory, SegmentSpec
from tests.fixtures.language_model_run import random_text, strong_model
from viz.pages.transformer_xl.study.reading import Memories, memory_before, segment_row

N_LAYERS = 3
RECURRENCE = SegmentSpec(segment_length=4, mem_len=8)


@pytest.fixture(scope="module")
def model() -> DecoderOnly:
    return strong_model(N_LAYERS, with_vectors=True)


def same(one: SegmentMemory, other: SegmentMemory) -> None:
    assert one.length == other.length
    for mine, theirs in zip(one.layers, other.layers, strict=True):
        if one.length:
            torch.testing.assert_close(mine.states, theirs.states, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("segment", [0, 1, 5, 9])
def test_memory_read_from_where_it_is_felt_is_that_of_the_whole_text(model: DecoderOnly, segment: int) -> None:
    rows = random_text()
    whole = model.new_memory(RECURRENCE.mem_len)
    if segment:
        list(read_segments(model, rows[:, : 4 * segment], 4, whole))
    near = memory_before(model, rows, segment, RECURRENCE)
    assert near.length == whole.length
    if segment:
        for one, other in zip(near.layers, whole.layers, strict=True):
            torch.testing.assert_close(one.states, other.states, rtol=1e-5, atol=1e-6)


def test_no_more_layers_read_a_segment_than_are_felt_of_it(model: DecoderOnly, monkeypatch) -> None:
    read = []
    for number, layer in enumerate(model.layers):
        forward = layer.forward
        monkeypatch.setattr(
            layer,
            "forward",
            lambda x, *given, n=number, by=forward, **more: read.extend([n] * x.shape[1]) or by(x, *given, **more),
        )
    memory_before(model, random_text(), 9, RECURRENCE)
    # Six segments of 4 are felt, by a layer less for every memory, of two segments, that lies between.
    assert [read.count(number) for number in range(N_LAYERS)] == [16, 8, 0]


def test_memory_that_is_felt_does_not_begin_later(model: DecoderOnly) -> None:
    rows, other = random_text(), random_text()
    other[0, 4 * (9 - 6)] = 1 + rows[0, 4 * (9 - 6)] % 10
    near = [memory_before(model, one, 9, RECURRENCE).layers[-1].states for one in (rows, other)]
    assert not torch.equal(*near)


def test_a_segment_comes_with_the_character_after_it_where_there_is_one() -> None:
    assert segment_row(random_text(11), 1, RECURRENCE).shape == (1, 5)
    assert segment_row(random_text(11), 2, RECURRENCE).shape == (1, 3)


@pytest.mark.parametrize("asked", [[0, 1, 2, 3, 4], [7, 8, 9], [9, 3, 4, 9, 8], list(range(10)) * 3])
def test_memories_are_right_in_whatever_order_they_are_asked_for(model: DecoderOnly, asked: list[int]) -> None:
    memories = Memories(model, random_text(), RECURRENCE)
    for segment in asked:
        same(memories.before(segment), memory_before(model, random_text(), segment, RECURRENCE))


def test_the_next_segment_reads_only_one(model: DecoderOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    memories = Memories(model, random_text(), RECURRENCE)
    memories.before(8)
    read = []
    forward = model.forward
    monkeypatch.setattr(model, "forward", lambda *given, **more: read.append(1) or forward(*given, **more))
    memories.before(9)
    assert len(read) == 1
    memories.before(9)
    assert len(read) == 1
