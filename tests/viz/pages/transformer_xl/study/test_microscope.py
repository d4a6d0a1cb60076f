"""What the microscope shows first, how characters are seen, and what is said of a change, on small models."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from model.analysis.interventions.memory_influence import Influence, read_to
from model.architectures.decoder_only import DecoderOnly
from model.attention import SegmentSpec
from model.text.characters import CharacterVocabulary
from tests.fixtures.language_model_run import strong_model
from viz.pages.transformer_xl.figures.layer_paths import layer_paths
from viz.pages.transformer_xl.figures.spread import spread_map
from viz.pages.transformer_xl.study.microscope import (
    alone,
    change,
    default_character,
    default_places,
    default_source,
    in_text,
    measured,
    moved,
    pattern_of,
    shown_span,
    strongest,
)

HOW = SegmentSpec(4, 8)
N_LAYERS = 3


@pytest.fixture
def model() -> DecoderOnly:
    return strong_model(N_LAYERS)


@pytest.fixture
def ids() -> Tensor:
    return torch.randint(3, 11, (80,))


def changed_at(model: DecoderOnly, ids: Tensor, source: int, place: int = 61) -> Influence:
    before = read_to(model, ids, place, HOW, source=0)
    other = 3 + (int(ids[source]) - 2) % 8
    return change(model, ids, before, place=place, source=source, becomes=other, spec=HOW)


@pytest.mark.parametrize("place", [0, 3, 30, 61, 79])
@pytest.mark.parametrize("spec", [HOW, SegmentSpec(4, 6), SegmentSpec(4, 0)], ids=str)
def test_all_that_reaches_is_shown_from_a_border_on(place: int, spec: SegmentSpec) -> None:
    span = shown_span(80, place, spec, N_LAYERS)
    assert 0 <= span.first <= spec.earliest_source(place, N_LAYERS)
    assert span.first % spec.segment_length == 0
    assert place < span.stop <= 80
    assert span.first == 0 or span.first < spec.earliest_source(place, N_LAYERS)


def test_a_name_written_twice_is_looked_at_first() -> None:
    text = "So Natasha ran. " + "and then she ran on " * 6 + "But Natasha came, and Natasha went."
    place, source = default_places(text, HOW, 100)
    assert text[: place + 1].endswith("But Na")
    assert text[source - 2 : source + 5] == "Natasha"
    assert place - 1 - (source - 2) >= 100


@pytest.mark.parametrize("text", ["ab", "no names here " * 50, "Natasha Natasha", "你好" * 9, "X" * 300])
def test_without_such_a_name_both_places_are_inside_the_text(text: str) -> None:
    place, source = default_places(text, HOW, N_LAYERS)
    assert 0 <= source <= place < len(text)
    assert 0 <= default_source(text, 0, HOW) <= 0


def test_a_change_falls_on_a_capital_letter_if_there_is_one() -> None:
    assert default_source("aaaaBaaaa" + "a" * 12, 20, HOW) == 8
    assert default_source("aaaaaaBaa" + "a" * 12, 20, HOW) == 6


def test_what_a_character_becomes_is_another_one_of_the_vocabulary() -> None:
    assert default_character(CharacterVocabulary("abx"), "a") == "x"
    assert default_character(CharacterVocabulary("abx"), "x") == "a"
    assert default_character(CharacterVocabulary("a"), "a") == "a"


def test_characters_without_a_look_of_their_own_get_one() -> None:
    assert [in_text(one) for one in "a \n\u202e\x00"] == ["a", " ", "↵", "⟨U+202E⟩", "⟨U+0000⟩"]
    assert alone(" ") == "␣"


def test_attention_is_that_of_the_place_and_of_nothing_later(model: DecoderOnly, ids: Tensor) -> None:
    reading = read_to(model, ids, 61, HOW)
    pattern = pattern_of(reading, 61)
    assert pattern.shape == (N_LAYERS, 2, 61 + 1 - 52)
    np.testing.assert_allclose(pattern.sum(-1), 1, rtol=1e-5)
    layer, head = strongest(pattern, 8)
    assert pattern[layer, head, :8].sum() == pattern[..., :8].sum(-1).max()


def test_a_change_beyond_all_memories_is_none_at_all(model: DecoderOnly, ids: Tensor) -> None:
    earliest = HOW.earliest_source(61, N_LAYERS)
    assert measured(changed_at(model, ids, earliest - 1)).is_none
    assert not measured(changed_at(model, ids, earliest)).is_none


def test_sizes_are_divergences_of_the_predictions(model: DecoderOnly, ids: Tensor) -> None:
    found = changed_at(model, ids, 55)
    size = measured(found)
    before, after = found.before.exp(), found.after.exp()
    expected = float((before * (before / after).log2()).sum())
    assert size.total == pytest.approx(expected, rel=1e-2)
    assert len(size.alone) == len(size.without) == N_LAYERS
    assert size.alone[size.main_layer] == max(size.alone)


def test_characters_that_moved_tell_by_how_much(model: DecoderOnly, ids: Tensor) -> None:
    found = changed_at(model, ids, 55)
    first, *_ = moved(found, 4)
    assert first.bits == pytest.approx(math.log2(first.after / first.before), rel=1e-3)
    assert abs(first.after - first.before) == pytest.approx(float((found.after.exp() - found.before.exp()).abs().max()))
    assert len(first.bits_by_layer) == N_LAYERS
    assert len(moved(found, 100)) == 11


def test_the_spread_leaves_out_what_did_not_differ_and_escapes_characters() -> None:
    spread = np.array([[1.0, 0.0, 0.0], [0.5, 1e-3, 1e-9]], dtype=np.float32)
    figure = spread_map(
        spread,
        ["<b>", "a", "b"],
        [1, 2],
        x_name="on",
        y_name="layer",
        hover="{layer} {distance} {character} {value}",
    )
    (drawn,) = figure.data
    assert np.isnan(drawn.z[0, 1:]).all()
    assert drawn.z[1].tolist() == pytest.approx([math.log10(0.5), -3, -6], rel=1e-5)
    assert drawn.text[0][0] == "&lt;b&gt;"
    assert [shape.x0 for shape in figure.layout.shapes] == [0.5, 1.5]


def test_bars_of_layers_stand_beside_the_whole() -> None:
    shares = {"alone": np.array([0.2, 1.4]), "without": np.array([0.9, 0.1])}
    figure = layer_paths(["1", "2"], shares, y_name="share")
    assert [bar.y.tolist() for bar in figure.data] == [pytest.approx(values) for values in shares.values()]
    assert figure.layout.shapes[0].y0 == figure.layout.shapes[0].y1 == 1
    assert figure.layout.yaxis.range[1] > 1.4
