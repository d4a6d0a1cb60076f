"""Sandwich, the inner product of two sinusoidal encodings as a bias (Chi et al. 2022)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.positional.angles import geometric_frequencies, sines_and_cosines
from model.positional.base import Description, Parameter, PositionalEncoding, Properties, Surroundings, distances
from model.positional.registry import register


def sandwich_bias(
    distance: Int[Tensor, "query key"], compression: Float[Tensor, " head"], d_bar: int, base: float
) -> Float[Tensor, "1 head query key"]:
    """Return (Σ_{k=1…d̄/2} cos((i − j) / base^{2k/d̄}) − d̄/2) / c_h: 0 at the query's own position, below it elsewhere.

    The sum is the inner product of two sinusoidal encodings. Taking d̄/2 from it changes no pattern, since softmax
    cancels it, and keeps float32's digits for the differences.
    """
    frequencies = geometric_frequencies(d_bar, base) * base ** (-2 / d_bar)
    nearest, farthest = int(distance.min()), int(distance.max())
    _, cosines = sines_and_cosines(torch.arange(nearest, farthest + 1, device=distance.device), frequencies)
    similarity = (cosines - 1).sum(dim=-1)  # [farthest - nearest + 1]
    return similarity[distance - nearest] / compression[None, :, None, None]  # [1, H, Q, K]


@register
class Sandwich(PositionalEncoding):
    """Add the similarity of the two positions' sinusoidal encodings, divided by 8h/H for head h: nothing is learned.

    The paper is causal. In bidirectional attention keys ahead are lowered as those behind.
    """

    description = Description(
        name="sandwich",
        title="Sandwich",
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
            Parameter("base", 10000.0, 1.0, 1e6, "longest wavelength over 2π", logarithmic=True, open_below=True),
        ),
    )

    compression: Tensor

    def __init__(self, surroundings: Surroundings, d_bar: int = 128, base: float = 10000.0) -> None:
        """Keep the sinusoids' size and each head's compression.

        Raises:
            ValueError: an odd ``d_bar``.
        """
        super().__init__()
        geometric_frequencies(d_bar, base)
        self.d_bar = d_bar
        self.base = base
        heads = torch.arange(1, surroundings.n_heads + 1)
        self.register_buffer("compression", heads * 8 / surroundings.n_heads, persistent=False)

    def score_bias(
        self,
        q: Float[Tensor, "batch head query d_key"],
        k: Float[Tensor, "batch head key d_key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> Float[Tensor, "1 head query key"]:
        """Return the compressed similarity of each query's position to each key's."""
        del q, k
        return sandwich_bias(distances(query_positions, key_positions), self.compression, self.d_bar, self.base)
