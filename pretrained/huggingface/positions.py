"""How other people's models encode positions: what their weights and their configuration hold of it."""

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from model.positional import PositionalEncoding, StackSpec
from model.positional.alibi import ALiBi, alibi_slopes
from model.positional.learned import LearnedEncoding
from model.positional.rotary import RotaryEncoding
from model.positional.t5 import T5Bias
from pretrained.huggingface.errors import ForeignModelError
from pretrained.huggingface.foreign_positions import ForeignPositions
from pretrained.huggingface.rotary import stretched_frequencies, trained_context

_TABLE = re.compile(r"(?:^|\.)(?:position_embeddings|positions_embed|wpe|embed_positions)$")
_ALIBI = {"bloom", "mpt"}
_ROTATES_SOME = {"codegen", "gptj"}
# Its table of sinusoids is what rotates.
_ROTATES_BY_TABLE = {"roformer"}
_BASE = 10_000.0


class _Stretched(RotaryEncoding):
    """Rotary with frequencies of somebody else."""

    def __init__(self, stack: StackSpec, frequencies: Tensor, amplitude: float) -> None:
        super().__init__(stack)
        self.amplitude = amplitude
        self._frequencies = frequencies

    def frequencies(self) -> Tensor:
        return self._frequencies


def positions_of(model: nn.Module) -> tuple[ForeignPositions, ...]:
    """Return how ``model``, of Transformers, encodes positions.

    Raises:
        ForeignModelError: it does so in no way that is known here.
    """
    # Falcon names a rotary base in any case, and uses it where it has no slopes.
    config = model.config.get_text_config()  # type: ignore[operator, union-attr]
    tables = () if config.model_type in _ROTATES_BY_TABLE else _tables(model)
    positions = (*tables, *_buckets(model), *(_slopes(config) or _rotary(config)))
    if not positions:
        raise ForeignModelError("no positions", model=type(model).__name__)
    return positions


def as_encoding(positions: ForeignPositions) -> tuple[PositionalEncoding, StackSpec]:
    """Return ``positions`` as the encoding of ours that computes the same, and the stack that it is for.

    Raises:
        ValueError: numbers that no encoding can have.
    """
    stack, values = _stack_of(positions), torch.from_numpy(np.array(positions.values))
    encoding: PositionalEncoding
    match positions.kind:
        case "table":
            encoding = LearnedEncoding(stack, max_length=len(values))
            encoding.table = nn.Parameter(values)
        case "buckets":
            encoding = T5Bias(stack, n_buckets=len(values), max_distance=int(positions.settings["max_distance"]))
            encoding.table = nn.Parameter(values)
        case "rotary":
            if 2 * len(values) > stack.d_key or not values.isfinite().all():
                raise ValueError(f"{len(values)} pairs are rotated of {stack.d_key} dimensions")
            encoding = _Stretched(stack, values, positions.settings["amplitude"])
        case "slopes":
            encoding = ALiBi(stack)
            encoding.slopes = values
    return encoding.eval(), stack


def _stack_of(positions: ForeignPositions) -> StackSpec:
    if positions.kind == "table":
        n_heads, d_key = 1, positions.values.shape[1]
    elif positions.kind == "rotary":
        n_heads, d_key = 1, int(positions.settings["d_key"])
    else:
        # A bias needs no queries and keys: any size of them does.
        n_heads, d_key = positions.values.shape[-1], 2
    is_causal = bool(positions.settings.get("causal", 0))
    return StackSpec(n_heads * d_key, n_heads, d_key, d_key, n_layers=1, causal=is_causal)


def _tables(model: nn.Module) -> Iterator[ForeignPositions]:
    for name, module in model.named_modules():
        if not _TABLE.search(name):
            continue
        # M2M and its like keep sinusoids as a buffer called weights. Rows before the first position are of padding.
        is_embedding = isinstance(module, nn.Embedding)
        table = getattr(module, "weight" if is_embedding else "weights", None)
        padding = getattr(module, "padding_idx", None) if is_embedding else None
        first = getattr(module, "offset", 0) if padding is None else padding + 1
        if isinstance(table, Tensor) and table.ndim == 2:
            yield ForeignPositions("table", name, _numbers(table[first:]))


def _buckets(model: nn.Module) -> Iterator[ForeignPositions]:
    seen = set()
    for name, module in model.named_modules():
        bias = getattr(module, "relative_attention_bias", None)
        longest = getattr(module, "relative_attention_max_distance", None)
        place = name.partition(".")[0]
        # Where every layer has one, the first.
        if not isinstance(bias, nn.Embedding) or longest is None or place in seen:
            continue
        seen.add(place)
        is_causal = bool(getattr(module, "is_decoder", False))
        settings = {"max_distance": longest, "causal": float(is_causal)}
        yield ForeignPositions("buckets", place, _numbers(bias.weight), settings=settings)


def _rotary(config: Any) -> Iterator[ForeignPositions]:
    rope = getattr(config, "rope_parameters", None) or _named_by_model(config)
    # Some models rotate differently in layers of different kinds.
    by_layer = {"": rope} if "rope_type" in rope else rope
    context = int(getattr(config, "max_position_embeddings", 0) or 0)
    for place, parameters in by_layer.items():
        if not parameters:
            continue
        d_key = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        n_rotated = parameters.get("n_rotated") or int(d_key * parameters.get("partial_rotary_factor", 1.0))
        scaling = parameters["rope_type"]
        # Dynamic NTK is shown at the length that its factor stands for.
        length = round(context * parameters.get("factor", 1)) if scaling == "dynamic" else context
        stretched = stretched_frequencies(parameters, n_rotated, context, length)
        if stretched is None:
            raise ForeignModelError("unknown scaling", scaling=str(scaling)[:40].replace("`", "'"))
        frequencies, amplitude = stretched
        plain, _ = (
            stretched_frequencies({**parameters, "rope_type": "default"}, n_rotated, context, context) or stretched
        )
        settings = {
            "d_key": d_key,
            "amplitude": amplitude,
            "base": parameters["rope_theta"],
            "factor": parameters.get("factor") or 1.0,
            "trained": trained_context(parameters, context),
            "context": length,
        }
        yield ForeignPositions(
            "rotary", place, frequencies.numpy(), plain=plain.numpy(), settings=settings, scaling=scaling
        )


def _named_by_model(config: Any) -> dict[str, Any]:
    """Return the rotation of models whose configurations name no base: GPT-J and CodeGen, RoFormer, and ESM."""
    if config.model_type in _ROTATES_SOME:
        return {"rope_type": "default", "rope_theta": _BASE, "n_rotated": config.rotary_dim}
    rotates = config.model_type in _ROTATES_BY_TABLE or getattr(config, "position_embedding_type", "") == "rotary"
    return {"rope_type": "default", "rope_theta": getattr(config, "rope_theta", _BASE)} if rotates else {}


def _slopes(config: Any) -> tuple[ForeignPositions, ...]:
    of_attention = getattr(config, "attn_config", None)
    has_slopes = getattr(config, "alibi", False) or getattr(of_attention, "alibi", False)
    if config.model_type not in _ALIBI and not has_slopes:
        return ()
    heads = (getattr(config, name, None) for name in ("n_head", "n_heads", "num_attention_heads"))
    # MPT names the exponent of the last head, which is 8 in the paper.
    exponent = getattr(of_attention, "alibi_bias_max", 8)
    n_heads = next(filter(None, heads))
    slopes = alibi_slopes(n_heads) ** (exponent / 8)
    if config.model_type == "falcon":
        # It adds the bias before the scores are divided by √d_head.
        slopes = slopes / math.sqrt(config.hidden_size / n_heads)
    return (ForeignPositions("slopes", "", _numbers(slopes), settings={"causal": 1.0}),)


def _numbers(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()
