import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from model.decoding.translator import TargetToken, Token, TokenSequence, Translation
from model.text.tokenizer import Word
from viz.base.attention_maps import BLOCKS, attention_kind, attention_kinds
from viz.base.exports import matrix_as_csv
from viz.pages.translate.study.written_tokens import (
    line_tokens,
    steps_of,
    translation_as_csv,
    word_links_as_text,
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
    return Translation(SOURCE, READ, TARGET, tokens, "Fußball", (), patterns, 0, ())


def test_every_kind_is_what_was_recorded(translation: Translation) -> None:
    kinds = attention_kinds(translation)
    assert tuple(kind.name for kind in kinds) == BLOCKS
    for kind in kinds:
        block = "encoder.{}.self" if kind.name == "encoder" else f"decoder.{{}}.{kind.name.replace('decoder', 'self')}"
        assert len(kind.weights) == N_LAYERS[kind.name]
        for layer, weights in enumerate(kind.weights):
            recorded = translation.patterns[f"{block.format(layer)}_attention.pattern"]
            np.testing.assert_array_equal(weights, recorded)


def test_word_links_are_of_the_layer_that_aligns_best_and_leave_the_end_out(translation: Translation) -> None:
    assert word_links_as_text(translation) == "football\nFußball\n0-0\n"
    source = TokenSequence(("▁a", "▁b", "c", "</s>"), (Word("a", 0, 1), Word("bc", 1, 3), Word("</s>", 3, 4)))
    target = TokenSequence(("▁x", "y", "▁z", "</s>"), (Word("xy", 0, 2), Word("z", 2, 3), Word("</s>", 3, 4)))
    maps = np.array([[[0.4, 0.3, 0.2, 0.1], [0.1, 0.3, 0.4, 0.2], [0.3, 0.1, 0.0, 0.6], [0, 0, 0, 1]]], np.float32)
    patterns = {"decoder.0.cross_attention.pattern": maps, "decoder.1.cross_attention.pattern": maps[:, :, ::-1]}
    tokens = tuple(TargetToken(0, piece, 1.0, ()) for piece in target.pieces)
    longer = replace(translation, source=source, target=target, tokens=tokens, patterns=patterns)
    assert word_links_as_text(longer) == "a bc\nxy z\n0-1 1-0\n"


def test_the_decoder_writes_its_rows_and_reads_its_columns(translation: Translation) -> None:
    decoder, cross = (attention_kind(translation, name) for name in ("decoder", "cross"))
    assert decoder.queries == cross.queries
    assert decoder.queries.labels == ("Fußball", "⟨end⟩")
    assert decoder.keys.labels == ("⟨start⟩", "Fußball")
    assert cross.keys.labels == ("foot", "·ball", "⟨end⟩")
    assert cross.keys.words == ((0, 2), (2, 3))
    assert cross.keys.word_labels == ("football", "⟨end⟩")
    assert cross.keys.special == (False, False, True)


def test_steps_are_the_written_tokens_with_their_alternatives(translation: Translation) -> None:
    first, last = steps_of(translation)
    assert (first.label, first.alternatives) == ("Fußball", (("·ball", 0.5), ("Fußball", 0.4)))
    assert (last.label, last.alternatives) == ("⟨end⟩", ())
    assert (first.chosen, last.chosen) == (1, None)


def test_csv_has_the_labels_and_the_values() -> None:
    matrix = np.array([[0.25, 0.75]], dtype=np.float32)
    assert list(csv.reader(io.StringIO(matrix_as_csv(matrix, ["=1+1"], ["a,b", '"'])))) == [
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
    shown = attention_kind(replace(translation, source=source), "encoder")
    assert shown.keys.word_labels[0] == "foot⟨U+202E⟩ball"


def test_a_token_knows_its_place_among_the_alternatives(translation: Translation) -> None:
    first, last = line_tokens(translation)
    assert (first.label, first.chosen, last.chosen) == ("Fußball", 1, None)
    assert first.alternatives == (("·ball", 0.5), ("Fußball", 0.4))
