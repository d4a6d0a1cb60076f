"""The difference of two targets in log-probability, by token, and the source tokens that carry it."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.analysis.losses.log_probabilities import target_log_probabilities
from model.architectures.encoder_decoder import EncoderDecoder
from model.hooks import record
from model.text.padding import pad


@dataclass(frozen=True)
class Contrast:
    """Two targets of one source, with log P(first) − log P(second), the contrast, in nats.

    Attributes:
        first: log-probability of each token of the first, EOS included, given those before it.
        second: the same of the second.
        gradient: of the contrast by each source token's embedding, times that embedding (Shrikumar et al. 2016,
            arXiv:1605.01713; Yin and Neubig 2022, arXiv:2202.10419): to first order, what the token adds to it.
        left_out: by how much the contrast falls when that token is left out of the source; not a number for EOS,
            without which no source is read.
    """

    first: Float[Tensor, " first"]
    second: Float[Tensor, " second"]
    gradient: Float[Tensor, " source"]
    left_out: Float[Tensor, " source"]

    @property
    def total(self) -> float:
        """The contrast: above 0 where the first target is the more probable one."""
        return float(self.first.sum() - self.second.sum())


def contrast(model: EncoderDecoder, source: Sequence[int], first: Sequence[int], second: Sequence[int]) -> Contrast:
    """Return how ``model``, in evaluation mode, tells two targets apart.

    Args:
        model: which reads the source and both targets.
        source: tokens that end in EOS.
        first: a target without BOS, ending in EOS.
        second: the other.
    """
    targets = first, second
    with torch.enable_grad(), record("encoder.embedding") as seen:
        scores = [target_log_probabilities(model, _row(model, source), target)[0] for target in targets]
        embeddings = seen.every("encoder.embedding")  # of each target's own pass, [1, S, D]
        slopes = torch.autograd.grad(scores[0].sum() - scores[1].sum(), embeddings)
    gradient = sum((slope * x).sum(-1)[0] for slope, x in zip(slopes, embeddings, strict=True))  # [S]
    one, other = (score.detach() for score in scores)
    return Contrast(
        one,
        other,
        torch.as_tensor(gradient).detach(),
        _left_out(model, source, targets, float(one.sum() - other.sum())),
    )


@torch.inference_mode()
def _left_out(
    model: EncoderDecoder, source: Sequence[int], targets: tuple[Sequence[int], Sequence[int]], total: float
) -> Float[Tensor, " source"]:
    *tokens, eos = source
    without = [[*tokens[:place], *tokens[place + 1 :], eos] for place in range(len(tokens))]
    if not without:
        return torch.full((1,), torch.nan)
    rows = pad(without, model.config.pad_id).to(model.embedding.weight.device)  # [S − 1, S − 1]
    one, other = (target_log_probabilities(model, rows, target).sum(-1) for target in targets)  # [S − 1]
    return torch.cat((total - (one - other), one.new_full((1,), torch.nan)))


def _row(model: EncoderDecoder, source: Sequence[int]) -> Int[Tensor, "1 source"]:
    return torch.tensor([list(source)], device=model.embedding.weight.device)
