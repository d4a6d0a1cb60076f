"""The effect of each source token on a written token, measured on the model, not on its attention.

*Leave one out* asks the model again without a part of the source (Li et al. 2016, arXiv:1612.08220). *Gradient × input*
is the slope of the answer along an embedding (Denil et al. 2014, arXiv:1412.6815), and *integrated gradients* its mean
on the way from an empty embedding, which then adds up to the whole change (Sundararajan et al. 2017, arXiv:1703.01365).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.losses.log_probabilities import target_log_probabilities
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import intervene, record
from model.text.padding import pad

TOLERANCE = 0.01
"""Of the whole change: by how much integrated gradients may miss it."""
MAX_POINTS = 600
_PIECES, _HALVED = 16, 4
_EMBEDDING = "encoder.embedding"


@dataclass(frozen=True)
class WrittenToken:
    """A written token: the ``source``, ending in EOS, and the ``target`` up to the token itself."""

    source: Sequence[int]
    target: Sequence[int]


@dataclass(frozen=True)
class IntegratedGradients:
    """The share of every source token in ``change``: log P minus that of no embeddings."""

    values: Float[Tensor, " source"]
    change: float


@torch.inference_mode()
def leave_one_out(
    model: EncoderDecoder, source: Sequence[int], target: Sequence[int], groups: Sequence[Sequence[int]]
) -> Float[Tensor, "group position"]:
    """Return the fall of log P of each ``target`` token, in nats, when a group of positions is deleted.

    The positions after it move up, as in a sentence that never had it.

    Args:
        model: in evaluation mode.
        source: tokens that end in EOS.
        target: tokens without BOS; each is asked for after those before it.
        groups: positions that go together, such as those of a word.
    """
    rows = [[*source], *([token for at, token in enumerate(source) if at not in group] for group in groups)]
    log_p = target_log_probabilities(model, pad(rows, model.config.pad_id).to(model.embedding.weight.device), target)
    losses: Tensor = (log_p[0] - log_p[1:]).cpu()
    return losses


def gradient_times_input(model: EncoderDecoder, written: WrittenToken) -> Float[Tensor, " source"]:
    """Return ∂ log P / ∂e · e of every source token, where e is its embedding."""
    embedding = _embedding(model, written)
    (gradient,), _ = _gradients(model, written, embedding, torch.ones(1, device=embedding.device))
    products: Tensor = (gradient * embedding).sum(-1).cpu()
    return products


def integrated_gradients(model: EncoderDecoder, written: WrittenToken) -> IntegratedGradients:
    """Return e · ∫₀¹ ∂ log P(αe) / ∂(αe) dα of every source token, where e is its embedding.

    All embeddings grow together from zero; the positions that are added to them stay. The way is cut in pieces, and the
    slope taken at both ends and the middle of each (Simpson's rule). As log P is known at the ends, so is the error of
    each piece: the worst are halved until none of the errors, nor their sum, is above :data:`TOLERANCE` of the whole
    change, or there are :data:`MAX_POINTS`.
    """
    embedding = _embedding(model, written)
    slopes: dict[float, Tensor] = {}  # [P], by α
    values: dict[float, float] = {}  # log P

    def visit(points: Sequence[float]) -> None:
        new = [point for point in points if point not in slopes]
        gradients, log_p = _gradients(model, written, embedding, torch.tensor(new, device=embedding.device))
        slopes.update(zip(new, (gradients * embedding).sum(-1).double().cpu().unbind(), strict=True))
        values.update(zip(new, log_p.tolist(), strict=True))

    ends = np.linspace(0, 1, _PIECES + 1).tolist()
    pieces = list(pairwise(ends))
    while True:
        visit(sorted({point for start, end in pieces for point in (start, (start + end) / 2, end)}))
        integrals = [
            (slopes[start] + 4 * slopes[(start + end) / 2] + slopes[end]) * (end - start) / 6 for start, end in pieces
        ]
        errors = [
            float(part.sum()) - (values[end] - values[start])
            for part, (start, end) in zip(integrals, pieces, strict=True)
        ]
        change = values[1.0] - values[0.0]
        most = TOLERANCE * abs(change)
        if max(abs(sum(errors)), *map(abs, errors)) <= most or len(slopes) >= MAX_POINTS:
            return IntegratedGradients(torch.stack(integrals).sum(0).float(), change)
        # What is left of several pieces may add up.
        largest = sorted(map(abs, errors))[-_HALVED]
        pieces = [
            half
            for (start, end), error in zip(pieces, errors, strict=True)
            for half in (
                [(start, end)] if abs(error) < largest else [(start, (start + end) / 2), ((start + end) / 2, end)]
            )
        ]


def rank_correlation(one: Float[np.ndarray, " n"], other: Float[np.ndarray, " n"]) -> float:
    """Return Spearman's ρ (1904) of two attributions: the correlation of their ranks, from −1 to 1.

    Equal values share the mean of their ranks. NaN where one attribution has a single value throughout.
    """
    ranks = np.stack([_ranks(one), _ranks(other)])
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    spread = float(np.sqrt((centred**2).sum(axis=1).prod()))
    return float((centred[0] * centred[1]).sum()) / spread if spread else float("nan")


def _ranks(values: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    below = (values < values[:, None]).sum(axis=1)
    equal = (values == values[:, None]).sum(axis=1)
    ranks: Float[np.ndarray, " n"] = below + (equal + 1) / 2
    return ranks


def _embedding(model: EncoderDecoder, written: WrittenToken) -> Float[Tensor, "source d_model"]:
    rows = torch.tensor([list(written.source)], device=model.embedding.weight.device)
    with torch.inference_mode(), record(_EMBEDDING) as seen:
        model.encode(rows)
    # What is recorded in inference mode has no gradient.
    return seen[_EMBEDDING][0].clone()


def _gradients(
    model: EncoderDecoder,
    written: WrittenToken,
    embedding: Float[Tensor, "source d_model"],
    scales: Float[Tensor, " point"],
) -> tuple[Float[Tensor, "point source d_model"], Float[Tensor, " point"]]:
    """Return the gradients of log P of the written token by each point's scaled embeddings, and log P."""
    device, n = embedding.device, len(scales)
    rows = torch.tensor([list(written.source)], device=device).expand(n, -1)
    read = torch.tensor([[model.config.bos_id, *written.target[:-1]]], device=device).expand(n, -1)
    with torch.enable_grad():
        scaled = (scales[:, None, None] * embedding).requires_grad_()  # [point, P, D]
        with intervene({_EMBEDDING: lambda _: scaled}):
            memory, mask = model.encode(rows)
        hidden = model.decode_hidden(read, memory, mask)[:, -1]  # [point, D]
        log_p = model.project(hidden).log_softmax(-1)[:, written.target[-1]]  # [point]
        (gradients,) = torch.autograd.grad(log_p.sum(), scaled)
    return gradients, log_p.detach()
