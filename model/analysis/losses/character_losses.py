"""The loss of every character of a text, with a memory, a window, or a context of fixed length."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.architectures.transformer_xl import read_segments, read_window
from model.attention import SegmentMemory


@torch.inference_mode()
def segment_losses(
    model: DecoderOnly, rows: Int[Tensor, "row read"], segment_length: int, memory: SegmentMemory
) -> Float[Tensor, "row predicted"]:
    """Return −ln p of every id of ``rows`` but the first, read segment by segment; ``memory`` is extended."""
    logits = torch.cat(list(read_segments(model, rows[:, :-1], segment_length, memory)), dim=1)  # [B, P, V]
    return _losses(logits, rows[:, 1:])


@torch.inference_mode()
def window_losses(model: DecoderOnly, rows: Int[Tensor, "row read"], window: int) -> Float[Tensor, "row predicted"]:
    """Return −ln p of every id of ``rows`` but the first, given the last ``window`` ids before it."""
    logits = torch.stack(list(read_window(model, rows[:, :-1], window)), dim=1)  # [B, P, V]
    return _losses(logits, rows[:, 1:])


@torch.inference_mode()
def context_losses(
    model: DecoderOnly,
    ids: Int[Tensor, " position"],
    places: Int[Tensor, " place"],
    context: int,
    *,
    segment_length: int,
    mem_len: int,
    batch_size: int = 64,
) -> Float[Tensor, " place"]:
    """Return −ln p of the ids at ``places``, each given exactly the ``context`` ids before it.

    The context is read in segments of ``segment_length``, starting with an empty memory of ``mem_len``.

    Raises:
        ValueError: a context below 1, or longer than the text before the first place.
    """
    if not 1 <= context <= int(places.min()):
        raise ValueError(f"context is {context}; it lies from 1 to the first place, {int(places.min())}")
    before = torch.arange(-context, 0, device=ids.device)
    losses = []
    for chosen in torch.split(places, batch_size):
        read = ids[chosen[:, None] + before]  # [B, P]
        *_, logits = read_segments(model, read, segment_length, model.new_memory(mem_len))
        losses.append(_losses(logits[:, -1:], ids[chosen, None])[:, 0])
    return torch.cat(losses)


def bits(losses: Float[Tensor, "*any"]) -> float:
    """Return the mean of ``losses`` in bits; ``losses`` are in nats."""
    return float(losses.double().mean()) / math.log(2)


def bits_by_position(losses: Float[Tensor, "row predicted"], segment_length: int) -> list[float]:
    """Return the mean bits at each position of a segment, over all rows and complete segments."""
    whole = losses.shape[1] // segment_length * segment_length
    if not whole:
        return []
    by_segment = losses[:, :whole].double().reshape(-1, segment_length)  # [B·segments, P]
    means: list[float] = (by_segment.mean(0) / math.log(2)).tolist()
    return means


def _losses(logits: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(logits.transpose(1, 2).float(), targets, reduction="none")  # [B, P]
