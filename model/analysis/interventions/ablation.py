"""The worth of parts of an encoder–decoder to a translation: its log-probability without them.

A head is ablated by replacing its ``z`` at every position: by zero, or by its mean over a corpus (Michel et al. 2019,
arXiv:1905.10650, remove heads one by one; Voita et al. 2019, arXiv:1905.09418, prune them). Zero is a vector that the
rest of the model has perhaps never been given; the mean takes away what the head says of this sentence, and no more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.losses.log_probabilities import of_target
from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.hooks import Edit, intervene, record
from model.text.padding import pad

Means = Mapping[str, Float[Tensor, "..."]]
"""The mean at each hook point over all positions of a corpus: [H, E] of ``z``, [F] of hidden units, else [D]."""

ENCODER_POSITIONS, DECODER_POSITIONS = "encoder.positional.encoding", "decoder.positional.encoding"

# Positions in one pass: the logits of so many take 130 MB with a vocabulary of 8,000.
_AT_ONCE = 4096
_MEAN_BATCH = 50


@dataclass(frozen=True)
class Part:
    """A part to ablate: ``head`` of the attention at the hook point ``point``; if None, all that passes."""

    point: str
    head: int | None = None

    @property
    def is_positional(self) -> bool:
        """Whether it is what a positional encoding adds, which has no batch axis."""
        return self.point in (ENCODER_POSITIONS, DECODER_POSITIONS)


def attention_points(config: EncoderDecoderConfig) -> tuple[str, ...]:
    """Return the hook points of ``z`` by layer: encoder, decoder and cross-attention."""
    return (
        *(f"encoder.{layer}.self_attention.z" for layer in range(config.n_encoder_layers)),
        *(f"decoder.{layer}.self_attention.z" for layer in range(config.n_decoder_layers)),
        *(f"decoder.{layer}.cross_attention.z" for layer in range(config.n_decoder_layers)),
    )


def heads_of(config: EncoderDecoderConfig) -> tuple[Part, ...]:
    """Return every head, in the order of :func:`attention_points`."""
    return tuple(Part(point, head) for point in attention_points(config) for head in range(config.n_heads))


def blocks_of(config: EncoderDecoderConfig) -> tuple[Part, ...]:
    """Return every attention block, all heads at once, and every feed-forward block."""
    return (
        *map(Part, attention_points(config)),
        *(Part(f"encoder.{layer}.feed_forward.output") for layer in range(config.n_encoder_layers)),
        *(Part(f"decoder.{layer}.feed_forward.output") for layer in range(config.n_decoder_layers)),
    )


def unit_points(config: EncoderDecoderConfig) -> tuple[str, ...]:
    """Return the hook points of hidden units, by layer: encoder, then decoder."""
    return (
        *(f"encoder.{layer}.feed_forward.hidden" for layer in range(config.n_encoder_layers)),
        *(f"decoder.{layer}.feed_forward.hidden" for layer in range(config.n_decoder_layers)),
    )


def positions_of(model: EncoderDecoder) -> tuple[Part, ...]:
    """Return what is added to the embeddings of either side, where the positional encoding adds anything."""
    encodings = {ENCODER_POSITIONS: model.encoder.positional, DECODER_POSITIONS: model.decoder.positional}
    first = torch.zeros(1, dtype=torch.long, device=model.embedding.weight.device)
    return tuple(Part(point) for point, encoding in encodings.items() if encoding.additive_encoding(first) is not None)


def ablation(parts: Iterable[Part], means: Means | None = None) -> dict[str, Edit]:
    """Return the edits, for :func:`~model.hooks.intervene`, that ablate all of ``parts`` at once.

    Args:
        parts: what to ablate, at every position and in every row.
        means: what takes its place; None for zero.

    Raises:
        KeyError: ``means`` has none for one of the parts.
    """
    by_point: dict[str, list[int | None]] = {}
    for part in parts:
        by_point.setdefault(part.point, []).append(part.head)
    return {
        point: partial(_ablate_all, heads=heads, mean=None if means is None else means[point])
        for point, heads in by_point.items()
    }


@torch.inference_mode()
def ablation_effects(
    model: EncoderDecoder,
    source: Sequence[int],
    target: Sequence[int],
    parts: Sequence[Part],
    means: Means | None = None,
) -> Float[Tensor, " part"]:
    """Return the change of log P(``target`` | ``source``), in nats, by each of ``parts`` ablated alone.

    Below 0 where the part speaks for the target. One pass has a row for every part, so that a usual sentence takes one
    in all, and one more for each positional encoding.

    Args:
        model: in evaluation mode.
        source: tokens that end in EOS.
        target: tokens without BOS.
        parts: what to ablate, one at a time.
        means: what takes its place; None for zero.

    Raises:
        KeyError: ``means`` has none for one of the parts.
    """
    # What a positional encoding adds has no rows.
    alone = [part for part in parts if part.is_positional]
    in_rows = [part for part in parts if not part.is_positional]
    n_rows = max(1, _AT_ONCE // max(len(source), len(target)))
    effects: dict[Part, Tensor] = {}
    for start in range(0, len(in_rows), n_rows):
        together = in_rows[start : start + n_rows]
        log_p = _log_probabilities(model, source, target, together, means)
        effects |= zip(together, (log_p[1:] - log_p[0]).unbind(), strict=True)
    for part in alone:
        whole = _log_probabilities(model, source, target)
        with intervene(ablation([part], means)):
            effects[part] = (_log_probabilities(model, source, target) - whole)[0]
    return torch.stack([effects[part] for part in parts]) if parts else torch.empty(0)


@torch.inference_mode()
def corpus_means(
    model: EncoderDecoder, pairs: Sequence[tuple[Sequence[int], Sequence[int]]], points: Iterable[str]
) -> dict[str, Float[Tensor, "..."]]:
    """Return the mean at each of ``points`` over all positions of ``pairs``, as :data:`Means`.

    Args:
        model: in evaluation mode.
        pairs: sources and their targets, which the decoder reads; both end in EOS.
        points: hook points of :func:`attention_points`, :func:`blocks_of`, :func:`unit_points` and
            :func:`positions_of`.
    """
    points = tuple(points)
    device, config = model.embedding.weight.device, model.config
    sums: dict[str, Tensor] = {}
    counts = dict.fromkeys(points, 0)
    for start in range(0, len(pairs), _MEAN_BATCH):
        batch = pairs[start : start + _MEAN_BATCH]
        source = pad([pair[0] for pair in batch], config.pad_id).to(device)
        read = pad([[config.bos_id, *pair[1][:-1]] for pair in batch], config.pad_id).to(device)
        with record(*points) as seen:
            model(source, read)
        for point in points:
            is_token = (source if point.startswith("encoder.") else read) != config.pad_id  # [B, P]
            values = _by_position(seen[point], len(batch))[is_token].double()  # [token, ...]
            sums[point] = sums.get(point, 0) + values.sum(0)
            counts[point] += len(values)
    return {point: (total / counts[point]).float().cpu() for point, total in sums.items()}


def _by_position(x: Tensor, n_rows: int) -> Tensor:
    """Return what passes a hook point with the axes row and position first: [B, P, H, E] or [B, P, D]."""
    if x.ndim == 4:
        return x.transpose(1, 2)  # [B, P, H, E]
    return x.expand(n_rows, -1, -1)  # [B, P, D]


def _log_probabilities(
    model: EncoderDecoder,
    source: Sequence[int],
    target: Sequence[int],
    parts: Sequence[Part] = (),
    means: Means | None = None,
) -> Float[Tensor, " one_and_parts"]:
    """Return log P of ``target`` with nothing ablated, and then with each of ``parts``, in one batch.

    The encoder has rows only for those that change its output.
    """
    device = model.embedding.weight.device
    in_encoder = [part for part in parts if part.point.startswith("encoder.")]
    memory_row = {part: row for row, part in enumerate(in_encoder, start=1)}
    decoder_row = {part: row for row, part in enumerate(parts, start=1) if part not in memory_row}
    edits = _row_edits(memory_row, means) | _row_edits(decoder_row, means)
    with intervene(edits):
        sources = torch.tensor([list(source)] * (1 + len(in_encoder)), device=device)
        memory, memory_mask = model.encode(sources)
        rows = torch.tensor([0, *(memory_row.get(part, 0) for part in parts)], device=device)
        read = torch.tensor([[model.config.bos_id, *target[:-1]]] * len(rows), device=device)
        logits = model.decode(read, memory[rows], memory_mask[rows])  # [R, P, V]
    return of_target(logits, target).sum(1)


def _row_edits(row_of: Mapping[Part, int], means: Means | None) -> dict[str, Edit]:
    """Return the edits that ablate each part in a row of its own."""
    by_point: dict[str, list[tuple[int, int | None]]] = {}
    for part, row in row_of.items():
        by_point.setdefault(part.point, []).append((row, part.head))
    return {
        point: partial(_ablate_rows, rows=rows, mean=None if means is None else means[point])
        for point, rows in by_point.items()
    }


def _ablate_rows(x: Tensor, *, rows: Sequence[tuple[int, int | None]], mean: Tensor | None) -> Tensor:
    """Return ``x`` with one part of each of ``rows`` replaced."""
    x, by = x.clone(), over_positions(mean, x)
    for row, head in rows:
        place = (row,) if head is None else (row, head)
        x[place] = by[place]
    return x


def _ablate_all(x: Tensor, *, heads: Sequence[int | None], mean: Tensor | None) -> Tensor:
    """Return ``x`` with ``heads`` replaced in every row; None stands for all of them."""
    by = over_positions(mean, x)
    if None in heads:
        return by
    x, chosen = x.clone(), list(heads)
    x[:, chosen] = by[:, chosen]
    return x


def over_positions(mean: Tensor | None, x: Tensor) -> Tensor:
    """Return ``mean``, [H, E] or [F], at every position of ``x``; zeros for None.

    ``x`` is [..., H, P, E] or [..., P, F].
    """
    if mean is None:
        return torch.zeros_like(x)
    mean = mean.to(x)
    return (mean[:, None] if mean.ndim == 2 else mean).expand_as(x)
