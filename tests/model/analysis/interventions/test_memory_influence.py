"""What is read at a place equals reading all of the text; a change comes through the memories, and ends with them."""

import math

import pytest
import torch
from torch import Tensor

from model.analysis.interventions.memory_influence import (
    SegmentedRead,
    divergence,
    influence,
    largest_changes,
    read_changed,
    read_to,
    through_memory,
)
from model.architectures.decoder_only import DecoderOnly
from model.architectures.transformer_xl import read_segments
from model.attention import SegmentSpec
from model.hooks import record
from tests.fixtures.language_model_run import strong_model

N_LAYERS = 3
SPECS = [SegmentSpec(4, 4), SegmentSpec(4, 6), SegmentSpec(5, 3), SegmentSpec(4, 0)]

pytestmark = pytest.mark.unchecked


@pytest.fixture(params=["pre", "post"])
def model(request: pytest.FixtureRequest) -> DecoderOnly:
    return strong_model(N_LAYERS, norm=request.param)


@pytest.fixture
def ids() -> Tensor:
    return torch.randint(3, 11, (60,), generator=torch.Generator().manual_seed(1))


def changed(ids: Tensor, place: int) -> Tensor:
    other = ids.clone()
    other[place] = 3 + (ids[place] - 2) % 8
    return other


def both(
    model: DecoderOnly, ids: Tensor, place: int, source: int, how: SegmentSpec
) -> tuple[SegmentedRead, SegmentedRead]:
    before = read_to(model, ids, place, how, source)
    return before, read_changed(model, changed(ids, source), source, before, how)


def close(ours: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_a_place_far_on_is_read_as_if_all_before_had_been(model: DecoderOnly, ids: Tensor, spec: SegmentSpec) -> None:
    place = 51
    memory = model.new_memory(spec.mem_len)
    with record("decoder.*.pattern") as seen:
        whole = torch.cat(list(read_segments(model, ids[None], spec.segment_length, memory)), dim=1)[0]
    reading = read_to(model, ids, place, spec)
    assert reading.start > 0
    assert reading.border <= place < reading.end
    close(reading.log_probabilities, whole[reading.border : reading.end].log_softmax(-1))
    segment = reading.border // spec.segment_length
    for layer in range(N_LAYERS):
        close(reading.patterns[layer], seen.every(f"decoder.{layer}.self_attention.pattern")[segment][0])
    assert reading.first_key == spec.first_key(place)
    assert reading.states.shape[1] == reading.end - reading.start


@pytest.mark.parametrize("spec", SPECS, ids=str)
@pytest.mark.parametrize("place", [48, 51])
def test_a_change_ends_exactly_where_layers_and_memory_end(
    model: DecoderOnly, ids: Tensor, spec: SegmentSpec, place: int
) -> None:
    earliest = spec.earliest_source(place, N_LAYERS)
    inside = influence(model, ids, place, *both(model, ids, place, earliest, spec))
    assert not torch.equal(inside.before, inside.after)
    outside = influence(model, ids, place, *both(model, ids, place, earliest - 1, spec))
    assert torch.equal(outside.before, outside.after)
    assert float(divergence(outside.before, outside.after)) == 0
    assert outside.spread[0, earliest - 1 - outside.start] > 0


@pytest.mark.parametrize("spec", SPECS[:3], ids=str)
@pytest.mark.parametrize("source", [30, 44, 50])
def test_going_on_from_what_was_read_equals_reading_the_changed_text(
    model: DecoderOnly, ids: Tensor, spec: SegmentSpec, source: int
) -> None:
    _, after = both(model, ids, 51, source, spec)
    anew = read_to(model, changed(ids, source), 51, spec, source)
    assert (after.start, after.border, after.end) == (anew.start, anew.border, anew.end)
    close(after.log_probabilities, anew.log_probabilities)
    close(after.states, anew.states)
    assert len(after.memories) == len(anew.memories)
    for layer, other in zip(after.memories[-1].layers, anew.memories[-1].layers, strict=True):
        assert layer.states is not None
        assert other.states is not None
        close(layer.states, other.states)


@pytest.mark.parametrize("spec", SPECS, ids=str)
@pytest.mark.parametrize("source", [None, 20, 25, 44])
def test_what_layers_read_does_not_depend_on_where_the_reading_begins(
    model: DecoderOnly, ids: Tensor, spec: SegmentSpec, source: int | None
) -> None:
    late, whole = read_to(model, ids, 51, spec, source), read_to(model, ids, 51, spec, 0)
    assert late.start > 0
    at = late.start + 2 if source is None else source
    close(late.states, whole.states[:, late.start :])
    for kept, complete in zip(reversed(late.memories), reversed(whole.memories), strict=False):
        for layer, other in zip(kept.layers, complete.layers, strict=True):
            if layer.states is not None and other.states is not None:
                close(layer.states, other.states)
    spread, of_whole = (
        influence(model, ids, 51, one, read_changed(model, changed(ids, at), at, one, spec)).spread
        for one in (late, whole)
    )
    close(spread, of_whole[:, late.start :])


def test_whole_segments_of_memory_reach_layers_times_memory() -> None:
    assert SegmentSpec(64, 128).earliest_source(5 * 1000 * 64 + 17, 5) == 5 * 1000 * 64 - 5 * 128
    assert SegmentSpec(1, 4).earliest_source(20, 3) == 20 - 3 * 4
    assert SegmentSpec(64, 128).earliest_source(70, 5) == 0


@pytest.mark.parametrize("spec", SPECS[:3], ids=str)
def test_all_memories_of_the_changed_text_make_its_prediction(
    model: DecoderOnly, ids: Tensor, spec: SegmentSpec
) -> None:
    place = 50
    source = spec.border(place) - 2
    before, after = both(model, ids, place, source, spec)
    segment = ids[before.border : place + 1]
    taken = torch.tensor([[True] * N_LAYERS, [False] * N_LAYERS])
    every, none = through_memory(model, segment, before.memories[-1], after.memories[-1], taken)
    found = influence(model, ids, place, before, after)
    assert divergence(found.before, found.after) > 1e-4
    close(every, found.after)
    close(none, found.before)
    close(found.unchanged, found.before)


def test_one_layer_alone_is_that_layer_s_memory_put_in_place(model: DecoderOnly, ids: Tensor) -> None:
    place, spec = 50, SegmentSpec(4, 8)
    before, after = both(model, ids, place, 45, spec)
    found = influence(model, ids, place, before, after)
    segment = ids[None, before.border : place + 1]
    for layer in range(N_LAYERS):
        memory = before.memories[-1].copy()
        memory.layers[layer].states = after.memories[-1].layers[layer].states
        close(found.alone[layer], model(segment, memory=memory)[0, -1].log_softmax(-1))
        memory = after.memories[-1].copy()
        memory.layers[layer].states = before.memories[-1].layers[layer].states
        close(found.without[layer], model(segment, memory=memory)[0, -1].log_softmax(-1))


def test_the_first_layer_carries_nothing_of_what_its_memory_has_forgotten(model: DecoderOnly, ids: Tensor) -> None:
    spec = SegmentSpec(4, 4)
    found = influence(model, ids, 51, *both(model, ids, 51, 42, spec))
    close(found.alone[0], found.before)
    close(found.without[0], found.after)
    assert not torch.allclose(found.alone[1], found.before, atol=1e-5)


def test_what_changed_inside_the_segment_comes_through_no_memory(model: DecoderOnly, ids: Tensor) -> None:
    found = influence(model, ids, 51, *both(model, ids, 51, 49, SegmentSpec(4, 8)))
    assert not torch.allclose(found.before, found.after, atol=1e-5)
    close(found.alone, found.before.expand_as(found.alone))


def test_in_the_first_segment_there_is_no_memory(model: DecoderOnly, ids: Tensor) -> None:
    before, after = both(model, ids, 2, 1, SegmentSpec(4, 8))
    assert before.memories[-1].length == 0
    assert before.states.shape[1] == 4
    found = influence(model, ids, 2, before, after)
    close(found.alone, found.before.expand_as(found.alone))


def test_a_change_spreads_forward_only_and_one_memory_a_layer(model: DecoderOnly, ids: Tensor) -> None:
    source, spec = 17, SegmentSpec(4, 4)
    spread = influence(model, ids, 51, *both(model, ids, 51, source, spec)).spread
    for layer in range(N_LAYERS):
        seen = {place for place in range(51) if spec.earliest_source(place, layer) <= source <= place}
        moved = {place + 16 for place in torch.nonzero(spread[layer])[:, 0].tolist()}
        assert moved <= seen
        assert source in moved
    assert max(place + 16 for place in torch.nonzero(spread[2])[:, 0].tolist()) > source + 4


def test_divergence_is_in_bits_and_the_largest_changes_come_first() -> None:
    before = torch.tensor([0.5, 0.25, 0.25]).log()
    after = torch.tensor([0.25, 0.5, 0.25]).log()
    assert float(divergence(before, after)) == pytest.approx(0.5 * 1 - 0.25 * 1)
    assert float(divergence(before, before)) == 0
    assert math.isclose(float(divergence(after, before)), 0.25, rel_tol=1e-6)


def test_a_small_divergence_is_not_lost_in_rounding() -> None:
    before = torch.randn(80).log_softmax(-1)
    moved = torch.randn(80).double()
    after = (before.double() + 1e-4 * moved).log_softmax(-1).float()
    mean = float((before.double().exp() * moved).sum())
    expected = 0.5e-8 * float((before.double().exp() * (moved - mean) ** 2).sum()) / math.log(2)
    assert float(divergence(before, after)) == pytest.approx(expected, rel=1e-2)


def test_ids_that_moved_most_come_first(model: DecoderOnly, ids: Tensor) -> None:
    found = influence(model, ids, 51, *both(model, ids, 51, 45, SegmentSpec(4, 8)))
    moved = (found.after.exp() - found.before.exp()).abs()
    order = largest_changes(found, 4)
    assert moved[list(order)].tolist() == sorted(moved.tolist(), reverse=True)[:4]
    assert len(largest_changes(found, 100)) == 11


def test_bad_places_are_named(model: DecoderOnly, ids: Tensor) -> None:
    how = SegmentSpec(4, 4)
    with pytest.raises(ValueError, match=r"^place is 60; the text has places from 0 to 59$"):
        read_to(model, ids, 60, how)
    reading = read_to(model, ids, 30, how)
    with pytest.raises(ValueError, match=r"^4 was changed; what was read are places from 16 to 31$"):
        read_changed(model, ids, 4, reading, how)
    with pytest.raises(ValueError, match="and the place is 40"):
        influence(model, ids, 40, reading, reading)
