"""The loss of an encoder–decoder without single heads, and with fewer and fewer of them.

Michel et al. 2019 (arXiv:1905.10650) remove heads one by one, leave one in a layer, and prune by an estimate of what
each is worth; Voita et al. 2019 (arXiv:1905.09418) prune while they train. Here as in the first, nothing is trained.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from model.analysis.interventions.ablation import Means, Part, ablation, attention_points, heads_of
from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.hooks import intervene
from model.text.padding import pad

# More rows of unequal length would be padding for the most part.
_ROWS = 32


@dataclass(frozen=True)
class SourceTargetBatch:
    """Sources, what the decoder reads, and what it is to write, padded on the right."""

    source: Int[Tensor, "row source"]
    read: Int[Tensor, "row position"]
    target: Int[Tensor, "row position"]


def batches_of(pairs: Iterable[tuple[Sequence[int], Sequence[int]]], model: EncoderDecoder) -> list[SourceTargetBatch]:
    """Return ``pairs`` of a source and its target, which end in EOS, in batches of about the same length."""
    ordered = sorted(pairs, key=lambda pair: (len(pair[1]), len(pair[0])))
    device, config = model.embedding.weight.device, model.config
    return [
        SourceTargetBatch(
            pad([source for source, _ in rows], config.pad_id).to(device),
            pad([[config.bos_id, *target[:-1]] for _, target in rows], config.pad_id).to(device),
            pad([target for _, target in rows], config.pad_id).to(device),
        )
        for rows in (ordered[start : start + _ROWS] for start in range(0, len(ordered), _ROWS))
    ]


@torch.inference_mode()
def losses_without(
    model: EncoderDecoder,
    batches: Sequence[SourceTargetBatch],
    without: Sequence[Iterable[Part]],
    means: Means | None = None,
) -> Float[Tensor, " choice"]:
    """Return the cross-entropy of a target token, in nats, without all parts of each of ``without``.

    Args:
        model: in evaluation mode.
        batches: what is read and written.
        without: sets of parts; an empty one is the whole model.
        means: what takes their place; None for zero.

    Raises:
        KeyError: ``means`` has none for one of the parts.
    """
    choices = [(ablation(parts, means), _encoder_parts(parts)) for parts in map(tuple, without)]
    sums, n_tokens = torch.zeros(len(choices), dtype=torch.float64), 0
    for batch in batches:
        # Choices that leave the encoder as it is in another one read the same memory.
        memories: dict[frozenset[Part], tuple[Tensor, Tensor]] = {}
        for place, (edits, in_encoder) in enumerate(choices):
            with intervene(edits):
                if in_encoder not in memories:
                    memories[in_encoder] = model.encode(batch.source)
                sums[place] += float(_loss(model, model.decode(batch.read, *memories[in_encoder]), batch))
        n_tokens += int((batch.target != model.config.pad_id).sum())
    return sums / n_tokens


def head_importance(model: EncoderDecoder, batches: Sequence[SourceTargetBatch]) -> Float[Tensor, " head"]:
    """Return I_h = E_x |∂L(x)/∂ξ_h| of every head, in the order of ``heads_of``.

    ξ_h multiplies the output of head h, and L(x) = −log P of the target given the source x (Michel et al., equation 2).
    As there, the heads of a layer are divided by their Euclidean norm. It takes one pass forward and back.
    """
    points, config = attention_points(model.config), model.config
    totals = torch.zeros(len(points), config.n_heads, dtype=torch.float64)
    for batch in batches:
        gates = torch.ones(
            len(points), len(batch.source), config.n_heads, device=batch.source.device, requires_grad=True
        )
        edits = {point: partial(_gated, gate=gate) for point, gate in zip(points, gates, strict=True)}
        with torch.enable_grad(), intervene(edits):
            loss = _loss(model, model(batch.source, batch.read), batch)
        (gradient,) = torch.autograd.grad(loss, gates)  # [point, B, H]
        totals += gradient.abs().sum(1).double().cpu()
    norms: Tensor = totals.norm(dim=1, keepdim=True)
    return (totals / norms).flatten()


def order_by_importance(model: EncoderDecoder, batches: Sequence[SourceTargetBatch]) -> tuple[Part, ...]:
    """Return every head, the least important first: all estimated once, with every head in place."""
    heads, importance = heads_of(model.config), head_importance(model, batches)
    return tuple(heads[place] for place in importance.argsort(stable=True).tolist())


def order_by_loss(model: EncoderDecoder, batches: Sequence[SourceTargetBatch]) -> tuple[Part, ...]:
    """Return the heads in the order of a greedy search: each removal leaves the lowest loss.

    It is searched lazily (Minoux 1978): heads are measured again in the order of their last measured costs, until
    the next one's is above the best new cost. A head that has become cheaper since may be passed over.
    """
    heads = heads_of(model.config)
    whole, *alone = losses_without(model, batches, [[], *([part] for part in heads)]).tolist()
    costs = {part: loss - whole for part, loss in zip(heads, alone, strict=True)}
    removed: list[Part] = []
    before = whole
    while costs:
        now: dict[Part, float] = {}
        for part in sorted(costs, key=costs.__getitem__):
            if now and costs[part] >= min(now.values()):
                break
            now[part] = float(losses_without(model, batches, [[*removed, part]])) - before
        costs |= now
        cheapest = min(now, key=now.__getitem__)
        before += costs.pop(cheapest)
        removed.append(cheapest)
    return tuple(removed)


def all_but_one(config: EncoderDecoderConfig) -> dict[Part, tuple[Part, ...]]:
    """Return for every head the other heads of its attention block."""
    heads = heads_of(config)
    return {kept: tuple(part for part in heads if part.point == kept.point and part != kept) for kept in heads}


def _encoder_parts(parts: Iterable[Part]) -> frozenset[Part]:
    return frozenset(part for part in parts if part.point.startswith("encoder."))


def _gated(z: Tensor, *, gate: Float[Tensor, "row head"]) -> Tensor:
    return z * gate[:, :, None, None]


def _loss(model: EncoderDecoder, logits: Tensor, batch: SourceTargetBatch) -> Tensor:
    return F.cross_entropy(
        logits.flatten(0, 1), batch.target.flatten(), ignore_index=model.config.pad_id, reduction="sum"
    )
