"""How a text is read in segments with a memory."""

import pytest

from model.attention import SegmentSpec


@pytest.mark.parametrize(("segment_length", "mem_len"), [(0, 4), (4, -1)])
def test_empty_segments_and_memories_of_less_than_nothing_are_refused(segment_length: int, mem_len: int) -> None:
    with pytest.raises(ValueError, match=f"^segments have {segment_length} positions and the memory {mem_len}"):
        SegmentSpec(segment_length, mem_len)


def test_every_layer_reaches_one_memory_further_back() -> None:
    spec = SegmentSpec(segment_length=4, mem_len=8)
    assert [spec.earliest_source(21, n_layers) for n_layers in (0, 1, 2, 3)] == [21, 12, 4, 0]
