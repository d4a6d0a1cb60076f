"""T5's relative position bias: one learned number per head and distance bucket (Raffel et al. 2019)."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

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


def t5_buckets(
    distance: Int[Tensor, "query key"], n_buckets: int, max_distance: int, *, causal: bool
) -> Int[Tensor, "query key"]:
    """Return the bucket of each distance i − j, from 0 to ``n_buckets`` − 1.

    Each small distance has its own bucket; larger ones share buckets that widen logarithmically up to ``max_distance``,
    and all beyond share the last. In bidirectional attention, keys after the query use the second half of the buckets;
    in causal attention they are masked.
    """
    if causal:
        return _one_sided_buckets(distance.clamp(min=0), n_buckets, max_distance)
    half = n_buckets // 2
    return (distance < 0) * half + _one_sided_buckets(distance.abs(), half, max_distance)


def _one_sided_buckets(distance: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    exact = n_buckets // 2
    # In float32 and in this order, as in the authors' code, so that boundary distances get the same bucket.
    rise = torch.log(distance.clamp(min=1).float() / exact) / math.log(max_distance / exact)
    widening = exact + (rise * (n_buckets - exact)).long()
    return torch.where(distance < exact, distance, widening.clamp(max=n_buckets - 1))


@register
class T5Bias(PositionalEncoding):
    """Add a learned number for the bucket of the distance, for each head, the same in all layers."""

    description = Description(
        name="t5",
        title="T5 bias",
        explanation=(
            "T5 bias adds to each score a learned number for the distance. Near distances have a number "
            "each, far ones share one a range."
        ),
        used_in=("T5", "mT5"),
        paper="Raffel et al. 2019, §2.1, arXiv:1910.10683",
        year=2019,
        formula=r"s_{ij} = \frac{q_i^{\top} k_j}{\sqrt{d}} + b_{h,\,\mathrm{bucket}(i-j)}",
        properties=Properties(
            kind="relative",
            acts_on=("scores",),
            learned=True,
            decay="bounded",
            extrapolates="yes",
            tells_direction=True,
        ),
        parameters=(
            Parameter("n_buckets", 32, 4, 256, "learned numbers a head", integer=True),
            Parameter(
                "max_distance",
                128,
                2,
                65536,
                "at the latest from here on, all distances share a bucket",
                integer=True,
                logarithmic=True,
            ),
        ),
        note="T5 itself does not divide by √d: its weights start smaller instead.",
    )

    def __init__(self, stack: StackSpec, n_buckets: int = 32, max_distance: int = 128) -> None:
        """Make a table of one number per bucket and head.

        Raises:
            EncodingError: the buckets of single distances already reach ``max_distance``.
        """
        super().__init__()
        exact = n_buckets // (2 if stack.causal else 4)
        if max_distance <= exact:
            raise EncodingError(
                "max_distance too small", max_distance=max_distance, n_buckets=n_buckets, n_single=exact
            )
        self.n_buckets = n_buckets
        self.max_distance = max_distance
        self.causal = stack.causal
        # The authors' initialisation.
        self.table = nn.Parameter(torch.randn(n_buckets, stack.n_heads) * stack.d_model**-0.5)

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "1 head query key"]:
        """Return the table's number for the bucket of each distance."""
        distance = qk.distances()
        buckets = t5_buckets(distance, self.n_buckets, self.max_distance, causal=self.causal)
        return self.table[buckets].permute(2, 0, 1)[None]  # [1, H, Q, K]
