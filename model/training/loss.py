"""Cross-entropy with label smoothing, projection included (Vaswani et al. 2017, §5.4).

Label smoothing is from Szegedy et al. 2016.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder

CHUNK = 256
"""Tokens whose logits are computed at once on a CPU: few enough to stay in its cache."""
_CHUNK_ELSEWHERE = 16_384
"""On a GPU, where each chunk costs the start of a dozen kernels: few enough for its memory."""


@dataclass(frozen=True)
class TokenLoss:
    """Sums over the real target tokens of a batch: loss, plain cross-entropy, number of tokens."""

    smoothed: Float[Tensor, ""]
    cross_entropy: Float[Tensor, ""]
    n_tokens: int


def sequence_loss(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    target: Int[Tensor, "batch target"],
    *,
    label_smoothing: float,
) -> TokenLoss:
    """Return the loss of predicting each token of ``target`` after its first (BOS) from those before it."""
    hidden, labels = predicting_states(model, source, target)
    return projected_cross_entropy(hidden, model.embedding.weight, labels, label_smoothing=label_smoothing)


def predicting_states(
    model: EncoderDecoder, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"]
) -> tuple[Float[Tensor, "token d_model"], Int[Tensor, " token"]]:
    """Return the target tokens after BOS, and the states that their logits are projected from."""
    memory, memory_mask = model.encode(source)
    hidden = model.decode_hidden(target[:, :-1], memory, memory_mask)  # [B, P - 1, D]
    labels = target[:, 1:]
    real = labels != model.config.pad_id
    return hidden[real], labels[real]


def projected_cross_entropy(
    hidden: Float[Tensor, "token d_model"],
    weight: Float[Tensor, "vocabulary d_model"],
    labels: Int[Tensor, " token"],
    *,
    label_smoothing: float,
) -> TokenLoss:
    """Return the losses, summed over tokens, of the logits ``hidden @ weight.T`` chunk by chunk."""
    losses = _ProjectedCrossEntropy.apply(hidden, weight, labels, label_smoothing)  # type: ignore[no-untyped-call]  # by torch
    smoothed, cross_entropy = losses
    return TokenLoss(smoothed, cross_entropy, len(labels))


class _ProjectedCrossEntropy(torch.autograd.Function):
    """Computes the gradient along with the loss, chunk by chunk.

    With a large vocabulary, the projection is the most expensive step of a small model. Autograd would store every
    logit and take its exponential twice; here it is taken once, while the logits of the chunk are in the cache.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, labels: Tensor, label_smoothing: float
    ) -> tuple[Tensor, Tensor]:
        d_hidden = torch.empty_like(hidden)
        d_weight = torch.zeros_like(weight, dtype=torch.float32)
        smoothed = hidden.new_zeros((), dtype=torch.float32)
        cross_entropy = hidden.new_zeros((), dtype=torch.float32)
        uniform = label_smoothing / weight.shape[0]
        weight = weight.to(hidden.dtype)
        size = CHUNK if hidden.device.type == "cpu" else _CHUNK_ELSEWHERE
        for start in range(0, len(hidden), size):
            h, label = hidden[start : start + size], labels[start : start + size, None]
            logits = (h @ weight.T).float()  # [token, V]
            peak, at_label, total = logits.amax(dim=-1, keepdim=True), logits.gather(1, label), logits.sum()
            exponentials = logits.sub_(peak).exp_()  # [token, V]
            sums = exponentials.sum(dim=-1, keepdim=True)  # [token, 1]
            normalizer = peak + sums.log()  # [token, 1]
            plain = (normalizer - at_label).sum()
            cross_entropy += plain
            smoothed += (1 - label_smoothing) * plain
            smoothed += label_smoothing * (normalizer.sum() - total / weight.shape[0])
            gradient = exponentials.div_(sums).sub_(uniform)  # [token, V]
            gradient.scatter_add_(1, label, gradient.new_full(label.shape, label_smoothing - 1))
            gradient = gradient.to(hidden.dtype)
            torch.mm(gradient, weight, out=d_hidden[start : start + size])
            d_weight += gradient.T @ h
        ctx.save_for_backward(d_hidden, d_weight)
        ctx.mark_non_differentiable(cross_entropy)
        return smoothed, cross_entropy

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None, None]:
        d_hidden, d_weight = ctx.saved_tensors
        return d_hidden * gradients[0].to(d_hidden.dtype), d_weight * gradients[0], None, None
