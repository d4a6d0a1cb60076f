import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from model.tokenizer import Word
from model.translator import TargetToken, Token, TokenSequence, Translation
from viz.attention import (
    GRAINS,
    KINDS,
    Kind,
    as_csv,
    as_npz,
    attention_maps,
    count_layers_and_heads,
    line_tokens,
    translation_as_csv,
)

SOURCE = TokenSequence(("▁foot", "ball", "</s>"), (Word("football", 0, 2), Word("</s>", 2, 3)))
READ = TokenSequence(("<s>", "▁Fußball"), (Word("<s>", 0, 1), Word("Fußball", 1, 2)))
TARGET = TokenSequence(("▁Fußball", "</s>"), (Word("Fußball", 0, 1), Word("</s>", 1, 2)))
N_LAYERS = {"encoder": 3, "decoder": 2, "cross": 2}


def pattern(*shape: int) -> np.ndarray:
    raw = np.random.default_rng(sum(shape)).random(shape).astype(np.float32)
    return raw / raw.sum(axis=-1, keepdims=True)


@pytest.fixture
def translation() -> Translation:
    patterns = {f"encoder.{layer}.self_attention.pattern": pattern(4, 3, 3) for layer in range(3)}
    for layer in range(2):
        patterns[f"decoder.{layer}.self_attention.pattern"] = pattern(4, 2, 2)
        patterns[f"decoder.{layer}.cross_attention.pattern"] = pattern(4, 2, 3)
    alternatives = (Token(9, "ball", 0.5), Token(7, "▁Fußball", 0.4))
    tokens = (TargetToken(7, "▁Fußball", 0.4, alternatives), TargetToken(3, "</s>", 0.9, ()))
    return Translation(SOURCE, READ, TARGET, tokens, "Fußball", (), patterns)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("grain", GRAINS)
def test_every_map_fits_its_labels(translation: Translation, kind: Kind, grain: str) -> None:
    maps = attention_maps(translation, kind, grain)
    assert maps.weights.shape == (N_LAYERS[kind], 4, len(maps.queries), len(maps.keys))
    assert (maps.n_layers, maps.n_heads) == count_layers_and_heads(translation, kind)
    np.testing.assert_allclose(maps.weights.sum(axis=-1), 1, rtol=1e-5)


def test_the_decoder_writes_its_rows_and_reads_its_columns(translation: Translation) -> None:
    decoder, cross = (attention_maps(translation, kind, "pieces") for kind in ("decoder", "cross"))
    assert decoder.queries == cross.queries == ("Fußball", "⟨end⟩")
    assert decoder.keys == ("⟨start⟩", "Fußball")
    assert cross.keys == ("foot", "·ball", "⟨end⟩")
    assert attention_maps(translation, "cross", "words").keys == ("football", "⟨end⟩")


def test_no_head_means_the_mean(translation: Translation) -> None:
    maps = attention_maps(translation, "cross", "pieces")
    np.testing.assert_allclose(maps.matrix(1, None), maps.weights[1].mean(axis=0))
    np.testing.assert_array_equal(maps.matrix(1, 2), maps.weights[1, 2])


def test_the_strongest_weight_is_named(translation: Translation) -> None:
    maps = attention_maps(translation, "encoder", "pieces")
    query, key, weight = maps.strongest(0, 0)
    matrix = maps.matrix(0, 0)
    assert weight == matrix.max() == matrix[maps.queries.index(query), maps.keys.index(key)]


def test_csv_has_the_labels_and_the_values() -> None:
    matrix = np.array([[0.25, 0.75]], dtype=np.float32)
    assert list(csv.reader(io.StringIO(as_csv(matrix, ["=1+1"], ["a,b", '"'])))) == [
        ["", "a,b", '"'],
        ["'=1+1", "0.25", "0.75"],
    ]


def test_the_translation_s_csv_has_every_number_shown(translation: Translation) -> None:
    rows = list(csv.reader(io.StringIO(translation_as_csv(translation, [(-0.25, "Fußball"), (-1.5, "=Ball")]))))
    assert rows == [
        ["row", "step", "rank", "text", "probability", "score"],
        ["token", "1", "", "Fußball", "0.4", ""],
        ["alternative", "1", "1", "·ball", "0.5", ""],
        ["alternative", "1", "2", "Fußball", "0.4", ""],
        ["token", "2", "", "⟨end⟩", "0.9", ""],
        ["hypothesis", "", "1", "Fußball", "", "-0.25"],
        ["hypothesis", "", "2", "'=Ball", "", "-1.5"],
    ]


def test_a_word_names_what_only_steers_its_layout(translation: Translation) -> None:
    source = TokenSequence(SOURCE.pieces, (Word("foot\u202eball", 0, 2), SOURCE.words[1]))
    maps = attention_maps(replace(translation, source=source), "encoder", "words")
    assert maps.keys[0] == "foot⟨U+202E⟩ball"


def test_npz_has_every_map_under_its_hook_s_name(translation: Translation) -> None:
    with np.load(io.BytesIO(as_npz(translation))) as archive:
        for name, weights in translation.patterns.items():
            np.testing.assert_array_equal(archive[name], weights)
        assert tuple(archive["source_pieces"]) == SOURCE.pieces


def test_a_token_knows_its_place_among_the_alternatives(translation: Translation) -> None:
    first, last = line_tokens(translation)
    assert (first.label, first.chosen, last.chosen) == ("Fußball", 1, None)
    assert first.alternatives == (("·ball", 0.5), ("Fußball", 0.4))
