"""The logit lens: the prediction after each block of a decoder (nostalgebraist 2020).

Every residual is read as the last one is: final norm, then the projection to the vocabulary. No layer but the last was
trained to be read so, and what an early one says is worth less than where it begins to agree (Belrose et al. 2023,
arXiv:2303.08112, learn a map for each layer instead).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.architectures.encoder_decoder import EncoderDecoder
from model.config import EncoderDecoderConfig
from model.hooks import record

_BLOCKS = ("self_attention", "cross_attention", "feed_forward")


@dataclass(frozen=True)
class Lens:
    """The prediction of each residual at each step of a target.

    Attributes:
        points: the hook points of the residuals, from the decoder's input to its last block.
        tokens: the most probable tokens, the most probable first.
        probabilities: theirs.
        of_target: the probability of the target's own token.
    """

    points: tuple[str, ...]
    tokens: Int[Tensor, "point position n"]
    probabilities: Float[Tensor, "point position n"]
    of_target: Float[Tensor, "point position"]


def residual_points(config: EncoderDecoderConfig) -> tuple[str, ...]:
    """Return the hook points of the decoder's residual stream: its input, and after each block."""
    layers = range(config.n_decoder_layers)
    return (
        "decoder.input",
        *(f"decoder.{layer}.{block}.residual_after" for layer in layers for block in _BLOCKS),
    )


@torch.inference_mode()
def logit_lens(model: EncoderDecoder, source: Sequence[int], target: Sequence[int], n: int) -> Lens:
    """Return what every residual of the decoder of ``model`` says of ``target``, in one pass.

    Args:
        model: in evaluation mode.
        source: tokens that end in EOS.
        target: tokens without BOS; at each step the decoder has read those before it.
        n: tokens to return at each step; all where the vocabulary has fewer.
    """
    device, points = model.embedding.weight.device, residual_points(model.config)
    read = torch.tensor([[model.config.bos_id, *target[:-1]]], device=device)
    written = torch.tensor(list(target), device=device)[:, None]  # [P, 1]
    with record(*points) as seen:
        model(torch.tensor([list(source)], device=device), read)
    tokens, probabilities, of_target = [], [], []
    for point in points:
        spoken = model.project(model.decoder.final_norm(seen[point]))[0].softmax(-1)  # [P, V]
        best = spoken.topk(min(n, spoken.shape[1]))
        tokens.append(best.indices)
        probabilities.append(best.values)
        of_target.append(spoken.gather(1, written)[:, 0])
    return Lens(points, torch.stack(tokens).cpu(), torch.stack(probabilities).cpu(), torch.stack(of_target).cpu())


@torch.inference_mode()
def raised_tokens(model: EncoderDecoder, written: Float[Tensor, "vector d_model"], n: int) -> Int[Tensor, "vector n"]:
    """Return the ``n`` tokens whose logits each vector that the decoder writes raises most, by itself.

    The final norm centres them first, and scales every dimension by a weight of its own.
    """
    norm = model.decoder.final_norm
    centred = written - written.mean(dim=1, keepdim=True)
    scaled = centred * norm.weight if isinstance(norm, nn.LayerNorm) else written
    return (scaled @ model.embedding.weight.T).topk(n, dim=1).indices
