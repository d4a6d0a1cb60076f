"""Attention maps in the one shape that every view takes: weights, their tokens and decoding steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, takewhile
from typing import Literal, Protocol, get_args

import numpy as np
from jaxtyping import Float32, Float64

from viz.base.reduced_maps import ReducedMaps, starts
from viz.base.tokens import is_special, piece_labels, shown_piece, visible

BlockName = Literal["encoder", "decoder", "cross"]
BLOCKS: tuple[BlockName, ...] = get_args(BlockName)

_PATTERN: dict[BlockName, str] = {
    "encoder": "encoder.{layer}.self_attention.pattern",
    "decoder": "decoder.{layer}.self_attention.pattern",
    "cross": "decoder.{layer}.cross_attention.pattern",
}

# A softmax in float32 may end a little above 1; that is no reason to scale a whole map.
_ROUNDING = 1e-4


@dataclass(frozen=True)
class TokenRow:
    """The tokens along one side of a map.

    Args:
        labels: any text, shown as text.
        words: spans ``(start, end)`` that cover all tokens in order; empty where every token is a word.
        special: whether each token is special (BOS, EOS, …); empty where none is.
        word_labels: a text for each of the words; empty where a word is its tokens' labels, one after the other.

    Raises:
        ValueError: spans, flags or texts of words that do not fit the labels.
    """

    labels: tuple[str, ...]
    words: tuple[tuple[int, int], ...] = ()
    special: tuple[bool, ...] = ()
    word_labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that spans and flags fit the labels."""
        if not self.labels:
            raise ValueError("A row of tokens has no token; give it one or more.")
        if self.special and len(self.special) != len(self.labels):
            raise ValueError(
                f"There are {len(self.special)} flags for {len(self.labels)} tokens; give one for each, or none."
            )
        if self.word_labels and len(self.word_labels) != len(self.words):
            raise ValueError(
                f"There are {len(self.word_labels)} texts for {len(self.words)} words; give one for each, or none."
            )
        if not self.words:
            return
        bounds = [0, *(end for _, end in self.words)]
        joined = all(start == before < end for before, (start, end) in zip(bounds, self.words, strict=False))
        if not joined or bounds[-1] != len(self.labels):
            raise ValueError(
                f"The words {list(self.words)} do not cover {len(self.labels)} tokens; "
                "give spans that follow each other from the first token to the last."
            )

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.labels)

    def word_of(self, token: int) -> tuple[int, int]:
        """Return the span of the word that holds ``token``."""
        return next(((start, end) for start, end in self.words if start <= token < end), (token, token + 1))


@dataclass(frozen=True)
class AttentionKind:
    """Every head of every layer of one kind of attention.

    Another measure that is never negative, such as norms, may take the place of the weights.

    Args:
        name: which block of the model.
        weights: [layer, head, query, key], 0 or more.
        queries: what the rows stand for.
        keys: what the columns stand for.
        alignment: the alignment error rate of each head, measured on other sentences; None where none was.
        layer_numbers: of the layers in the model, from 0, where others have no attention; empty where none has none.

    Raises:
        ValueError: weights that do not fit the tokens, are negative or not finite, or rates that are not one a head, or
            numbers that are not one a layer.
    """

    name: BlockName
    weights: Float32[np.ndarray, "layer head query key"]
    queries: TokenRow
    keys: TokenRow
    alignment: Float64[np.ndarray, "layer head"] | None = None
    layer_numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check the weights against the tokens."""
        if self.name not in BLOCKS:
            raise ValueError(f"The kind of attention is {self.name!r}; give one of {', '.join(BLOCKS)}.")
        expected = (len(self.queries), len(self.keys))
        if self.weights.ndim != 4 or self.weights.shape[2:] != expected or 0 in self.weights.shape:
            raise ValueError(
                f"The {self.name} weights have the shape {self.weights.shape}; "
                f"give [layer, head, {expected[0]} queries, {expected[1]} keys], with a layer and a head at least."
            )
        if self.weights.dtype != np.float32:
            raise ValueError(f"The {self.name} weights are {self.weights.dtype}; give float32.")
        # One pass: a sum is finite only where every weight is, and no weight is below the least.
        if not (np.isfinite(self.weights.sum(dtype=np.float64)) and self.weights.min() >= 0):
            raise ValueError(f"Some {self.name} weights are negative or not finite; give numbers that are 0 or more.")
        if self.alignment is not None and self.alignment.shape != self.weights.shape[:2]:
            raise ValueError(
                f"The rates of alignment have the shape {self.alignment.shape}; "
                f"give one a head, {self.weights.shape[:2]}."
            )
        if self.layer_numbers and len(self.layer_numbers) != self.weights.shape[0]:
            raise ValueError(
                f"There are {len(self.layer_numbers)} numbers for {self.weights.shape[0]} layers; give one for each."
            )

    @property
    def own_layers(self) -> tuple[int, ...]:
        """The number of each layer in the model, from 0."""
        return self.layer_numbers or tuple(range(self.weights.shape[0]))

    @cached_property
    def reduced(self) -> ReducedMaps:
        """The maps, made small."""
        rows, columns = (starts(len(row), row.special) for row in (self.queries, self.keys))
        return ReducedMaps(self.weights, rows, columns)

    @cached_property
    def scales(self) -> Float32[np.ndarray, "layer head"]:
        """Return what byte 255 stands for in each map: 1 for attention weights, else the map's largest value."""
        return scales_of(self.weights.max(axis=(2, 3)))


def scales_of(largest: Float32[np.ndarray, "..."]) -> Float32[np.ndarray, "..."]:
    """Return what byte 255 stands for in maps with these largest values."""
    if largest.max() <= 1 + _ROUNDING:
        return np.ones_like(largest)
    return np.where(largest > 0, largest, np.float32(1))


@dataclass(frozen=True)
class Step:
    """One written token: its label, and what could have been written, as labels with their probabilities.

    ``chosen`` is its place among these, if it is one of them: two may have the same label, and its own is another one
    within a word.
    """

    label: str
    alternatives: tuple[tuple[str, float], ...] = ()
    chosen: int | None = None


@dataclass(frozen=True)
class RowAddress:
    """The place of a row: its map, and its query."""

    kind: BlockName
    layer: int
    head: int
    query: int


@dataclass(frozen=True)
class CellAddress:
    """The place of a cell: its map, its query and its key."""

    kind: BlockName
    layer: int
    head: int
    query: int
    key: int


@dataclass(frozen=True)
class ExactRow:
    """One row in full precision, which a pinned row shows instead of its bytes."""

    kind: BlockName
    layer: int
    head: int
    query: int
    weights: Float32[np.ndarray, " key"]


def exact_rows(kinds: Sequence[AttentionKind], addresses: Sequence[RowAddress]) -> tuple[ExactRow, ...]:
    """Return the rows at ``addresses``, with their weights as they are in ``kinds``."""
    weights = {kind.name: kind.weights for kind in kinds}
    return tuple(
        ExactRow(at.kind, at.layer, at.head, at.query, weights[at.kind][at.layer, at.head, at.query])
        for at in addresses
    )


class _Word(Protocol):
    """A word of a text, and the pieces that it is made of: from ``start`` to before ``end``."""

    @property
    def text(self) -> str:
        """The word."""

    @property
    def start(self) -> int:
        """Its first piece."""

    @property
    def end(self) -> int:
        """The piece after its last one."""


class Tokens(Protocol):
    """A text as a tokenizer cut it."""

    @property
    def pieces(self) -> Sequence[str]:
        """The pieces, in their order."""

    @property
    def words(self) -> Sequence[_Word]:
        """The words, in their order."""


class TranslationWithAttention(Protocol):
    """A translation with its attention patterns and the tokens they are between."""

    @property
    def patterns(self) -> Mapping[str, Float32[np.ndarray, "head query key"]]:
        """[head, query, key], by hook name."""

    @property
    def source(self) -> Tokens:
        """The tokens that the encoder reads."""

    @property
    def read(self) -> Tokens:
        """The tokens that the decoder reads: the target after BOS."""

    @property
    def target(self) -> Tokens:
        """The tokens that the decoder writes."""


def attention_kinds(translation: TranslationWithAttention) -> tuple[AttentionKind, ...]:
    """Return every head of every layer of each kind of attention."""
    return tuple(attention_kind(translation, name) for name in BLOCKS)


def attention_kind(translation: TranslationWithAttention, name: BlockName) -> AttentionKind:
    """Return every head of every layer of the kind ``name``.

    In the decoder, rows are the tokens being written and columns those being read, which begin with BOS.
    """
    names = takewhile(translation.patterns.__contains__, (hook_name(name, layer) for layer in count()))
    weights = np.stack([translation.patterns[name] for name in names])
    return kind_between(translation, name, weights)


def kind_between(
    translation: TranslationWithAttention, name: BlockName, weights: Float32[np.ndarray, "layer head query key"]
) -> AttentionKind:
    """Return ``weights``, whatever they measure, between the tokens of the kind ``name``."""
    queries = translation.source if name == "encoder" else translation.target
    keys = translation.read if name == "decoder" else translation.source
    return AttentionKind(name, weights, token_row(queries), token_row(keys))


def hook_name(kind: BlockName, layer: int) -> str:
    """Return the name under which the patterns of that layer are recorded."""
    return _PATTERN[kind].format(layer=layer)


def token_row(tokens: Tokens) -> TokenRow:
    """Return the pieces of ``tokens`` with the labels that people read."""
    return TokenRow(
        labels=piece_labels(tokens.pieces, [word.start for word in tokens.words]),
        words=tuple((word.start, word.end) for word in tokens.words),
        special=tuple(map(is_special, tokens.pieces)),
        # A word of one piece may be a special token, which has a name of its own.
        word_labels=tuple(
            shown_piece(tokens.pieces[word.start]) if word.end - word.start == 1 else visible(word.text)
            for word in tokens.words
        ),
    )
