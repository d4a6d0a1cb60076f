"""R-Drop (Liang et al. 2021, arXiv:2106.14448): two passes with other dropout shall predict alike."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.encoder_decoder import EncoderDecoder
from model.training.loss import CHUNK, TokenLoss, predicting_states


def r_drop_loss(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    target: Int[Tensor, "batch target"],
    *,
    label_smoothing: float,
    weight: float,
) -> TokenLoss:
    """Return the mean loss of two passes over the same batch, and what they differ by.

    To the mean of both smoothed cross-entropies comes ``weight`` / 2 times the mean of the two Kullback–Leibler
    divergences of one pass from the other: half of the paper's equation 4, so that a loss is as large as without. The
    plain cross-entropy is the mean of both.
    """
    hidden, labels = predicting_states(model, source.repeat(2, 1), target.repeat(2, 1))  # [2 N, D], [2 N]
    n = len(labels) // 2
    losses = _ProjectedRDrop.apply(  # type: ignore[no-untyped-call]  # by torch
        hidden, model.embedding.weight, labels[:n], (label_smoothing, weight)
    )
    smoothed, cross_entropy = losses
    return TokenLoss(smoothed, cross_entropy, n)


class _ProjectedRDrop(torch.autograd.Function):
    """Computes the gradient along with the loss, chunk by chunk, as the loss without a second pass does."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Float[Tensor, "both d_model"],
        vocabulary: Float[Tensor, "vocabulary d_model"],
        labels: Int[Tensor, " token"],
        factors: tuple[float, float],
    ) -> tuple[Tensor, Tensor]:
        label_smoothing, weight = factors
        d_hidden = torch.empty_like(hidden)
        d_vocabulary = torch.zeros_like(vocabulary, dtype=torch.float32)
        smoothed = hidden.new_zeros((), dtype=torch.float32)
        cross_entropy = hidden.new_zeros((), dtype=torch.float32)
        vocabulary = vocabulary.to(hidden.dtype)
        both, d_both = hidden.chunk(2), d_hidden.chunk(2)  # [token, D] each
        for start in range(0, len(labels), CHUNK):
            chunk = slice(start, start + CHUNK)
            label = labels[chunk, None]
            logs = [(one[chunk] @ vocabulary.T).float().log_softmax(-1) for one in both]  # [token, V] each
            for log, other, states, d_states in zip(logs, reversed(logs), both, d_both, strict=True):
                share, difference = log.exp(), log - other  # [token, V]
                divergence = (share * difference).sum(-1, keepdim=True)  # [token, 1]
                plain = -log.gather(1, label).sum()
                cross_entropy += plain / 2
                smoothed += ((1 - label_smoothing) * plain - label_smoothing * log.mean(-1).sum()) / 2
                smoothed += weight / 4 * divergence.sum()
                # Of its own divergence from the other, and of the other's from it.
                gradient = (weight / 4) * (share * (difference - divergence) + share - other.exp())
                gradient += (share - label_smoothing / log.shape[1]) / 2
                gradient.scatter_add_(1, label, gradient.new_full(label.shape, (label_smoothing - 1) / 2))
                gradient = gradient.to(states.dtype)
                torch.mm(gradient, vocabulary, out=d_states[chunk])
                d_vocabulary += gradient.T @ states[chunk]
        ctx.save_for_backward(d_hidden, d_vocabulary)
        ctx.mark_non_differentiable(cross_entropy)
        return smoothed, cross_entropy

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None, None]:
        d_hidden, d_vocabulary = ctx.saved_tensors
        return d_hidden * gradients[0].to(d_hidden.dtype), d_vocabulary * gradients[0], None, None
