"""Rotary frequencies of other people's models: of their base, and as their configuration stretches them."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from model.positional.angles import geometric_frequencies
from model.positional.rotary_interpolation import interpolated_frequencies
from model.positional.rotary_ntk import ntk_aware_base
from model.positional.rotary_yarn import pair_with_turns, yarn_amplitude

Parameters = Mapping[str, Any]
Stretched = tuple[Float[Tensor, " pair"], float]
"""The frequencies, and the factor of rotated queries and keys."""


def stretched_frequencies(parameters: Parameters, n_rotated: int, context: int, length: int) -> Stretched | None:
    """Return the frequencies that the ``parameters`` of a configuration ask for; None for a kind that is not known.

    Args:
        parameters: ``rope_parameters`` of Transformers, for one kind of layer.
        n_rotated: dimensions of a head that are rotated.
        context: the longest text that the configuration names.
        length: of the text; of all kinds, dynamic NTK alone depends on it.
    """
    stretch = _KINDS.get(parameters["rope_type"])
    return None if stretch is None else stretch(parameters, n_rotated, context, length)


def trained_context(parameters: Parameters, context: int) -> int:
    """Return the length before the stretch; ``context`` where the configuration does not name it."""
    named = parameters.get("original_max_position_embeddings")
    if named:
        return int(named)
    # Linear scaling reaches the context, dynamic NTK begins there.
    return round(context / parameters["factor"]) if parameters["rope_type"] == "linear" else context


def _default(parameters: Parameters, n_rotated: int, *_: int) -> Stretched:
    return geometric_frequencies(n_rotated, parameters["rope_theta"]), 1.0


def _linear(parameters: Parameters, n_rotated: int, *_: int) -> Stretched:
    """Chen et al. 2023, equation 4."""
    plain, amplitude = _default(parameters, n_rotated)
    return interpolated_frequencies(plain, parameters["factor"]), amplitude


def _dynamic(parameters: Parameters, n_rotated: int, context: int, length: int) -> Stretched:
    """Peng et al. 2023, section 3.3: the factor grows with the text, from 1 at the context."""
    factor = parameters["factor"] * max(length, context) / context - (parameters["factor"] - 1)
    return geometric_frequencies(n_rotated, ntk_aware_base(parameters["rope_theta"], factor, n_rotated)), 1.0


def _yarn(parameters: Parameters, n_rotated: int, context: int, _: int) -> Stretched:
    """Peng et al. 2023, equations 17 to 22."""
    base, original = parameters["rope_theta"], parameters["original_max_position_embeddings"]
    factor = parameters.get("factor") or context / original
    fast, slow = parameters.get("beta_fast") or 32, parameters.get("beta_slow") or 1
    low, high = (pair_with_turns(turns, n_rotated, base, original) for turns in (fast, slow))
    if parameters.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, n_rotated - 1)
    pairs = torch.arange(n_rotated // 2, dtype=torch.float64)
    share = ((pairs - low) / (high - low or 0.001)).clamp(0, 1)
    plain, _amplitude = _default(parameters, n_rotated)
    return (1 - share) * plain + share * interpolated_frequencies(plain, factor), _yarn_amplitude(parameters, factor)


def _yarn_amplitude(parameters: Parameters, factor: float) -> float:
    attention_factor = parameters.get("attention_factor")
    if attention_factor is not None:
        return float(attention_factor)
    if factor <= 1:
        return 1.0
    scales = [float(parameters.get(name) or 0) for name in ("mscale", "mscale_all_dim")]
    if all(scales):
        # DeepSeek's: the logarithm is weighed, and a part of it is taken back elsewhere.
        above, below = (0.1 * scale * math.log(factor) + 1 for scale in scales)
        return above / below
    return yarn_amplitude(factor)


def _llama3(parameters: Parameters, n_rotated: int, *_: int) -> Stretched:
    """Dubey et al. 2024, section 3.4.2, as Meta's code has it: by the turns of a pair within the trained length."""
    plain, amplitude = _default(parameters, n_rotated)
    turns = parameters["original_max_position_embeddings"] * plain / (2 * math.pi)
    low, high = parameters["low_freq_factor"], parameters["high_freq_factor"]
    kept = ((turns - low) / (high - low)).clamp(0, 1)
    return kept * plain + (1 - kept) * interpolated_frequencies(plain, parameters["factor"]), amplitude


_KINDS: dict[str, Callable[[Parameters, int, int, int], Stretched]] = {
    "default": _default,
    "linear": _linear,
    "dynamic": _dynamic,
    "yarn": _yarn,
    "llama3": _llama3,
}
