"""xPos: rotary with an exponential decay of distance (Sun et al. 2022)."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from model.positional.angles import geometric_frequencies
from model.positional.base import (
    Description,
    EncodingError,
    Parameter,
    PositionalEncoding,
    Properties,
    QueryKey,
    StackSpec,
)
from model.positional.registry import register
from model.positional.rotary import BASE, rotate, rotated_dimensions

# Of the largest exponent: the rest is room for the product of a query and a key.
_LARGEST = 0.9


def xpos_decay(n_rotated: int, gamma: float = 0.4) -> Float[Tensor, " pair"]:
    """Return ζ_i = (2i/d + γ) / (1 + γ): fast pairs decay sooner (equation 16 and algorithm 1)."""
    even = torch.arange(0, n_rotated, 2, dtype=torch.float64)  # 2i
    return (even / n_rotated + gamma) / (1 + gamma)


def xpos_amplitude(
    offsets: Float[Tensor, " position"], decay: Float[Tensor, " pair"], scale_base: float
) -> Float[Tensor, "position pair"]:
    """Return ζ_i^{n / scale_base} for each offset n."""
    return decay ** (offsets[:, None] / scale_base)


@register
class XPos(PositionalEncoding):
    """Rotate queries and keys, multiply queries by ζ^n and keys by ζ^{−m}: q·k decays as ζ^{n−m}.

    The paper is causal. In bidirectional attention, keys after the query grow as those before it decay, by at most
    1/ζ_0 every ``scale_base`` positions.
    """

    description = Description(
        name="xpos",
        title="xPos",
        explanation=(
            "xPos is rotary that fades: besides turning queries and keys, it scales them so that a "
            "score becomes smaller with the distance."
        ),
        paper="Sun et al. 2022, §2.2, arXiv:2212.10554",
        year=2022,
        formula=(
            r"q'_n = \zeta^{\,n/B} R_n q_n,\; k'_m = \zeta^{-m/B} R_m k_m, \quad "
            r"\zeta_i = \frac{2i/d + \gamma}{1 + \gamma},\; q_n'^{\top} k'_m \propto \zeta^{(n-m)/B}"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("queries and keys",),
            learned=False,
            decay="bounded",
            # Its slow pairs hardly fade: unseen angles enter at nearly full size. The paper adds blockwise attention.
            extrapolates="no",
            tells_direction=True,
            published_for="causal",
        ),
        parameters=(
            BASE,
            Parameter(
                "scale_base", 512.0, 1.0, 65536.0, "B: distance over which pair i fades by ζ_i", logarithmic=True
            ),
            Parameter("gamma", 0.4, 0.01, 10.0, "γ: how alike the pairs fade", logarithmic=True),
        ),
        note="The paper's blockwise attention for longer inputs is left out.",
    )

    def __init__(self, stack: StackSpec, base: float = 10000.0, scale_base: float = 512.0, gamma: float = 0.4) -> None:
        """Keep the ``base`` of the rotation and the constants of the decay.

        Raises:
            ValueError: too few dimensions to rotate a pair.
        """
        super().__init__()
        self.base = base
        self.scale_base = scale_base
        self.gamma = gamma
        self.n_rotated = rotated_dimensions(stack.d_key)

    def transform_query_key(
        self, qk: QueryKey
    ) -> tuple[Float[Tensor, "batch head query d_key"], Float[Tensor, "batch head key d_key"]]:
        """Return rotated queries and keys with their amplitudes.

        The amplitudes count positions from the middle of the keys: q·k stays the same, and ζ^{−n} overflows later.

        Raises:
            EncodingError: so many positions that scores could overflow.
        """
        self._check_span(qk)
        frequencies = geometric_frequencies(self.n_rotated, self.base)
        middle = (int(qk.key_positions[0]) + int(qk.key_positions[-1])) // 2
        grown = self._amplitude(qk.query_positions - middle, qk.q.dtype)  # [Q, pair]
        shrunk = self._amplitude(middle - qk.key_positions, qk.k.dtype)  # [K, pair]
        return (
            rotate(qk.q, qk.query_positions, frequencies, grown),
            rotate(qk.k, qk.key_positions, frequencies, shrunk),
        )

    def _check_span(self, qk: QueryKey) -> None:
        positions = torch.cat((qk.query_positions, qk.key_positions))
        n_positions = int(positions.max() - positions.min()) + 1
        rate = -math.log(float(xpos_decay(self.n_rotated, self.gamma)[0])) / self.scale_base
        if rate * n_positions > _LARGEST * math.log(torch.finfo(qk.q.dtype).max):
            raise EncodingError(
                "scores overflow", n_positions=n_positions, scale_base=self.scale_base, gamma=self.gamma
            )

    def _amplitude(self, offsets: Tensor, dtype: torch.dtype) -> Tensor:
        precise = torch.promote_types(dtype, torch.float32)
        decay = xpos_decay(self.n_rotated, self.gamma).to(precise).to(offsets.device)
        return xpos_amplitude(offsets.to(precise), decay, self.scale_base)
