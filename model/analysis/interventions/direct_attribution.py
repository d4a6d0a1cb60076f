"""Direct attribution: by how much each part of a decoder raised one token's logit above another's.

With pre-norm the last residual is a sum: token embedding, position, and what every block has added. Its final LayerNorm
divides by a standard deviation; with that taken as it was in this run, the norm is linear, and so is the projection to
the vocabulary. The difference of two logits is then a sum with a term for each part (Elhage et al. 2021, "A
Mathematical Framework for Transformer Circuits"; Wang et al. 2023, arXiv:2211.00593, §3). It counts what a part says
to the output itself, and leaves out what it says to later parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from model.analysis.interventions.ablation import DECODER_POSITIONS, Part
from model.architectures.encoder_decoder import EncoderDecoder
from model.config import AnyConfig, EncoderDecoderConfig
from model.hooks import Recording, record

EMBEDDING = "decoder.embedding"
ATTENTION = ("self_attention", "cross_attention")


class NotASumError(ValueError):
    """A residual stream that is no sum of what its parts have written; ``norm`` and ``residual`` say why."""

    def __init__(self, norm: str, residual: str) -> None:
        """Keep what the model has instead."""
        super().__init__(
            f"the model has norm {norm!r} and residual {residual!r}; what its parts have added is told apart with norm "
            "'pre' and residual 'add', where the residual stream is their sum"
        )
        self.norm, self.residual = norm, residual


def refuse_unless_sum(model: nn.Module) -> None:
    """Raise NotASumError unless the residual streams of ``model`` are the sums of what its parts write."""
    config: AnyConfig = model.config  # type: ignore[assignment]  # every model has one
    residual = config.residual if isinstance(config, EncoderDecoderConfig) else "add"
    if config.norm != "pre" or residual != "add":
        raise NotASumError(config.norm, residual)


@dataclass(frozen=True)
class DirectAttribution:
    """The contribution of every part of a decoder to its output, at each step of a target.

    Attributes:
        parts: token embedding, position if it is added, then by layer each head of self-attention, each head of
            cross-attention, and the feed-forward block with its biases.
        written: what each part has added to the decoder's output, its final norm frozen.
        bias: of the final norm, which is added at every step.
        unembedding: the table that the output is projected with.
        logits: of the run itself.
    """

    parts: tuple[Part, ...]
    written: Float[Tensor, "part position d_model"]
    bias: Float[Tensor, " d_model"]
    unembedding: Float[Tensor, "vocabulary d_model"]
    logits: Float[Tensor, "position vocabulary"]

    def contributions(self, step: int, token: int, foil: int) -> Float[Tensor, " part"]:
        """Return what each part adds to the logit of ``token`` minus that of ``foil``, at ``step`` from 0."""
        return self.written[:, step] @ self._direction(token, foil)  # [part]

    def of_bias(self, token: int, foil: int) -> float:
        """Return the same of the final norm's bias."""
        return float(self.bias @ self._direction(token, foil))

    def difference(self, step: int, token: int, foil: int) -> float:
        """Return the difference of the two logits in the run itself, which all contributions sum to."""
        return float(self.logits[step, token] - self.logits[step, foil])

    def _direction(self, token: int, foil: int) -> Float[Tensor, " d_model"]:
        return self.unembedding[token] - self.unembedding[foil]


def decoder_parts(config: EncoderDecoderConfig, *, has_positions: bool) -> tuple[Part, ...]:
    """Return the parts that write into the decoder's residual stream, in the order in which they do."""
    return (
        Part(EMBEDDING),
        *([Part(DECODER_POSITIONS)] if has_positions else []),
        *(
            part
            for layer in range(config.n_decoder_layers)
            for part in (
                *(Part(f"decoder.{layer}.{block}.z", head) for block in ATTENTION for head in range(config.n_heads)),
                Part(f"decoder.{layer}.feed_forward.output"),
            )
        ),
    )


@torch.inference_mode()
def direct_attribution(model: EncoderDecoder, source: Sequence[int], target: Sequence[int]) -> DirectAttribution:
    """Return what every part of the decoder of ``model`` writes at each step of ``target``, in one pass.

    Sums are taken in double precision, so that what is left over is the rounding of the pass itself.

    Args:
        model: pre-norm, in evaluation mode.
        source: tokens that end in EOS.
        target: tokens without BOS; at each step the decoder has read those before it.

    Raises:
        NotASumError: with post-norm, or without residual connections.
    """
    config, norm, device = model.config, model.decoder.final_norm, model.embedding.weight.device
    refuse_unless_sum(model)
    assert isinstance(norm, nn.LayerNorm)
    read = torch.tensor([[config.bos_id, *target[:-1]]], device=device)
    with record(EMBEDDING, DECODER_POSITIONS, "decoder.*.z", "decoder.*.residual_after", "decoder.*.output") as seen:
        logits: Tensor = model(torch.tensor([list(source)], device=device), read)[0]  # [P, V]
    parts = decoder_parts(config, has_positions=DECODER_POSITIONS in seen)
    added = torch.stack([_added(part, seen, model) for part in parts])  # [part, P, D]
    last = seen[f"decoder.{config.n_decoder_layers - 1}.feed_forward.residual_after"][0].double()  # [P, D]
    deviation = (last.var(-1, correction=0) + norm.eps).sqrt()[:, None]  # [P, 1]
    written = (added - added.mean(-1, keepdim=True)) / deviation * norm.weight.double()  # [part, P, D]
    unembedding = model.embedding.weight.detach()
    return DirectAttribution(
        parts, written.cpu(), norm.bias.detach().double().cpu(), unembedding.double().cpu(), logits.double().cpu()
    )


def _added(part: Part, seen: Recording, model: EncoderDecoder) -> Float[Tensor, "position d_model"]:
    """Return what ``part`` has added to the residual stream."""
    x = seen[part.point].double()
    if part.head is None:
        return x.reshape(-1, x.shape[-1])  # [P, D]
    _, layer, block, _ = part.point.split(".")
    W_O: Tensor = getattr(model.decoder.layers[int(layer)], block).W_O.weight.double()  # [D, H E]
    by_head = W_O.reshape(len(W_O), model.config.n_heads, -1)  # [D, H, E]
    added: Tensor = x[0, part.head] @ by_head[:, part.head].T  # [P, D]
    return added
