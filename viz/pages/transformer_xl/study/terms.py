"""The four terms of Transformer-XL's score at one position, with a gain and an effect for each."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from jaxtyping import Float32, Int
from torch import Tensor

from model.analysis.losses.character_losses import segment_losses
from model.architectures.decoder_only import DecoderOnly
from model.attention import SegmentMemory, SegmentSpec
from model.hooks import SCORE_TERMS, Edit, intervene, record
from model.positional.transformer_xl import TransformerXLEncoding
from viz.pages.transformer_xl.study.reading import memory_before, segment_row
from viz.pages.transformer_xl.study.segments import n_segments as segments_in

TERMS = tuple(SCORE_TERMS)
HIGHEST_GAIN = 2.0
MAX_POSITIONS = 512
"""Positions at most that averages over a text are taken from."""
MAX_ABLATED = 256
"""Characters at most that are read without each term: it takes five readings."""

_BLOCK = "decoder.{layer}.self_attention"


@dataclass(frozen=True)
class TermGains:
    """Factors of the score terms (a) to (d): in one head, in one layer, or everywhere.

    Attributes:
        gains: 1 leaves a term as it is.
        layer: the only one in which they hold; None for all.
        head: the only one of each such layer; None for all.
    """

    gains: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    layer: int | None = None
    head: int | None = None

    def edits(self) -> dict[str, Edit]:
        """Return the interventions; none for a term whose gain is 1."""
        block = _BLOCK.format(layer="*" if self.layer is None else self.layer)
        return {
            f"{block}.term_{term}": self._edit(gain) for term, gain in zip(TERMS, self.gains, strict=True) if gain != 1
        }

    def _edit(self, gain: float) -> Edit:
        def scale(scores: Tensor) -> Tensor:
            if self.head is None:
                return scores * gain
            scaled = scores.clone()
            scaled[:, self.head] *= gain
            return scaled

        return scale


@dataclass(frozen=True)
class SegmentTerms:
    """Results of one layer for one segment.

    Attributes:
        terms: (a) to (d) as the scores had them, gains included; NaN where the mask forbids.
        scores: what went into the softmax; NaN where the mask forbids.
        pattern: the attention weights.
        losses: −ln p of each character that follows one of the segment, in nats.
        n_remembered: how many of the keys, the first ones, are memory.
    """

    terms: Float32[np.ndarray, "4 head query key"]
    scores: Float32[np.ndarray, "head query key"]
    pattern: Float32[np.ndarray, "head query key"]
    losses: Float32[np.ndarray, " predicted"]
    n_remembered: int

    @property
    def bits(self) -> float:
        """The mean loss, in bits per character."""
        return float(self.losses.mean(dtype=np.float64)) / math.log(2)

    @property
    def off(self) -> float:
        """The largest difference between the sum of the four terms and the score."""
        return float(np.nanmax(np.abs(self.terms.sum(axis=0) - self.scores)))


def has_terms(model: DecoderOnly) -> bool:
    """Whether the scores of ``model`` are sums of the four terms."""
    return isinstance(model.positional.at_layer(0), TransformerXLEncoding)


def segment_terms(
    model: DecoderOnly, row: Int[Tensor, "1 read"], memory: SegmentMemory, gains: TermGains, layer: int
) -> SegmentTerms:
    """Return what ``layer`` makes of a segment read with ``gains``.

    Args:
        model: in evaluation mode.
        row: the segment, and the character after it where there is one to predict.
        memory: what was read before, which is left as it is.
        gains: of this segment; the memory is as it was read.
        layer: counted from 0.
    """
    block = _BLOCK.format(layer=layer)
    with intervene(gains.edits()), record(*(f"{block}.{name}" for name in ("term_?", "scores", "pattern"))) as seen:
        losses = segment_losses(model, row, row.shape[1], memory.copy())
    scores = seen[f"{block}.scores"][0]
    terms = torch.stack([seen[f"{block}.term_{term}"][0] for term in TERMS])  # [4, H, Q, K]
    return SegmentTerms(
        terms=_allowed(terms, scores),
        scores=_allowed(scores, scores),
        pattern=seen[f"{block}.pattern"][0].numpy(),
        losses=losses[0].numpy(),
        n_remembered=memory.length,
    )


@dataclass(frozen=True)
class DistanceMeans:
    """Averages over ``n_positions`` of a text, at each distance back, in each layer and head.

    Attributes:
        attention: the weights.
        terms: the terms (a) to (d).
        n_positions: how many positions looked back.
    """

    attention: Float32[np.ndarray, "layer head distance"]
    terms: Float32[np.ndarray, "4 layer head distance"]
    n_positions: int

    @property
    def centred(self) -> Float32[np.ndarray, "4 layer head distance"]:
        """The terms, each less its mean over the distances: a softmax does not see what all keys share."""
        centred: Float32[np.ndarray, "4 layer head distance"] = self.terms - self.terms.mean(axis=-1, keepdims=True)
        return centred


def distance_means(
    model: DecoderOnly, ids: Int[Tensor, " position"], spec: SegmentSpec, most: int = MAX_POSITIONS
) -> DistanceMeans:
    """Return averages at distances from 0 to the memory length, over segments with a full memory.

    A text that fills no memory is averaged over all the same, up to the distances that every position of its last
    segment has.

    Raises:
        ValueError: no character to predict.
    """
    names = [*(f"term_{term}" for term in TERMS), "pattern"]
    sums, n_positions = [], 0
    for memory, row in _measured_segments(model, ids[None], spec, most):
        farthest = memory.length
        with record(*(f"*.self_attention.{name}" for name in names)) as seen:
            segment_losses(model, row, spec.segment_length, memory)
        layers = range(model.config.n_layers)
        values = torch.stack(
            [torch.stack([seen[f"{_BLOCK.format(layer=one)}.{name}"][0] for one in layers]) for name in names]
        )  # [5, layer, H, Q, K]
        sums.append(by_distance(values, farthest).sum(-2).double())
        n_positions += row.shape[1] - 1
    total = torch.stack(sums).sum(0) / n_positions  # [5, layer, H, distance]
    means = total.float().numpy()
    return DistanceMeans(means[-1], means[:-1], n_positions)


def by_distance(
    values: Float32[Tensor, "*leading query key"], farthest: int
) -> Float32[Tensor, "*leading query distance"]:
    """Return for each query the values of its keys from itself, at distance 0, to ``farthest`` back.

    The last query stands at the last key.

    Raises:
        ValueError: some query has no key so far back.
    """
    n_queries, n_keys = values.shape[-2:]
    if farthest > n_keys - n_queries:
        raise ValueError(f"the first of {n_queries} queries has no key {farthest} back, among {n_keys}")
    own = torch.arange(n_keys - n_queries, n_keys)
    columns = own[:, None] - torch.arange(farthest + 1)  # [Q, distance]
    return values.gather(-1, columns.expand(*values.shape[:-1], -1))


@dataclass(frozen=True)
class AblatedTerms:
    """Bits per character over ``n_characters`` of a text: as trained, and without each term everywhere."""

    as_trained: float
    without: Mapping[str, float]
    n_characters: int


def ablated_terms(
    model: DecoderOnly, ids: Int[Tensor, " position"], spec: SegmentSpec, most: int = MAX_ABLATED
) -> AblatedTerms:
    """Return the effect of each term, on the first of the segments of :func:`distance_means`.

    Raises:
        ValueError: no character to predict.
    """
    # A row as trained, then one without each term, read side by side: much faster than one after the other.
    kept = torch.cat((torch.ones(1, len(TERMS)), 1 - torch.eye(len(TERMS))))  # [5, 4]
    edits: dict[str, Edit] = {
        f"*.self_attention.term_{term}": partial(torch.mul, kept[:, place, None, None, None])
        for place, term in enumerate(TERMS)
    }
    with intervene(edits):
        losses = [
            segment_losses(model, row, spec.segment_length, memory)
            for memory, row in _measured_segments(model, ids.expand(len(kept), -1), spec, most)
        ]
    by_row = torch.cat(losses, dim=1).double().mean(1) / math.log(2)  # [5]
    as_trained, *others = by_row.tolist()
    return AblatedTerms(as_trained, dict(zip(TERMS, others, strict=True)), sum(one.shape[1] for one in losses))


def _measured_segments(
    model: DecoderOnly, rows: Tensor, spec: SegmentSpec, most: int
) -> Iterator[tuple[SegmentMemory, Tensor]]:
    """Yield each segment to average over, with the next character, and the memory before it.

    The memory may be extended.
    """
    n_segments = segments_in(rows.shape[1], spec.segment_length)
    if not n_segments:
        raise ValueError("the text has no character to predict; give one of at least two characters")
    # The last segment is what a text has too few of: with only that, it is better than nothing.
    first = min(math.ceil(spec.mem_len / spec.segment_length), n_segments - 1)
    last = min(n_segments, first + max(1, most // spec.segment_length))
    memory = memory_before(model, rows, first, spec)
    for segment in range(first, last):
        yield memory, segment_row(rows, segment, spec)


def _allowed(values: Tensor, scores: Tensor) -> Float32[np.ndarray, "*leading query key"]:
    allowed: Float32[np.ndarray, "*leading query key"] = values.masked_fill(scores == -math.inf, math.nan).numpy()
    return allowed
