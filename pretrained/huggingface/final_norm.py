"""The end of any decoder of Transformers, known by what it computes: the residual stream, final norm and unembedding.

    logits = finish(unembed(scale · norm(residual)))

The unembedding is the model's output embedding, the norm is the layer outside of all others whose output it takes, and
``finish`` does nothing, scales (Cohere, Granite) or caps (Gemma 2). The ``scale`` is 1 but in T5 and its like.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.recording import looks_ahead
from pretrained.huggingface.weights import layer_of

Linear = Callable[[Tensor], Tensor]
# Of the largest number: what the order of a sum may change in float32.
_ROUNDING = 1e-4
_LAST_DIGITS = 1e-6


@dataclass(frozen=True)
class Call:
    """A module, what it took, [place, d_in], and what came out, [place, d_out]."""

    name: str
    module: nn.Module
    taken: Float[Tensor, "place d_in"]
    result: Float[Tensor, "place d_out"]


@dataclass
class Calls:
    """The calls of a run, in their order."""

    made: list[Call] = field(default_factory=list)

    def of(self, module: nn.Module) -> Call:
        """Return the last call of ``module``."""
        return next(call for call in reversed(self.made) if call.module is module)


@dataclass(frozen=True)
class DecoderEnd:
    """What a decoder ends with, and the residual stream of a run.

    Attributes:
        residuals: the input, and what is there after each layer.
        norm: the final norm.
        scale: by which the norm's output is multiplied.
        unembed: the layer that makes logits.
        finish: what is done with them.
        factor: by which ``finish`` scales; 1 where it caps.
        logits: of the run.
    """

    residuals: Float[Tensor, "depth place d_model"]
    norm: nn.Module
    scale: float
    unembed: nn.Module
    finish: Linear
    factor: float
    logits: Float[Tensor, "place vocabulary"]

    def logits_at(self, depth: int) -> Float[Tensor, "place vocabulary"]:
        """Return the logits of the residual at ``depth``."""
        return self.finish(self.unembed(self.scale * self.norm(self.residuals[depth][None]))[0])


@contextmanager
def calls_of(model: nn.Module) -> Iterator[Calls]:
    """Keep what every module of ``model`` takes and gives, where that is a tensor [1, place, d] or [place, d]."""
    calls = Calls()

    def look(name: str, module: nn.Module, arguments: tuple[Any, ...], output: Any) -> None:
        taken = _stream(arguments[0]) if arguments else None
        result = _stream(output[0] if isinstance(output, tuple) and output else output)
        if taken is not None and result is not None:
            # Some models, such as Falcon, go on computing in the same memory.
            calls.made.append(Call(name, module, taken, result.clone()))

    with ExitStack() as stack:
        for name, module in model.named_modules():
            stack.callback(module.register_forward_hook(partial(look, name)).remove)
        yield calls


def decoder_end(model: Any, inputs: dict[str, Tensor]) -> tuple[DecoderEnd, Calls, Any]:
    """Run ``model`` on ``inputs``, and return its end, all calls and its output.

    Of an encoder–decoder it is the decoder's, where ``inputs`` hold what that reads.

    Raises:
        ForeignModelError: no decoder, or one whose final norm or unembedding is not known.
    """
    unembed = model.get_output_embeddings()
    if unembed is None:
        raise ForeignModelError("no final norm", model=type(model).__name__)
    with calls_of(model) as calls:
        output = model(**inputs, output_attentions=True, output_hidden_states=True)
    end = _end_of(model, calls, output, unembed)
    maps = output.decoder_attentions if model.config.is_encoder_decoder else output.attentions
    if end is None or looks_ahead(model, inputs, maps or ()):
        raise ForeignModelError("no final norm", model=type(model).__name__)
    return end, calls, output


def frozen(norm: nn.Module, x: Float[Tensor, " d_model"]) -> tuple[Linear, Tensor] | None:
    """Return ``norm`` as it is at ``x`` with its scale frozen: a linear map, and its bias; None for anything else.

    A norm divides by a number that depends on all of ``x``; with that number as it is here, it is linear (Elhage et al.
    2021; TransformerLens calls it ``apply_ln_to_stack``). LayerNorm takes the mean off before, RMSNorm does not, and
    Gemma's keeps its weights minus one.
    """
    y = norm(x[None, None])[0, 0].double()
    x = x.double()
    offset = getattr(norm, "bias", None)
    bias = torch.zeros_like(y) if offset is None else offset.double()
    weight = getattr(norm, "weight", None)
    gains = [torch.ones_like(y)] if weight is None else [weight.double(), 1 + weight.double()]
    for is_centred in (True, False):
        for gain in gains:
            linear = partial(_scaled, gain=gain, is_centred=is_centred)
            shape = linear(x)
            scale = (shape @ (y - bias)) / (shape @ shape)
            if is_near(shape * scale + bias, y):
                return partial(_scaled, gain=gain * scale, is_centred=is_centred), bias
    return None


def _scaled(x: Tensor, *, gain: Tensor, is_centred: bool) -> Tensor:
    return (x - x.mean(dim=-1, keepdim=True) if is_centred else x) * gain


def _end_of(model: Any, calls: Calls, output: Any, unembed: nn.Module) -> DecoderEnd | None:
    states = output.decoder_hidden_states if model.config.is_encoder_decoder else output.hidden_states
    hidden = [state[0] for state in states or ()]
    before = [call for call in calls.made if call.module is not unembed]
    taken = next((call.taken for call in reversed(calls.made) if call.module is unembed), None)
    if not hidden or taken is None:
        return None
    norm = next(
        (
            call
            for call in reversed(before)
            if layer_of(f"{call.name}.") is None
            and not [*call.module.children()]
            and call.result.shape == taken.shape
            and not torch.equal(call.taken, call.result)
            and is_near(_share(taken, call.result) * call.result, taken)
        ),
        None,
    )
    # The last state that a model hands out is before its final norm or after it.
    if norm is None or not any(torch.equal(hidden[-1], state) for state in (norm.taken, norm.result, taken)):
        return None
    raw, logits = calls.of(unembed).result, output.logits[0]
    finish, factor = _finish(raw, logits, model.config.get_text_config())
    if finish is None:
        return None
    residuals = torch.stack([*hidden[:-1], norm.taken])
    return DecoderEnd(residuals, norm.module, _share(taken, norm.result), unembed, finish, factor, logits)


def _finish(raw: Tensor, logits: Tensor, config: Any) -> tuple[Linear | None, float]:
    if is_near(raw, logits):
        return (lambda numbers: numbers), 1.0
    cap = getattr(config, "final_logit_softcapping", None) or getattr(config, "logits_soft_cap", None)
    if cap and is_near((raw / cap).tanh() * cap, logits):
        return (lambda numbers: (numbers / cap).tanh() * cap), 1.0
    factor = _share(logits, raw)
    return ((lambda numbers: numbers * factor) if is_near(raw * factor, logits) else None), factor


def _share(of: Tensor, one: Tensor) -> float:
    """Return by which number ``one`` is nearest to ``of``, exactly 1 where they are the same."""
    return 1.0 if torch.equal(of, one) else float((one * of).sum() / (one * one).sum())


def _stream(value: Any) -> Tensor | None:
    if not isinstance(value, Tensor) or not value.is_floating_point():
        return None
    whole = value[0] if value.ndim == 3 and value.shape[0] == 1 else value
    return whole if whole.ndim == 2 else None


def is_near(one: Tensor, other: Tensor, *, of: float = 0.0) -> bool:
    """Return whether both are the same numbers, but for the order of a sum; where terms are as large as ``of``."""
    return bool((one - other).abs().max() <= _ROUNDING * other.abs().max() + _LAST_DIGITS * of)
