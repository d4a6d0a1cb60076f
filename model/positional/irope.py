"""Llama 4's iRoPE: rotary and NoPE layers, with a temperature by position (Meta 2025)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.base import Description, Parameter, QueryKey, StackSpec
from model.positional.none import NoPositionalEncoding
from model.positional.registry import register
from model.positional.rnope import EVERY, RNoPE
from model.positional.rotary import BASE


def position_temperature(positions: Int[Tensor, " query"], scale: float, floor: float) -> Float[Tensor, " query"]:
    """Return 1 + scale·ln(1 + ⌊(p + 1) / floor⌋) for each position p; it is 1 up to ``floor`` tokens."""
    return 1 + scale * torch.log1p(((positions + 1) / floor).floor())


class TemperedNoPE(NoPositionalEncoding):
    """No encoding, but queries grow with their position, so that long inputs stay sharp."""

    def __init__(self, stack: StackSpec, scale: float, floor: float) -> None:
        """Keep the constants of :func:`position_temperature`."""
        super().__init__(stack)
        self.scale = scale
        self.floor = floor

    def transform_query_key(
        self, qk: QueryKey
    ) -> tuple[Float[Tensor, "batch head query d_key"], Float[Tensor, "batch head key d_key"]]:
        """Return the queries times their temperature, and the unchanged keys."""
        temperature = position_temperature(qk.query_positions, self.scale, self.floor)
        return (qk.q * temperature[:, None]).to(qk.q.dtype), qk.k


@register
class IRoPE(RNoPE):
    """RNoPE whose NoPE layers sharpen the pattern with the logarithm of the position."""

    description = Description(
        name="irope",
        title="iRoPE (Llama 4)",
        explanation=(
            "iRoPE alternates layers with rotary positions and layers without any. In the latter, "
            "attention becomes sharper as the text grows."
        ),
        used_in=("Llama 4",),
        paper="Meta 2025, Llama 4; scaling after Nakanishi 2025, arXiv:2501.19399",
        year=2025,
        formula=(
            r"t_m = 1 + a \ln\!\left(1 + \left\lfloor \tfrac{m+1}{f} \right\rfloor\right), \quad "
            r"s_{mn} = \frac{1}{\sqrt{d}} \begin{cases} t_m\, q_m^{\top} k_n & \text{in layers } N, 2N, 3N, \dots \\ "
            r"q_m^{\top} R_{n-m} k_n & \text{in the others} \end{cases}"
        ),
        properties=RNoPE.description.properties,
        parameters=(
            BASE,
            EVERY,
            Parameter("scale", 0.1, 0.0, 10.0, "a: how fast the temperature grows"),
            Parameter("floor", 8192.0, 1.0, 65536.0, "f: tokens after which it grows", logarithmic=True),
        ),
        note=(
            "N is 2 unless it is changed; in Llama 4 it is 4, and its rotary layers read the text in chunks, which are "
            "left out here."
        ),
    )

    def __init__(
        self, stack: StackSpec, base: float = 10000.0, every: int = 2, scale: float = 0.1, floor: float = 8192.0
    ) -> None:
        """Keep the encoding of each kind of layer.

        Raises:
            ValueError: too few dimensions to rotate a pair.
        """
        super().__init__(stack, base, every)
        self.none = TemperedNoPE(stack, scale, floor)
