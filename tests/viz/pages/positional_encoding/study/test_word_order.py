"""What the studies on the shipped translator compute, and that what they say follows from what they computed."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
import torch

from model.decoding.translator import Translator
from model.hooks import record
from model.positional.sinusoidal import sinusoidal_encoding
from viz.pages.positional_encoding.study.word_order import (
    EQUAL_WITHIN,
    EmbeddingSum,
    Sentence,
    order_as_csv,
    order_as_npz,
    parse_order,
    read_sentence,
    reordered_with_encoding,
    reordered_without_encoding,
    shuffled,
    study_order,
    sum_as_trained,
    sum_unscaled,
    swapped,
    token_order,
)


@pytest.fixture
def sentence(translator: Translator) -> Sentence:
    return read_sentence(translator, "I love to play football")


@pytest.fixture
def reverse(sentence: Sentence) -> tuple[int, ...]:
    return tuple(reversed(range(len(sentence.words))))


def test_a_sentence_ends_with_the_end_token_and_names_its_pieces(translator: Translator, sentence: Sentence) -> None:
    assert sentence.ids[-1] == translator.model.config.eos_id
    assert len(sentence.labels) == len(sentence.ids)
    assert [word.text for word in sentence.words] == ["I", "love", "to", "play", "football"]


def test_the_sum_is_made_of_the_model_s_own_table_and_encoding(translator: Translator, sentence: Sentence) -> None:
    model = translator.model
    rows = model.embedding.weight.detach().numpy()[list(sentence.ids)]
    encoding = sinusoidal_encoding(torch.arange(len(sentence.ids)), model.config.d_model).numpy()
    scaled, unscaled = sum_as_trained(translator, sentence), sum_unscaled(translator, sentence)
    np.testing.assert_allclose(scaled.embedding, rows * model.config.d_model**0.5, rtol=1e-6)
    np.testing.assert_allclose(unscaled.embedding, rows, rtol=1e-6)
    for parts in (scaled, unscaled):
        np.testing.assert_allclose(parts.encoding, encoding, atol=1e-6)
        np.testing.assert_allclose(parts.total, parts.embedding + parts.encoding, atol=1e-6)
    assert scaled.ratio == pytest.approx(unscaled.ratio * model.config.d_model**0.5, rel=1e-5)


@pytest.mark.parametrize(("embedding", "encoding", "ratio"), [([3, 4], [0, 1], 5), ([0, 1], [3, 4], 0.2)])
def test_the_ratio_is_that_of_the_lengths(embedding: list[float], encoding: list[float], ratio: float) -> None:
    parts = [np.array([values] * 2, dtype=np.float32) for values in (embedding, encoding)]
    assert EmbeddingSum(*parts, total=parts[0] + parts[1]).ratio == pytest.approx(ratio)


def test_sums_are_alike_where_they_point_the_same_way() -> None:
    def mean_cosine(*rows: list[float]) -> float:
        total = np.array(rows, dtype=np.float32)
        return EmbeddingSum(total, total, total).mean_cosine

    assert mean_cosine([1, 0], [2, 0]) == pytest.approx(1)
    assert mean_cosine([1, 0], [0, 3]) == pytest.approx(0)
    assert np.isnan(mean_cosine([1, 0]))


def test_without_the_encoding_order_changes_nothing_but_the_rows(
    translator: Translator, sentence: Sentence, reverse: tuple[int, ...]
) -> None:
    study = reordered_without_encoding(translator, sentence, reverse)
    assert study.is_same
    assert study.relative_difference.max() < 1e-5
    assert study.pattern_difference.max() < 1e-5
    np.testing.assert_allclose(study.cosine, 1, atol=1e-6)
    assert not np.allclose(study.permuted.stages, study.original.stages, atol=0.1)


def test_with_the_encoding_order_changes_every_layer(
    translator: Translator, sentence: Sentence, reverse: tuple[int, ...]
) -> None:
    study = reordered_with_encoding(translator, sentence, reverse)
    assert not study.is_same
    assert (study.relative_difference.max(axis=1) > EQUAL_WITHIN).all()
    with torch.inference_mode(), record("encoder.output") as seen:
        for order in (range(len(study.order)), study.order):
            translator.model.encode(torch.tensor([[sentence.ids[place] for place in order]]))
    original, permuted = (x[0].numpy() for x in seen.every("encoder.output"))
    moved = permuted[np.argsort(study.order)]
    assert study.largest_difference[-1] == pytest.approx(np.abs(moved - original).max(), rel=1e-4)
    lengths = [np.linalg.norm(vectors, axis=1) for vectors in (moved, original)]
    np.testing.assert_allclose(study.cosine[-1], (moved * original).sum(1) / np.prod(lengths, 0), atol=1e-5)
    # The end token keeps its place, so it differs only once it has looked at the others.
    assert study.relative_difference[0, -1] == 0
    assert study.relative_difference[1, -1] > EQUAL_WITHIN


def test_rows_are_compared_with_the_same_token(translator: Translator, sentence: Sentence) -> None:
    study = reordered_with_encoding(translator, sentence, (1, 0, 2, 3, 4))
    original, permuted = study.original.stages[0], study.permuted.stages[0]
    assert study.order == (1, 0, 2, 3, 4, 5, 6)
    expected = np.linalg.norm(permuted[1] - original[0]) / np.linalg.norm(original[0])
    assert study.relative_difference[0, 0] == pytest.approx(expected)
    assert study.relative_difference[0, 2:].max() == 0


def test_the_order_that_is_no_change_changes_nothing(translator: Translator, sentence: Sentence) -> None:
    study = reordered_with_encoding(translator, sentence, range(len(sentence.words)))
    assert study.is_same
    assert study.largest_difference.max() == 0


def test_whether_vectors_are_the_same_follows_from_the_vectors(
    translator: Translator, sentence: Sentence, reverse: tuple[int, ...]
) -> None:
    study = reordered_without_encoding(translator, sentence, reverse)
    moved = replace(study.permuted, stages=study.permuted.stages + 0.01)
    assert not replace(study, permuted=moved).is_same


def test_words_move_in_one_piece_and_the_end_stays(sentence: Sentence, reverse: tuple[int, ...]) -> None:
    order = token_order(sentence, reverse)
    words = ["".join(sentence.labels[word.start : word.end]) for word in sentence.words]
    moved = "".join(sentence.labels[index] for index in order)
    assert moved == "".join(reversed(words)) + "⟨end⟩"


@pytest.mark.parametrize("order", [(0, 1), (0, 0, 1, 2, 3), (1, 2, 3, 4, 5)])
def test_an_order_that_is_none_is_refused(sentence: Sentence, order: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="it must name each of 5 words once"):
        token_order(sentence, order)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("2 1 3", (1, 0, 2)),
        (" 3,2, 1 ", (2, 1, 0)),
        ("", None),
        ("1 2", None),
        ("1 2 2", None),
        ("0 1 2", None),
        ("1 2 3 x", None),
        ("1 2 ²", None),
        ("1 2 3.0", None),
        (f"1 2 {'9' * 5_000}", None),
    ],
)
def test_an_order_is_read_as_word_numbers(text: str, order: tuple[int, ...] | None) -> None:
    assert parse_order(text, 3) == order


def test_orders_name_every_word_once() -> None:
    assert swapped(4, 0, 3) == (3, 1, 2, 0)
    assert swapped(2, 1, 1) == (0, 1)
    assert sorted(shuffled(9, 1)) == list(range(9))
    assert shuffled(9, 1) == shuffled(9, 1) != shuffled(9, 2)


def test_a_study_s_files_have_every_token_at_every_stage_and_every_vector(
    translator: Translator, sentence: Sentence, reverse: tuple[int, ...]
) -> None:
    study = study_order(translator, sentence, reverse)
    stages = [str(stage) for stage in range(len(study.reordered["with"].original.stages))]
    rows = list(csv.DictReader(io.StringIO(order_as_csv(study, stages))))
    assert [(row["stage"], row["token"]) for row in rows] == [(s, label) for s in stages for label in sentence.labels]
    for name, reordered in study.reordered.items():
        written = [float(row[f"relative_difference_{name}_encoding"]) for row in rows]
        np.testing.assert_allclose(written, reordered.relative_difference.ravel(), rtol=1e-4)
    with np.load(io.BytesIO(order_as_npz(study))) as archive:
        assert tuple(archive["tokens"]) == sentence.labels
        np.testing.assert_array_equal(archive["order"], study.reordered["with"].order)
        for name, reordered in study.reordered.items():
            np.testing.assert_array_equal(archive[f"{name}_encoding_permuted_stages"], reordered.permuted.stages)
            np.testing.assert_array_equal(archive[f"{name}_encoding_original_patterns"], reordered.original.patterns)
