"""FIRE, functional interpolation for relative position encodings (Li et al. 2023)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec, distances
from model.positional.registry import register

_EPSILON = 1e-6  # the authors' guard against dividing by ψ(0) = 0


def interpolated_distances(
    query_positions: Int[Tensor, " query"],
    key_positions: Int[Tensor, " key"],
    c: Float[Tensor, ""],
    threshold: Float[Tensor, ""],
) -> Float[Tensor, "query key"]:
    """Return ψ(|i − j|) / ψ(max(L, i)) with ψ(x) = log(|c|x + 1), from 0 to 1 (equations 8 and 9).

    The paper is causal, so j ≤ i. For keys after the query, the later of the two positions replaces i; the result stays
    within 1 and is symmetric.
    """
    distance = distances(query_positions, key_positions).abs().float()  # [Q, K]
    later = torch.maximum(query_positions[:, None], key_positions[None, :]).float()  # [Q, K]
    normaliser = torch.maximum(later, threshold)
    return _psi(distance, c) / (_psi(normaliser, c) + _EPSILON)


def _psi(x: Tensor, c: Tensor) -> Tensor:
    return torch.log1p((c * x).abs())


@register
class FIRE(PositionalEncoding):
    """Map the distance, relative to the query's position, to a bias for each head by a small network."""

    description = Description(
        name="fire",
        title="FIRE",
        explanation=(
            "FIRE adds to each score what a small learned network makes of the distance. The distance "
            "is taken relative to the position of the query, or to a learned length if that is greater, "
            "so it stays between 0 and 1 however long the input is."
        ),
        paper="Li et al. 2023, §3, arXiv:2310.04418",
        year=2023,
        formula=(
            r"s_{ij} = \frac{q_i^{\top} k_j}{\sqrt{d}} + "
            r"f_\theta\!\left(\frac{\psi(i-j)}{\psi(\max\{L, i\})}\right), \quad \psi(x) = \log(cx + 1)"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("scores",),
            learned=True,
            decay="bounded",
            extrapolates="yes",
            tells_direction=False,
            published_for="causal",
        ),
        note="L is learned. Inputs shorter than it are not rescaled: f then sees a function of the distance alone.",
        parameters=(
            Parameter("width", 32, 1, 256, "hidden units of the network f", integer=True),
            Parameter("c", 0.1, 1e-3, 100.0, "initial c: how much near distances are spread", logarithmic=True),
            Parameter(
                "threshold", 512.0, 1.0, 65536.0, "initial L: below it inputs are not stretched", logarithmic=True
            ),
        ),
    )
    per_layer = True

    def __init__(self, stack: StackSpec, width: int = 32, c: float = 0.1, threshold: float = 512.0) -> None:
        """Make f, c and L, initialised as in the paper's appendix.

        The output of f has no bias: softmax would cancel it.
        """
        super().__init__()
        self.initial_threshold = threshold
        self.c = nn.Parameter(torch.tensor(c))
        self.threshold_factor = nn.Parameter(torch.tensor(1.0))  # L is learned as a multiple of its initial value
        self.W_1 = nn.Parameter(torch.empty(width).uniform_(-1, 1))
        self.b_1 = nn.Parameter(torch.empty(width).uniform_(-1, 1))
        self.W_2 = nn.Parameter(torch.empty(stack.n_heads, width).uniform_(-(width**-0.5), width**-0.5))

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "1 head query key"]:
        """Return f of each interpolated distance."""
        threshold = (self.threshold_factor * self.initial_threshold).abs()
        normalised = interpolated_distances(qk.query_positions, qk.key_positions, self.c, threshold)
        hidden = (normalised[..., None] * self.W_1 + self.b_1).relu()  # [Q, K, width]
        return torch.einsum("qkw,hw->hqk", hidden, self.W_2.to(hidden.dtype))[None]  # [1, H, Q, K]
