"""The log-probability of a given target, token by token."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder


def target_log_probabilities(
    model: EncoderDecoder, rows: Int[Tensor, "row source"], target: Sequence[int]
) -> Float[Tensor, "row target"]:
    """Return log P of each token of ``target``, in nats, given the tokens before it and the sources.

    Args:
        model: which reads both.
        rows: sources that end in EOS.
        target: tokens without BOS.
    """
    read = torch.tensor([model.config.bos_id, *target[:-1]], device=rows.device).expand(len(rows), -1)
    return of_target(model(rows, read), target)


def of_target(logits: Float[Tensor, "row position vocabulary"], target: Sequence[int]) -> Float[Tensor, "row position"]:
    """Return the log-probability of each token of ``target`` by the ``logits`` at its place."""
    written = torch.tensor(list(target), device=logits.device).expand(len(logits), -1)  # [R, P]
    return logits.log_softmax(-1).gather(2, written[:, :, None])[:, :, 0]
