"""What is measured of an encoding is what its formula says."""

import numpy as np
import pytest
import torch

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.decoding.translator import Translator
from model.hooks import record
from model.positional import PositionalConfig, registered
from model.positional.sinusoidal import sinusoidal_encoding
from model.text.tokenizer import EOS_ID, Tokenizer
from tests.fixtures.translation_run import sentences
from viz.pages.compare_encodings.study.comparison import (
    OFFSETS,
    Setting,
    _profiles,
    cost,
    effect,
    has_weights,
    trained_effects,
)

SETTING = Setting(length=12, n_heads=2, causal=False)
SENTENCE = "My dog sees the ball."


def tiny_config(vocabulary_size: int, positional: PositionalConfig) -> EncoderDecoderConfig:
    return EncoderDecoderConfig(
        vocabulary_size=vocabulary_size,
        d_model=16,
        n_heads=2,
        d_key=8,
        d_value=8,
        d_ff=8,
        n_encoder_layers=1,
        n_decoder_layers=1,
        positional=positional,
    )


@pytest.fixture(scope="module")
def tiny_translator() -> Translator:
    tokenizer = Tokenizer.train([SENTENCE, *(text for pair in sentences() for text in pair)], 320)
    config = tiny_config(tokenizer.vocabulary_size, PositionalConfig("sinusoidal"))
    return Translator(EncoderDecoder(config).eval(), tokenizer)


def measured(name: str, setting: Setting = SETTING, **parameters: float):
    return effect(PositionalConfig(name, parameters), setting, None, "")


@pytest.mark.parametrize("name", registered())
@pytest.mark.parametrize("causal", [True, False])
def test_every_encoding_can_be_measured(name: str, causal: bool) -> None:
    found = measured(name, Setting(9, 2, causal))
    assert found.scores.shape == (2, 9, 9)
    assert np.isnan(found.scores).sum() == (2 * 36 if causal else 0)
    assert len(found.random) == 2
    assert set(found.shifts) == set(OFFSETS)


def test_alibi_adds_its_slope_times_the_distance() -> None:
    found = measured("alibi")
    distance = np.abs(np.arange(12)[:, None] - np.arange(12)[None, :])
    for head, slope in enumerate((2**-4, 2**-8)):
        np.testing.assert_allclose(found.scores[head], -slope * distance, atol=1e-5)
        profile = found.random[head]
        np.testing.assert_allclose(profile.spread[1], -slope * np.abs(profile.distances), atol=1e-5)
        np.testing.assert_allclose(profile.spread[2] - profile.spread[0], 0, atol=1e-5)


def test_of_no_encoding_nothing_is_left() -> None:
    found = measured("none")
    assert found.added is None
    assert not found.scores.any()
    assert found.n_parameters == 0


def test_the_sinusoid_is_what_it_adds() -> None:
    np.testing.assert_array_equal(measured("sinusoidal").added, sinusoidal_encoding(torch.arange(12), 64))


@pytest.mark.parametrize(
    ("name", "is_relative"),
    [("none", True), ("rotary", True), ("alibi", True), ("t5", True), ("sinusoidal", False), ("learned", False)],
)
def test_whether_the_distance_alone_counts_is_found_by_shifting(name: str, is_relative: bool) -> None:
    assert measured(name).is_relative is is_relative


def test_keys_outside_a_window_have_no_number_and_the_distance_alone_counts() -> None:
    measured = effect(PositionalConfig("rnope", {"window": 4}), SETTING, None, "")
    distance = np.abs(np.subtract.outer(np.arange(SETTING.length), np.arange(SETTING.length)))
    np.testing.assert_array_equal(np.isnan(measured.scores), np.broadcast_to(distance >= 4, measured.scores.shape))
    assert measured.is_relative


def test_where_a_table_ends_no_shift_is_made() -> None:
    found = measured("learned", max_length=20)
    assert found.shifts[1] is not None
    assert found.shifts[10] is None
    assert measured("learned", max_length=12).is_relative is None
    with pytest.raises(ValueError, match="past the learned table: position = 11, rows = 10"):
        measured("learned", max_length=10)


def test_a_profile_is_mean_and_band_of_its_diagonal() -> None:
    found = measured("rotary", Setting(8, 2, True))
    profile = found.random[1]
    assert profile.distances.tolist() == list(range(8))
    for distance in range(8):
        np.testing.assert_allclose(
            profile.spread[1, distance], np.diagonal(found.scores[1], -distance).mean(), atol=1e-5
        )
    assert (profile.spread[0] <= profile.spread[2]).all()


def test_the_band_holds_what_lies_between_the_outer_tenths_of_all_pairs_that_far_apart() -> None:
    scores = np.random.default_rng(0).normal(size=(4, 3, 6, 6)).astype(np.float32)
    for head, profile in enumerate(_profiles(scores, causal=False)):
        for distance, (low, mean, high) in zip(profile.distances, profile.spread.T, strict=True):
            pairs = [scores[:, head, i, i - distance] for i in range(6) if 0 <= i - distance < 6]
            expected = [np.quantile(pairs, 0.1), np.mean(pairs), np.quantile(pairs, 0.9)]
            np.testing.assert_allclose([low, mean, high], expected, rtol=1e-5, atol=1e-6)


# Declared relative, and yet the place counts: past its threshold in one, in the gaps of its sample in the other.
PLACE_COUNTS = {"fire", "randomized"}


@pytest.mark.parametrize("name", sorted(registered().keys() - PLACE_COUNTS))
def test_what_is_declared_is_what_is_measured(name: str) -> None:
    declared = registered()[name].description.properties.kind
    assert measured(name).is_relative is (declared != "absolute")


@pytest.mark.parametrize("name", registered())
def test_only_the_scalable_softmax_counts_keys_and_only_under_a_causal_mask(name: str) -> None:
    assert measured(name, Setting(12, 2, True)).counts_keys is (name == "ssmax")
    assert not measured(name, Setting(12, 2, False)).counts_keys


def test_weights_are_declared_by_an_encoding_or_by_what_it_wraps() -> None:
    assert has_weights(PositionalConfig("t5"))
    assert has_weights(PositionalConfig("randomized", inner=PositionalConfig("learned")))
    assert not has_weights(PositionalConfig("randomized", inner=PositionalConfig("rotary")))
    assert not has_weights(PositionalConfig("alibi"))


def test_real_scores_are_those_of_the_model_where_the_encoding_is_its_own(tiny_translator: Translator) -> None:
    own = tiny_translator.model.config
    ids = [*tiny_translator.tokenizer.encode(SENTENCE), EOS_ID]
    with torch.inference_mode(), record("encoder.0.self_attention.scores") as seen:
        tiny_translator.model.encode(torch.tensor([ids]))
    scores = seen["encoder.0.self_attention.scores"][0]
    found = effect(own.positional, Setting(len(ids), own.n_heads, False), tiny_translator, SENTENCE)
    for head in range(own.n_heads):
        for distance, mean in zip(found.real[head].distances, found.real[head].spread[1], strict=True):
            expected = torch.diagonal(scores[head], int(-distance)).mean()
            assert mean == pytest.approx(float(expected), abs=1e-4)


def test_the_cost_is_of_two_real_layers() -> None:
    with_it, without = cost(PositionalConfig("cope"), Setting(64, 4, True))
    assert with_it > without > 0


@pytest.mark.parametrize(("name", "is_added"), [("t5", False), ("learned", True), ("kerple", False), ("fire", False)])
def test_learned_encodings_of_a_model_are_found_and_shown(name: str, is_added: bool) -> None:
    config = tiny_config(11, PositionalConfig(name, {"max_length": 7} if is_added else {}))
    found = trained_effects({"tiny": EncoderDecoder(config).eval()}, length=10)
    assert {trained.place.split(".")[0] for trained in found} == {"tiny: encoder", "tiny: decoder"}
    for trained in found:
        assert (trained.added is not None) is is_added
        assert trained.scores.shape[1] == (7 if is_added else 10)
    assert np.isnan(found[-1].scores).any()


def test_models_without_learned_encodings_have_none_to_show(tiny_translator: Translator) -> None:
    assert trained_effects({"tiny": tiny_translator.model}, length=10) == []
