"""A part of a text read by segments: each character's cost with and without memory, and its context.

The model that remembers is read from so far before the stretch that its memory is what it would be after all of the
text (Dai et al. 2019, §3.2, figure 2); without memory every segment is read as if the text began with it (figure 1).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Float32, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.attention import SegmentSpec
from model.hooks import record
from pretrained.language_models import LanguageModel
from viz.pages.transformer_xl.study.reading import Memories

N_SEGMENTS = 4
"""So many segments are read at a time, and the one before them."""

Bits = Float32[np.ndarray, " character"]


@dataclass(frozen=True)
class Stretch:
    """Some segments of a text, as they were read.

    Attributes:
        first: number of the first segment, from 0.
        segment_length: characters of a segment; the last may be shorter.
        mem_len: positions that are remembered.
        shown_from: the first character of ``text``: nothing farther back reaches the stretch.
        text: the characters from there on, up to the last that is predicted.
        bits: what the prediction of the character after each one read costs, from the stretch's first, by how it was
            read: with "memory", with it "emptied" at each border, and by a model trained "cut apart", where one ships.
        attention: of every segment and layer to each key, the oldest first, as a mean over heads and the segment's
            characters; keys are memory and segment, nothing where there were fewer.
        edges: of every segment, the first character that reaches it through no layer, one, two and so on.
    """

    first: int
    segment_length: int
    mem_len: int
    shown_from: int
    text: str
    bits: Mapping[str, Bits]
    attention: Float32[np.ndarray, "segment layer key"]
    edges: Int[np.ndarray, "segment depth"]

    @property
    def start(self) -> int:
        """The stretch's first character."""
        return self.first * self.segment_length


def n_segments(n_characters: int, segment_length: int) -> int:
    """Return how many segments a text is read in: after its last character there is nothing to predict."""
    return max(0, -(-(n_characters - 1) // segment_length))


def receptive_field(segment: int, spec: SegmentSpec, n_layers: int) -> tuple[int, ...]:
    """Return the first character, at each depth, whose state can influence a segment's predictions.

    Depth 0 is the segment itself, depth n what it sees through n layers: each goes back by the memory of the segment
    that the layer above had come to (figure 2).
    """
    edges = [segment * spec.segment_length]
    for _ in range(n_layers):
        edges.append(spec.first_key(edges[-1]))
    return tuple(edges)


@torch.inference_mode()
def read_stretch(
    loaded: LanguageModel, text: str, memories: Memories, segment: int, cut_apart: LanguageModel | None
) -> Stretch:
    """Return the stretch of ``text`` with ``segment`` and the one before it.

    Args:
        loaded: what reads.
        text: all of it.
        memories: those of ``loaded`` before the segments of ``text``; what is read is added to them.
        segment: its number, from 0.
        cut_apart: a model trained without spec, where there is one.

    Raises:
        ValueError: the text has no such segment.
    """
    length, ids = loaded.segment_length, memories.ids
    last = n_segments(len(ids), length) - 1
    if not 0 <= segment <= last:
        raise ValueError(f"segment {segment} was asked of a text with segments from 0 to {last}")
    group = segment // N_SEGMENTS * N_SEGMENTS
    first, end = max(0, group - 1), min((group + N_SEGMENTS) * length, len(ids) - 1)
    read = ids[first * length : end + 1]
    losses, attention = _with_memory(loaded, read, first, memories)
    bits = {"memory": losses, "emptied": _without_memory(loaded.model, read, length)}
    if cut_apart is not None and cut_apart.vocabulary == loaded.vocabulary:
        bits["cut apart"] = _without_memory(cut_apart.model, read, length)
    spec, n_layers = SegmentSpec(length, loaded.mem_len), loaded.model.config.n_layers
    edges = np.array([receptive_field(first + number, spec, n_layers) for number in range(len(attention))])
    shown_from = int(edges.min())
    return Stretch(first, length, loaded.mem_len, shown_from, text[shown_from : end + 1], bits, attention, edges)


def _with_memory(
    loaded: LanguageModel, ids: Tensor, first: int, memories: Memories
) -> tuple[Bits, Float32[np.ndarray, "segment layer key"]]:
    """Return the bits of ``ids``, which begin with the segment ``first``, and where attention went."""
    model, length = loaded.model, loaded.segment_length
    memory = memories.before(first).copy()
    logits, attention = [], []
    for number, segment in enumerate(torch.split(ids[:-1], length), start=first + 1):
        with record("*.pattern") as seen:
            logits.append(model(segment[None], memory=memory)[0])
        memories.keep(number, memory.copy())
        patterns = torch.stack(
            [seen[f"decoder.{layer}.self_attention.pattern"][0] for layer in range(len(model.layers))]
        )
        keys = patterns.mean((1, 2))  # [L, K]
        n_missing = length - len(segment)
        keys = F.pad(keys, (0, n_missing))  # [L, K]
        attention.append(F.pad(keys, (loaded.mem_len + length - keys.shape[1], 0)))  # [L, M + P]
    return _bits(torch.cat(logits), ids[1:]), torch.stack(attention).numpy()


def _without_memory(model: DecoderOnly, ids: Tensor, length: int) -> Bits:
    """Return the bits of every segment read alone."""
    n_read = len(ids) - 1
    rows = F.pad(ids[:-1], (0, -n_read % length)).reshape(-1, length)  # [segment, P]
    return _bits(model(rows).flatten(0, 1)[:n_read], ids[1:])  # [P, V]


def _bits(logits: Float[Tensor, "position vocabulary"], targets: Int[Tensor, " position"]) -> Bits:
    losses = F.cross_entropy(logits.float(), targets, reduction="none") / math.log(2)  # [P]
    bits: Bits = losses.numpy().astype(np.float32)
    return bits
