"""A stretch holds what a model that reads all of the text would compute, and its edges are where its sight ends."""

import numpy as np
import pytest
import torch

from model.analysis.losses.character_losses import segment_losses
from model.attention import SegmentSpec
from pretrained.language_models import LanguageModel, load_language_model
from tests.fixtures.language_models import publish_language_model
from viz.pages.transformer_xl.study.reading import Memories
from viz.pages.transformer_xl.study.segments import N_SEGMENTS, n_segments, read_stretch, receptive_field

TEXT = "Pierre went to the ball, and Natasha smiled. " * 15


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return load_language_model("transformer_xl", publish_language_model(tmp_path_factory.mktemp("shipped")))


@pytest.fixture(scope="module")
def cut_apart(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    folder = publish_language_model(tmp_path_factory.mktemp("cut"), "no_recurrence", mem_len=0, seed=2)
    return load_language_model("no_recurrence", folder)


def memories(loaded: LanguageModel, text: str = TEXT) -> Memories:
    ids = loaded.vocabulary.encode(text).ids
    return Memories(loaded.model, ids[None], SegmentSpec(loaded.segment_length, loaded.mem_len))


def bits_of_all(loaded: LanguageModel, mem_len: int) -> np.ndarray:
    ids = loaded.vocabulary.encode(TEXT).ids[None]
    losses = segment_losses(loaded.model, ids, loaded.segment_length, loaded.model.new_memory(mem_len))
    return losses[0].numpy() / np.log(2)


@pytest.mark.parametrize("segment", [0, 7, 30, 42])
def test_bits_are_those_of_the_whole_text(loaded: LanguageModel, cut_apart: LanguageModel, segment: int) -> None:
    found = read_stretch(loaded, TEXT, memories(loaded), segment, cut_apart)
    assert found.first <= max(0, segment - 1) < segment + 1 <= found.first + len(found.attention)
    assert list(found.bits) == ["memory", "emptied", "cut apart"]
    n_read = len(found.bits["memory"])
    whole = bits_of_all(loaded, loaded.mem_len)[found.start : found.start + n_read]
    np.testing.assert_allclose(found.bits["memory"], whole, atol=1e-4)
    for kind, model in (("emptied", loaded), ("cut apart", cut_apart)):
        np.testing.assert_allclose(
            found.bits[kind], bits_of_all(model, 0)[found.start : found.start + n_read], atol=1e-4
        )
    assert found.text == TEXT[found.shown_from : found.start + n_read + 1]


def test_every_character_is_predicted_once(loaded: LanguageModel) -> None:
    ids = loaded.vocabulary.encode(TEXT).ids
    total = n_segments(len(ids), loaded.segment_length)
    kept = memories(loaded)
    stretches = [read_stretch(loaded, TEXT, kept, first, None) for first in range(0, total, N_SEGMENTS)]
    read = {one.start + place for one in stretches for place in range(len(one.bits["memory"]))}
    assert read == set(range(len(TEXT) - 1))
    assert [one.first for one in stretches[:3]] == [0, N_SEGMENTS - 1, 2 * N_SEGMENTS - 1]
    assert stretches[-1].first + len(stretches[-1].attention) == total
    assert all("cut apart" not in one.bits for one in stretches)


def test_the_next_stretch_reads_nothing_twice(loaded: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = memories(loaded)
    read_stretch(loaded, TEXT, kept, 3 * N_SEGMENTS, None)
    read = []
    forward = loaded.model.forward
    monkeypatch.setattr(
        loaded.model, "forward", lambda *given, **more: read.append(more.get("memory")) or forward(*given, **more)
    )
    read_stretch(loaded, TEXT, kept, 4 * N_SEGMENTS, None)
    assert sum(memory is not None for memory in read) == N_SEGMENTS + 1


def test_attention_is_shared_out_among_the_keys_there_were(loaded: LanguageModel) -> None:
    found = read_stretch(loaded, TEXT, memories(loaded), 0, None)
    assert found.attention.shape == (N_SEGMENTS, 3, loaded.mem_len + loaded.segment_length)
    np.testing.assert_allclose(found.attention.sum(-1), 1, atol=1e-5)
    assert (found.attention[0, :, : loaded.mem_len] == 0).all()
    assert (found.attention[2, :, : loaded.mem_len] > 0).all()


@pytest.mark.parametrize(("segment_length", "mem_len"), [(16, 32), (16, 24), (16, 0), (10, 25)])
def test_a_character_within_reach_changes_the_segment_and_one_beyond_does_not(
    loaded: LanguageModel, segment_length: int, mem_len: int
) -> None:
    segment, n_layers = 12, len(loaded.model.layers)
    edges = receptive_field(segment, SegmentSpec(segment_length, mem_len), n_layers)
    ids = loaded.vocabulary.encode(TEXT).ids[None, : (segment + 1) * segment_length + 1]
    model = loaded.model.double()

    def losses(place: int | None) -> np.ndarray:
        changed = ids.clone()
        if place is not None:
            changed[0, place] = 5
        read = segment_losses(model, changed, segment_length, model.new_memory(mem_len))
        return read[0, segment * segment_length + 1 :].numpy()

    before = losses(None)
    assert edges[-1] > 0
    assert (losses(edges[-1]) != before).any()
    assert (losses(edges[-1] - 1) == before).all()
    loaded.model.float()


def test_reach_is_layers_times_memory() -> None:
    edges = receptive_field(20, SegmentSpec(64, 128), 5)
    assert edges == (1280, 1152, 1024, 896, 768, 640)
    assert receptive_field(1, SegmentSpec(64, 128), 2) == (64, 0, 0)


def test_a_segment_that_is_not_there_is_refused(loaded: LanguageModel) -> None:
    ids = loaded.vocabulary.encode(TEXT).ids
    for segment in (-1, n_segments(len(ids), loaded.segment_length)):
        with pytest.raises(ValueError, match=f"segment {segment} was asked"):
            read_stretch(loaded, TEXT, memories(loaded), segment, None)
    assert n_segments(1, 16) == 0
    assert n_segments(17, 16) == 1
    assert n_segments(18, 16) == 2


def test_a_text_of_two_characters_can_be_read(loaded: LanguageModel) -> None:
    found = read_stretch(loaded, "ab", memories(loaded, "ab"), 0, None)
    assert (len(found.attention), len(found.bits["memory"]), found.text) == (1, 1, "ab")
    assert torch.isfinite(torch.from_numpy(found.attention)).all()
