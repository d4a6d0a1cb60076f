"""Sandwich, the inner product of two sinusoidal encodings as a bias (Chi et al. 2022)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.angles import geometric_frequencies, sines_and_cosines
from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register


def sandwich_bias(
    distance: Int[Tensor, "query key"], compression: Float[Tensor, " head"], d_bar: int, base: float
) -> Float[Tensor, "1 head query key"]:
    """Return (Σ_{k=1…d̄/2} cos((i − j) / base^{2k/d̄}) − d̄/2) / c_h.

    It is 0 at the query's own position, and below 0 elsewhere. The sum is the inner product of two sinusoidal
    encodings. Softmax cancels the constant d̄/2; subtracting it keeps float32's precision for the differences.
    """
    frequencies = geometric_frequencies(d_bar, base) * base ** (-2 / d_bar)
    nearest, farthest = int(distance.min()), int(distance.max())
    _, cosines = sines_and_cosines(torch.arange(nearest, farthest + 1, device=distance.device), frequencies)
    similarity = (cosines - 1).sum(dim=-1)  # [farthest - nearest + 1]
    return similarity[distance - nearest] / compression[None, :, None, None]  # [1, H, Q, K]


@register
class Sandwich(PositionalEncoding):
    """Add the similarity of two positions' sinusoids, divided by 8h/H for head h; nothing is learned.

    The paper is causal. In bidirectional attention, keys after the query are lowered like those before it.
    """

    description = Description(
        name="sandwich",
        title="Sandwich",
        explanation=(
            "Sandwich adds to each score how alike the sinusoidal codes of the two positions are. That "
            "depends on their distance alone, and nothing is learned."
        ),
        paper="Chi et al. 2022, §5, arXiv:2212.10356",
        year=2022,
        formula=(
            r"s_{ij} = \frac{q_i^{\top} k_j}{\sqrt{d}} + "
            r"\frac{H}{8h} \left( \sum_{k=1}^{\bar d/2} \cos\frac{i-j}{b^{2k/\bar d}} - \frac{\bar d}{2} \right)"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("scores",),
            learned=False,
            decay="bounded",
            extrapolates="yes",
            tells_direction=False,
            published_for="causal",
        ),
        parameters=(
            Parameter("d_bar", 128, 2, 1024, "d̄: dimensions of the encodings that are multiplied; even", integer=True),
            Parameter("base", 10000.0, 1.0, 1e6, "b in the wavelengths 2π·b^(2i/d)", logarithmic=True, open_below=True),
        ),
        note=(
            "The constant d̄/2 is not in the paper, and the softmax cancels it: with it, the query's own position has 0."
        ),
    )

    compression: Tensor

    def __init__(self, stack: StackSpec, d_bar: int = 128, base: float = 10000.0) -> None:
        """Keep the sinusoids' size and each head's compression.

        Raises:
            EncodingError: an odd ``d_bar``.
        """
        super().__init__()
        geometric_frequencies(d_bar, base)
        self.d_bar = d_bar
        self.base = base
        heads = torch.arange(1, stack.n_heads + 1)
        self.register_buffer("compression", heads * 8 / stack.n_heads, persistent=False)

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "1 head query key"]:
        """Return the compressed similarity of each query's position to each key's."""
        return sandwich_bias(qk.distances(), self.compression, self.d_bar, self.base)
