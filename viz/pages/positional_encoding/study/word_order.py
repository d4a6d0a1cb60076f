"""A sentence with and without positional encoding, in the model's own code, and the effect of order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float32, Float64
from torch import Tensor

from model.decoding.translator import Translator
from model.hooks import Edit, intervene, record
from model.text.tokenizer import Word
from viz.base.exports import Numbers, arrays_as_npz, columns_as_csv
from viz.base.tokens import piece_labels

EQUAL_WITHIN = 1e-5
"""Vectors that differ by no more than this share of their length are equal but for rounding: float32 has 7 digits."""

Positions = Literal["with", "without"]
"""Whether the encoder is given its positional encoding."""

Vectors = Float32[np.ndarray, "token d_model"]


@dataclass(frozen=True)
class Sentence:
    """A sentence as encoder input: token ids with EOS, their labels, and the words before EOS."""

    ids: tuple[int, ...]
    labels: tuple[str, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True)
class EmbeddingSum:
    """The encoder's input sum for every token: embedding, encoding, total, [token, d_model] each."""

    embedding: Vectors
    encoding: Vectors
    total: Vectors

    @property
    def ratio(self) -> float:
        """The ratio of an embedding's norm to its encoding's norm: the median over the tokens."""
        return float(np.median(np.linalg.norm(self.embedding, axis=1) / np.linalg.norm(self.encoding, axis=1)))

    @property
    def mean_cosine(self) -> float:
        """Mean cosine similarity between the sums of two different tokens, NaN for one token."""
        unit = self.total / np.linalg.norm(self.total, axis=1, keepdims=True)
        cosines = (unit @ unit.T)[np.triu_indices(len(unit), k=1)]
        return float(cosines.mean()) if cosines.size else float("nan")


@dataclass(frozen=True)
class EncoderPass:
    """One forward pass: residual stream [stage, token, d_model], patterns [layer, head, query, key].

    Stages are the first layer's input, the stream after each layer, and what the encoder returns.
    """

    stages: Float32[np.ndarray, "stage token d_model"]
    patterns: Float32[np.ndarray, "layer head query key"]


@dataclass(frozen=True)
class Permutation:
    """The same tokens in two orders: row r of ``permuted`` is row ``order[r]`` of ``original``."""

    original: EncoderPass
    permuted: EncoderPass
    order: tuple[int, ...]

    @property
    def largest_difference(self) -> Float32[np.ndarray, " stage"]:
        """The largest difference, over tokens and dimensions, between a token's vectors in both orders."""
        largest: Float32[np.ndarray, " stage"] = np.abs(self._moved() - self.original.stages).max(axis=(1, 2))
        return largest

    @property
    def relative_difference(self) -> Float32[np.ndarray, "stage token"]:
        """‖difference‖ / ‖vector in the original order‖ of each token, in the original order."""
        lengths = np.linalg.norm(self.original.stages, axis=2)
        relative: Float32[np.ndarray, "stage token"] = (
            np.linalg.norm(self._moved() - self.original.stages, axis=2) / lengths
        )
        return relative

    @property
    def cosine(self) -> Float64[np.ndarray, "stage token"]:
        """Cosine similarity of each token's vectors in both orders."""
        # In float64, because at 1 the last digits of float32 are what is looked at.
        moved, original = (stages.astype(np.float64) for stages in (self._moved(), self.original.stages))
        lengths = np.linalg.norm(moved, axis=2) * np.linalg.norm(original, axis=2)
        cosine: Float64[np.ndarray, "stage token"] = (moved * original).sum(axis=2) / lengths
        return cosine

    @property
    def pattern_difference(self) -> Float32[np.ndarray, "layer head"]:
        """The largest difference between the attention weights of the same two tokens in both orders."""
        back = np.argsort(self.order)
        moved = self.permuted.patterns[:, :, back][:, :, :, back]
        largest: Float32[np.ndarray, "layer head"] = np.abs(moved - self.original.patterns).max(axis=(2, 3))
        return largest

    @property
    def is_same(self) -> bool:
        """Whether every token has the same vector in both orders, at every stage."""
        return bool(self.relative_difference.max() <= EQUAL_WITHIN)

    def _moved(self) -> Float32[np.ndarray, "stage token d_model"]:
        return self.permuted.stages[:, np.argsort(self.order)]


@dataclass(frozen=True)
class OrderStudy:
    """A sentence, its permutation, and the encoder's results with and without positional encoding."""

    sentence: Sentence
    order: tuple[int, ...]
    reordered: Mapping[Positions, Permutation]


def read_sentence(translator: Translator, text: str) -> Sentence:
    """Return ``text`` as the encoder reads it."""
    ids = [*translator.tokenizer.encode(text), translator.model.config.eos_id]
    words = translator.tokenizer.words(ids)
    labels = piece_labels(translator.tokenizer.pieces(ids), [word.start for word in words])
    return Sentence(tuple(ids), labels, tuple(words[:-1]))


def sum_as_trained(translator: Translator, sentence: Sentence) -> EmbeddingSum:
    """Return embeddings times √d_model, the encoding, and their sum (Vaswani et al. 2017, §3.4 and §3.5)."""
    return _sum(translator, sentence, {})


def sum_unscaled(translator: Translator, sentence: Sentence) -> EmbeddingSum:
    """Return the same sum with the embeddings as the table holds them, not times √d_model."""
    root = translator.model.config.d_model**0.5
    return _sum(translator, sentence, {"encoder.embedding": lambda embedding: embedding / root})


def reordered_with_encoding(translator: Translator, sentence: Sentence, order: Sequence[int]) -> Permutation:
    """Return the encoder's passes over the words as they stand and in ``order``."""
    return _reordered(translator, sentence, order, {})


def reordered_without_encoding(translator: Translator, sentence: Sentence, order: Sequence[int]) -> Permutation:
    """Return the same two passes with a positional encoding of zeros."""
    return _reordered(translator, sentence, order, {"encoder.positional.encoding": torch.zeros_like})


def study_order(translator: Translator, sentence: Sentence, order: Sequence[int]) -> OrderStudy:
    """Return the encoder's passes over the words in both orders, with and without positional encoding."""
    reordered: dict[Positions, Permutation] = {
        "with": reordered_with_encoding(translator, sentence, order),
        "without": reordered_without_encoding(translator, sentence, order),
    }
    return OrderStudy(sentence, tuple(order), reordered)


def token_order(sentence: Sentence, order: Sequence[int]) -> tuple[int, ...]:
    """Return the order of tokens that puts the words in ``order``; the end token stays last.

    Raises:
        ValueError: ``order`` does not name every word once.
    """
    if sorted(order) != list(range(len(sentence.words))):
        raise ValueError(f"the order is {list(order)}; it must name each of {len(sentence.words)} words once, from 0")
    moved = [token for index in order for token in range(sentence.words[index].start, sentence.words[index].end)]
    return (*moved, len(sentence.ids) - 1)


def swapped(n_words: int, first: int, second: int) -> tuple[int, ...]:
    """Return the order in which the words ``first`` and ``second`` have changed places."""
    order = list(range(n_words))
    order[first], order[second] = order[second], order[first]
    return tuple(order)


def shuffled(n_words: int, seed: int) -> tuple[int, ...]:
    """Return a random order, always the same for the same ``seed``."""
    return tuple(np.random.default_rng(seed).permutation(n_words).tolist())


def parse_order(text: str, n_words: int) -> tuple[int, ...] | None:
    """Return the order that ``text`` names by word numbers from 1; None if it is no permutation."""
    places = {str(place + 1): place for place in range(n_words)}
    parts = text.replace(",", " ").split()
    return tuple(places[part] for part in parts) if sorted(parts) == sorted(places) else None


def order_as_csv(study: OrderStudy, stages: Sequence[str]) -> str:
    """Return a row for each token at each of ``stages``: its distance to itself in the other order."""
    labels = study.sentence.labels
    columns: dict[str, Sequence[object] | Numbers] = {
        "stage": [stage for stage in stages for _ in labels],
        "token": [label for _ in stages for label in labels],
    }
    for name, reordered in study.reordered.items():
        columns[f"relative_difference_{name}_encoding"] = reordered.relative_difference.ravel()
        columns[f"cosine_{name}_encoding"] = reordered.cosine.ravel()
    return columns_as_csv(columns)


def order_as_npz(study: OrderStudy) -> bytes:
    """Return the tokens, their order, and all vectors and patterns of every pass, as an NPZ file."""
    arrays: dict[str, np.ndarray] = {"tokens": np.array(study.sentence.labels, dtype=np.str_)}
    for name, reordered in study.reordered.items():
        arrays["order"] = np.array(reordered.order)
        for words, encoder_pass in (("original", reordered.original), ("permuted", reordered.permuted)):
            arrays |= {f"{name}_encoding_{words}_{array}": value for array, value in vars(encoder_pass).items()}
    return arrays_as_npz(arrays)


def _sum(translator: Translator, sentence: Sentence, edits: Mapping[str, Edit]) -> EmbeddingSum:
    names = ("encoder.embedding", "encoder.positional.encoding", "encoder.input")
    with torch.no_grad(), intervene(edits), record(*names) as seen:
        translator.model.encode(_batch(translator, sentence.ids))
    embedding, encoding, total = (seen[name] for name in names)
    return EmbeddingSum(_array(embedding[0]), _array(encoding), _array(total[0]))


def _reordered(
    translator: Translator, sentence: Sentence, order: Sequence[int], edits: Mapping[str, Edit]
) -> Permutation:
    moved = token_order(sentence, order)
    with intervene(edits):
        original = _encoder_pass(translator, sentence.ids)
        permuted = _encoder_pass(translator, [sentence.ids[index] for index in moved])
    return Permutation(original, permuted, moved)


def _encoder_pass(translator: Translator, ids: Sequence[int]) -> EncoderPass:
    layers = range(translator.model.config.n_encoder_layers)
    streams = ("encoder.input", *(f"encoder.{layer}.feed_forward.residual_after" for layer in layers), "encoder.output")
    patterns = [f"encoder.{layer}.self_attention.pattern" for layer in layers]
    with torch.no_grad(), record(*streams, *patterns) as seen:
        translator.model.encode(_batch(translator, ids))
    return EncoderPass(
        np.stack([_array(seen[name][0]) for name in streams]), np.stack([_array(seen[name][0]) for name in patterns])
    )


def _batch(translator: Translator, ids: Sequence[int]) -> Tensor:
    return torch.tensor([list(ids)], device=translator.model.embedding.weight.device)


def _array(tensor: Tensor) -> Float32[np.ndarray, "..."]:
    return tensor.float().cpu().numpy()
