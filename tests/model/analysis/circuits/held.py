"""Small models with biases, their texts, and a pass of them with everything held that makes them no linear map."""

from collections.abc import Callable, Mapping
from typing import Literal

import torch
from torch import Tensor, nn

from model.analysis.circuits.frozen_pass import Reader
from model.architectures.decoder_only import DecoderOnly
from model.architectures.encoder_decoder import EncoderDecoder
from model.architectures.layers import FeedForward
from model.config import DecoderOnlyConfig
from model.hooks import intervene, record
from model.positional.base import PositionalConfig

SOURCE, TARGET = torch.tensor([[4, 9, 6, 7, 3]]), torch.tensor([[2, 5, 8, 8]])
STEP, TOKEN, FOIL = 2, 8, 7


def with_biases(model: nn.Module) -> nn.Module:
    """Draw the norms and biases of ``model``, which begin at 1 and 0."""
    torch.manual_seed(2)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name or name.endswith("bias"):
                parameter.add_(torch.randn_like(parameter) / 3)
    return model.eval()


def translator(make_model: Callable[..., EncoderDecoder]) -> tuple[nn.Module, Reader]:
    """Return an encoder–decoder, and what reads both texts with it."""
    model = with_biases(make_model(norm="pre"))
    return model, lambda rows: model(SOURCE.expand(rows, -1), TARGET.expand(rows, -1))


def decoder(encoding: str, norm: Literal["pre", "post"] = "pre") -> tuple[nn.Module, Reader]:
    """Return a decoder with ``encoding``, and what reads the target with it."""
    config = DecoderOnlyConfig(
        vocabulary_size=11,
        d_model=16,
        n_heads=2,
        d_key=6,
        d_value=6,
        d_ff=24,
        n_layers=3,
        norm=norm,
        positional=PositionalConfig(encoding),
    )
    torch.manual_seed(3)
    model = with_biases(DecoderOnly(config))
    return model, lambda rows: model(TARGET.expand(rows, -1))


class Held:
    """Runs a model with the patterns, norm scales and gates of a first pass, whatever else is edited."""

    def __init__(self, model: nn.Module, read: Reader) -> None:
        self.model, self.read = model, read
        with torch.no_grad(), record("*") as self.seen:
            self.logits = read(1)[0]

    @torch.no_grad()
    def __call__(self, edits: Mapping[str, Callable[[Tensor], Tensor]]) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Return the logits, and what passed the hook points, with ``edits``."""
        constant = {name: self._kept(name) for name in self.seen if name.endswith((".pattern", ".norm_scale"))}
        blocks = [module for module in self.model.modules() if isinstance(module, FeedForward)]
        handles = [block.W_1.register_forward_hook(self._keep_before_relu) for block in blocks]
        handles += [
            block.W_2.register_forward_pre_hook(self._hidden(f"{block.name}.hidden", edits)) for block in blocks
        ]
        others = {name: edit for name, edit in edits.items() if not name.endswith(".hidden")}
        try:
            with intervene({**constant, **others}), record("*") as seen:
                logits = self.read(1)[0]
        finally:
            for handle in handles:
                handle.remove()
        return logits, seen

    @torch.no_grad()
    def hidden_of(self, point: str, seen: Mapping[str, Tensor]) -> Tensor:
        """Return the hidden units at ``point`` of a pass in which ``seen`` was seen, behind the first pass's gates."""
        block = next(module for module in self.model.modules() if f"{getattr(module, 'name', '')}.hidden" == point)
        (layer,) = [one for one in self.model.modules() if getattr(one, "feed_forward", None) is block]
        norm = layer.feed_forward_residual.norm
        x = seen[f"{block.name}.residual_before"][0]
        centred = (x - x.mean(-1, keepdim=True)) * self.seen[f"{block.name}.norm_scale"][0]
        return ((centred * norm.weight + norm.bias) @ block.W_1.weight.T + block.W_1.bias) * (self.seen[point][0] > 0)

    def _kept(self, name: str) -> Callable[[Tensor], Tensor]:
        return lambda _: self.seen[name]

    def _keep_before_relu(self, _: object, __: object, out: Tensor) -> None:
        self.before_relu = out

    def _hidden(self, name: str, edits: Mapping[str, Callable[[Tensor], Tensor]]) -> Callable[..., tuple[Tensor]]:
        def gated(_: object, __: object) -> tuple[Tensor]:
            hidden = self.before_relu * (self.seen[name] > 0)
            return (edits.get(name, lambda x: x)(hidden),)

        return gated
