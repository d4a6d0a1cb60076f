"""A segmented reading, and the paths by which a change far back reaches a prediction.

Only what can reach the places returned is read, so the cost does not grow with the text. A layer's memory holds what
that layer read, and whatever stands before the segment of the place comes through these memories alone. So the
memories of the changed text, put in the place of those of the text as it is, one layer at a time, show what each of
them carries.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.architectures.transformer_xl import read_segments
from model.attention import LayerMemory, SegmentMemory, SegmentSpec
from model.hooks import Edit, intervene, record


@dataclass(frozen=True)
class SegmentedRead:
    """A reading up to the end of one segment.

    Attributes:
        start: the place of the first state.
        border: the place where the last segment begins.
        states: what each layer read at every place from ``start`` on, the residual stream before its attention.
        memories: what was remembered when each segment began.
        patterns: attention of the last segment's places over memory and segment; the last key is the last place.
        log_probabilities: of the id after each place of the last segment.
    """

    start: int
    border: int
    states: Float[Tensor, "layer position d_model"]
    memories: tuple[SegmentMemory, ...]
    patterns: Float[Tensor, "layer head query key"]
    log_probabilities: Float[Tensor, "query vocabulary"]

    @property
    def end(self) -> int:
        """The place after the last one read."""
        return self.border + self.patterns.shape[2]

    @property
    def first_key(self) -> int:
        """The place of the first key of ``patterns``."""
        return self.end - self.patterns.shape[3]


@torch.inference_mode()
def read_to(
    model: DecoderOnly, ids: Int[Tensor, " position"], place: int, spec: SegmentSpec, source: int | None = None
) -> SegmentedRead:
    """Return what ``model``, in evaluation mode, reads to the end of the segment of ``place``.

    The states returned are those of a reading of the whole text: what cannot reach them is left out.

    Args:
        model: one whose encoding allows a memory.
        ids: the text.
        place: one of its ids.
        spec: how it is read.
        source: a place to return the states from, at the latest; None for the first that can reach ``place``.

    Raises:
        ValueError: the text has no such place.
    """
    if not 0 <= place < len(ids):
        raise ValueError(f"place is {place}; the text has places from 0 to {len(ids) - 1}")
    n_layers = len(model.layers)
    earliest = spec.earliest_source(place, n_layers)
    start = spec.border(earliest if source is None else min(earliest, source))
    # What the memories hold at the start was made by layers that each reach one memory further back.
    first = spec.border(spec.earliest_source(start, n_layers))
    read = _read(model, ids, first, spec.border(place), spec=spec, memory=model.new_memory(spec.mem_len))
    memories = read.memories[(start - first) // spec.segment_length :]
    return replace(read, start=start, states=read.states[:, start - first :], memories=memories)


@torch.inference_mode()
def read_changed(
    model: DecoderOnly, ids: Int[Tensor, " position"], source: int, before: SegmentedRead, spec: SegmentSpec
) -> SegmentedRead:
    """Return the reading of ``ids``, a text that differs from that of ``before`` at ``source``.

    It ends at the same place. What lies before the segment of ``source`` is taken from ``before``.

    Raises:
        ValueError: ``before`` did not read that place.
    """
    if not before.start <= source < before.end:
        raise ValueError(f"{source} was changed; what was read are places from {before.start} to {before.end - 1}")
    start = spec.border(source)
    n_kept = (start - before.start) // spec.segment_length
    memory = before.memories[n_kept].copy()
    after = _read(model, ids, start, before.border, spec=spec, memory=memory)
    states = torch.cat((before.states[:, : start - before.start], after.states), dim=1)  # [L, P, D]
    memories = (*before.memories[:n_kept], *after.memories)
    return replace(after, start=before.start, states=states, memories=memories)


def _read(
    model: DecoderOnly, ids: Tensor, start: int, border: int, *, spec: SegmentSpec, memory: SegmentMemory
) -> SegmentedRead:
    memories = [memory.copy()]
    with record("decoder.*.self_attention.residual_before") as earlier:
        if start < border:
            for _ in read_segments(model, ids[None, start:border], spec.segment_length, memory):
                memories.append(memory.copy())
    with record("decoder.*.self_attention.residual_before", "decoder.*.self_attention.pattern") as last:
        logits = model(ids[None, border : border + spec.segment_length], memory=memory)
    names = [f"decoder.{layer}.self_attention" for layer in range(len(model.layers))]
    read = [(*earlier.every(f"{name}.residual_before"), last[f"{name}.residual_before"]) for name in names]
    return SegmentedRead(
        start=start,
        border=border,
        states=torch.stack([torch.cat(parts, dim=1)[0] for parts in read]),
        memories=tuple(memories),
        patterns=torch.stack([last[f"{name}.pattern"][0] for name in names]),
        log_probabilities=logits[0].log_softmax(-1),
    )


@dataclass(frozen=True)
class Influence:
    """The effect of a change of one id on the prediction after a place, in log-probabilities.

    Attributes:
        before: of the text as it is.
        after: of the changed text.
        unchanged: with no layer's memory from the changed text: ``before``, computed as the next two are, so that no
            rounding stands between them.
        alone: with the memory of one layer from the changed text, all else from the text as it is.
        without: with every layer's memory from the changed text but that one's.
        spread: by how much what each layer read at each place differs, ‖changed − before‖ over ‖before‖.
        start: the place of the first column of ``spread``.
    """

    before: Float[Tensor, " vocabulary"]
    after: Float[Tensor, " vocabulary"]
    unchanged: Float[Tensor, " vocabulary"]
    alone: Float[Tensor, "layer vocabulary"]
    without: Float[Tensor, "layer vocabulary"]
    spread: Float[Tensor, "layer position"]
    start: int


@torch.inference_mode()
def influence(
    model: DecoderOnly, ids: Int[Tensor, " position"], place: int, before: SegmentedRead, after: SegmentedRead
) -> Influence:
    """Return what differs between two readings of one length at ``place`` of their last segment.

    Args:
        model: what read both, in evaluation mode.
        ids: the text of ``before``.
        place: the last place read before the prediction.
        before: of the text as it is.
        after: of the changed text, begun at the same place.

    Raises:
        ValueError: the two were not begun and ended at the same places, or not at this one's segment.
    """
    if (before.start, before.border, before.end) != (after.start, after.border, after.end) or not (
        before.border <= place < before.end
    ):
        raise ValueError(
            f"one text was read from {before.start} to {before.end}, the other from {after.start} to {after.end}, and "
            f"the place is {place}; read both from one place to the end of that one's segment"
        )
    n_layers = len(model.layers)
    one = torch.eye(n_layers, dtype=torch.bool)
    segment = ids[before.border : place + 1]
    log_probabilities = through_memory(
        model, segment, before.memories[-1], after.memories[-1], torch.cat((one, ~one, one[:1] & False))
    )
    read = place + 1 - before.start
    old, new = before.states[:, :read], after.states[:, :read]
    return Influence(
        before=before.log_probabilities[place - before.border],
        after=after.log_probabilities[place - before.border],
        unchanged=log_probabilities[-1],
        alone=log_probabilities[:n_layers],
        without=log_probabilities[n_layers:-1],
        spread=(new - old).norm(dim=-1) / old.norm(dim=-1),
        start=before.start,
    )


@torch.inference_mode()
def through_memory(
    model: DecoderOnly,
    segment: Int[Tensor, " position"],
    before: SegmentMemory,
    after: SegmentMemory,
    is_taken: Bool[Tensor, "row layer"],
) -> Float[Tensor, "row vocabulary"]:
    """Return the log-probabilities after ``segment``; a row takes the layers marked in it from ``after``.

    All rows run as one batch. Where nothing is remembered yet, all are the same.
    """
    rows = len(is_taken)
    layers = [
        LayerMemory(layer.mem_len, None if layer.states is None else layer.states.expand(rows, -1, -1))
        for layer in before.layers
    ]
    edits = {
        f"decoder.{index}.self_attention.memory": _taking(layer.states, is_taken[:, index])
        for index, layer in enumerate(after.layers)
        if layer.states is not None
    }
    with intervene(edits):
        logits = model(segment.expand(rows, -1), memory=SegmentMemory(tuple(layers)))
    log_probabilities: Tensor = logits[:, -1].log_softmax(-1)  # [rows, V]
    return log_probabilities


def _taking(states: Tensor, rows: Tensor) -> Edit:
    return lambda memory: torch.where(rows[:, None, None], states, memory)  # [B, M, D]


def divergence(
    before: Float[Tensor, "*any vocabulary"], after: Float[Tensor, "*any vocabulary"]
) -> Float[Tensor, "*any"]:
    """Return the Kullback–Leibler divergence of ``after`` from ``before``, both as logarithms, in bits.

    It is Σ p (e^δ − 1 − δ) for δ = ln q − ln p, in which the rounding of δ counts only squared: the effect of
    a distant change, a millionth of a bit, stays above it.
    """
    old, new = (scores.double().log_softmax(-1) for scores in (before, after))
    change = new - old
    return (old.exp() * (change.expm1() - change)).sum(-1) / math.log(2)


def largest_changes(influence: Influence, n: int) -> Sequence[int]:
    """Return the ``n`` ids whose probability changed most, the largest change first."""
    moved = (influence.after.exp() - influence.before.exp()).abs()
    chosen: list[int] = moved.topk(min(n, len(moved))).indices.tolist()
    return chosen
