"""The loss of every character of a text, read with a memory, through a window, or after a context of a fixed length."""

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
    """Return −ln p of every id of ``rows`` but the first, all read segment by segment; ``memory`` is extended."""
    logits = torch.cat(list(read_segments(model, rows[:, :-1], segment_length, memory)), dim=1)  # [B, P, V]
    return _losses(logits, rows[:, 1:])


@torch.inference_mode()
def window_losses(model: DecoderOnly, rows: Int[Tensor, "row read"], window: int) -> Float[Tensor, "row predicted"]:
    """Return −ln p of every id of ``rows`` but the first, each after the last ``window`` ids read anew."""
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
    """Return −ln p of the ids at ``places``, each after exactly the ``context`` ids before it.

    These are read in segments of ``segment_length`` with an empty memory of ``mem_len`` at the start; a segment as long
    as the context reads them all at once.

    Raises:
        ValueError: a context of less than one id, or longer than what stands before the first place.
    """
    if not 1 <= context <= int(places.min()):
        raise ValueError(f"context is {context}; it lies from 1 to the first place, {int(places.min())}")
    before = torch.arange(-context, 0, device=ids.device)
    found = []
    for chosen in torch.split(places, batch_size):
        read = ids[chosen[:, None] + before]  # [B, P]
        *_, logits = read_segments(model, read, segment_length, model.new_memory(mem_len))
        found.append(_losses(logits[:, -1:], ids[chosen, None])[:, 0])
    return torch.cat(found)


def bits(losses: Float[Tensor, "*any"]) -> float:
    """Return the mean of ``losses``, given in nats, in bits."""
    return float(losses.double().mean()) / math.log(2)


def bits_by_position(losses: Float[Tensor, "row predicted"], segment_length: int) -> list[float]:
    """Return the mean bits at each position of a segment, over all rows and whole segments; none without one."""
    whole = losses.shape[1] // segment_length * segment_length
    if not whole:
        return []
    by_segment = losses[:, :whole].double().reshape(-1, segment_length)  # [B·segments, P]
    means: list[float] = (by_segment.mean(0) / math.log(2)).tolist()
    return means


def _losses(logits: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(logits.transpose(1, 2).float(), targets, reduction="none")  # [B, P]
