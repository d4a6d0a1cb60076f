"""Span of the memory microscope, and the effects of a change in its text, in numbers."""

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float32, Int
from torch import Tensor

from model.analysis.interventions.memory_influence import (
    Influence,
    SegmentedRead,
    divergence,
    influence,
    largest_changes,
    read_changed,
)
from model.architectures.decoder_only import DecoderOnly
from model.attention import SegmentSpec
from model.text.characters import CharacterVocabulary
from viz.base.tokens import visible

LINE_BREAK, SPACE = "↵", "␣"
_UNUSUAL = "x"
_NAME = re.compile(r"\b[A-Z][a-z]{4,}\b")
FAR = 100
"""From so many characters on, a change counts as far back."""


@dataclass(frozen=True)
class ShownSpan:
    """The places shown of a text, from ``first``, where a segment begins, to before ``stop``."""

    first: int
    stop: int


def memory_lengths(mem_len: int) -> tuple[int, ...]:
    """Return the lengths of memory to choose from: none, half of that in training, that, and twice that."""
    return tuple(sorted({0, mem_len // 2, mem_len, 2 * mem_len}))


def shown_span(n_characters: int, place: int, spec: SegmentSpec, n_layers: int) -> ShownSpan:
    """Return the span that can reach ``place``, with a segment before it and one after its own.

    The segment before it cannot reach ``place``.
    """
    earliest = spec.earliest_source(place, n_layers)
    first = max(0, spec.border(earliest) - spec.segment_length)
    return ShownSpan(first, min(n_characters, spec.border(place) + 2 * spec.segment_length))


def default_places(text: str, spec: SegmentSpec, n_layers: int) -> tuple[int, int]:
    """Return who looks, and what is changed, at first: places inside a name that was written twice.

    The first looks from its second letter, where the model may remember how the name goes on; changed is its third, as
    it was written before, far back and yet within reach. Of all such names it is the nearest to itself. Without one it
    is a place well inside the text, and :func:`default_source`.
    """
    reach = n_layers * spec.mem_len
    seen: dict[str, int] = {}
    pairs = []
    for match in _NAME.finditer(text):
        at, earlier = match.start(), seen.get(match[0])
        if earlier is not None and FAR <= at - earlier < reach:
            pairs.append((at - earlier, at + 1, earlier + 2))
        seen[match[0]] = at
    if pairs:
        return min(pairs)[1:]
    place = len(text) * 3 // 4
    return place, default_source(text, place, spec)


def default_source(text: str, place: int, spec: SegmentSpec) -> int:
    """Return the default change for ``place``: the last capital letter a memory and a segment back.

    Without one there it is the character itself, or the first of the text.
    """
    back = spec.mem_len + spec.segment_length
    farthest = max(0, place - back)
    for at in range(farthest, max(-1, farthest - spec.segment_length), -1):
        if text[at].isupper():
            return at
    return farthest


def default_character(vocabulary: CharacterVocabulary, present: str) -> str:
    """Return what a character becomes at first: another one that is rare, if the vocabulary has it."""
    candidates: tuple[str, ...] = (_UNUSUAL, *vocabulary.characters)
    return next((one for one in candidates if one in vocabulary.characters and one != present), present)


def in_text(character: str) -> str:
    """Return ``character`` as it is seen in a running text."""
    if character == "\n":
        return LINE_BREAK
    is_control = unicodedata.category(character) == "Cc"
    return f"⟨U+{ord(character):04X}⟩" if is_control else visible(character)


def alone(character: str) -> str:
    """Return ``character`` as it is seen by itself."""
    return SPACE if character == " " else in_text(character)


def pattern_of(reading: SegmentedRead, place: int) -> Float32[np.ndarray, "layer head key"]:
    """Return the attention of every head from ``place``, of the last segment read, up to itself."""
    pattern: np.ndarray = (
        reading.patterns[:, :, place - reading.border, : place + 1 - reading.first_key].float().numpy()
    )
    return pattern


def strongest(pattern: Float32[np.ndarray, "layer head key"], n_remembered: int) -> tuple[int, int]:
    """Return the layer and the head with the largest part of its attention on the memory."""
    on_memory = pattern[..., :n_remembered].sum(-1)
    layer, head = np.unravel_index(int(on_memory.argmax()), on_memory.shape)
    return int(layer), int(head)


def change(
    model: DecoderOnly,
    ids: Int[Tensor, " position"],
    before: SegmentedRead,
    *,
    place: int,
    source: int,
    becomes: int,
    spec: SegmentSpec,
) -> Influence:
    """Return what it does at ``place`` that the id at ``source``, read by ``before``, becomes another."""
    changed = ids.clone()
    changed[source] = becomes
    return influence(model, ids, place, before, read_changed(model, changed, source, before, spec))


@dataclass(frozen=True)
class Change:
    """Effect of a change, in bits.

    Attributes:
        total: the divergence of the prediction after it from that before.
        alone: with only the memory of one layer from the changed text.
        without: with all memories from the changed text but that layer's.
    """

    total: float
    alone: tuple[float, ...]
    without: tuple[float, ...]

    @property
    def is_none(self) -> bool:
        """Whether not a single digit of the prediction changed."""
        return self.total == 0

    @property
    def main_layer(self) -> int:
        """The layer whose memory carries most by itself."""
        return int(np.argmax(self.alone))


def measured(influence: Influence) -> Change:
    """Return the size of an effect; exactly 0 where both predictions agree to the last digit."""
    if torch.equal(influence.before, influence.after):
        none = (0.0,) * len(influence.alone)
        return Change(0.0, none, none)
    return Change(
        float(divergence(influence.before, influence.after)),
        tuple(divergence(influence.unchanged.expand_as(influence.alone), influence.alone).tolist()),
        tuple(divergence(influence.unchanged.expand_as(influence.without), influence.without).tolist()),
    )


@dataclass(frozen=True)
class MovedCharacter:
    """A character's probability before and after, and the change of its log in bits, also by layer."""

    id: int
    before: float
    after: float
    bits: float
    bits_by_layer: tuple[float, ...]


def moved(influence: Influence, n: int) -> Sequence[MovedCharacter]:
    """Return the ``n`` characters whose probability changed most, the largest change first."""
    by_layer = (influence.alone.double() - influence.unchanged.double()) / math.log(2)
    by_all = (influence.after.double() - influence.before.double()) / math.log(2)
    return [
        MovedCharacter(
            one,
            math.exp(float(influence.before[one])),
            math.exp(float(influence.after[one])),
            float(by_all[one]),
            tuple(by_layer[:, one].tolist()),
        )
        for one in largest_changes(influence, n)
    ]
