"""Transformer-XL's relative encoding, four terms of one score (Dai et al. 2019)."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register
from model.positional.sinusoidal import sinusoidal_encoding


def position_terms(
    q: Float[Tensor, "batch head query d_key"],
    relative_keys: Float[Tensor, "distance head d_key"],
    rows: Int[Tensor, "query key"],
) -> Float[Tensor, "batch head query key"]:
    """Return q_i·W_kR R_{i−j} / √d_key; ``rows`` holds the index of the relative key of each i − j.

    With queries as ``q`` this is term (b), with v term (d), with their sum both. Each query is multiplied by all
    relative keys and then selects those of its distances. This generalises the paper's shift (appendix B) to any
    positions.
    """
    by_distance = torch.einsum("bhqe,rhe->bhqr", q, relative_keys)  # [B, H, Q, R]
    by_distance = by_distance / math.sqrt(q.shape[-1])
    return by_distance.gather(-1, rows.expand(*q.shape[:2], -1, -1))  # [B, H, Q, K]


@register
class TransformerXLEncoding(PositionalEncoding):
    """Score content and distance separately: (q + u)·k + (q + v)·W_kR R_{i−j}.

    Terms (a) content and (c) content bias come from u added to the queries; (b) position and (d) position bias are the
    score bias. Each layer has its own W_kR, as in the paper, and its own u and v, as in the authors' ``untie_r``.
    """

    description = Description(
        name="transformer_xl",
        title="Transformer-XL",
        explanation=(
            "Transformer-XL makes each score of four terms: what stands there, and how far away it is, "
            "each with and without the query. Only distances count, so a memory can stand before the "
            "text."
        ),
        used_in=("Transformer-XL", "XLNet"),
        paper="Dai et al. 2019, §3.3, arXiv:1901.02860",
        year=2019,
        formula=(
            r"s_{ij} = \frac{1}{\sqrt{d}} \Big( \underbrace{q_i^{\top} k_j}_{(a)} + "
            r"\underbrace{q_i^{\top} W_{k,R} R_{i-j}}_{(b)} + \underbrace{u^{\top} k_j}_{(c)} + "
            r"\underbrace{v^{\top} W_{k,R} R_{i-j}}_{(d)} \Big)"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("queries and keys", "scores"),
            learned=True,
            decay="bounded",
            extrapolates="no",
            tells_direction=True,
            published_for="causal",
        ),
        parameters=(
            Parameter(
                "base", 10000.0, 1.0, 1e6, "b in the wavelengths 2π·b^(2i/d) of R", logarithmic=True, open_below=True
            ),
            Parameter("clamp", 0, 0, 4096, "distance from which on all count the same; 0 for none", integer=True),
        ),
        note="Each layer has u and v of its own, as with the option untie_r of the authors' code.",
    )
    per_layer = True
    changes_product = True

    def __init__(self, stack: StackSpec, base: float = 10000.0, clamp: int = 0) -> None:
        """Make u, v and W_kR; R is the sinusoidal encoding of the distance.

        Args:
            stack: the stack that it serves.
            base: b in the wavelengths 2π·b^{2i/d} of R.
            clamp: the largest distance that counts, the authors' ``clamp_len``; 0 for no limit.

        Raises:
            EncodingError: an odd d_model.
        """
        super().__init__()
        sinusoidal_encoding(torch.zeros(1, dtype=torch.long), stack.d_model, base)
        self.base = base
        self.clamp = clamp
        self.u = nn.Parameter(torch.randn(stack.n_heads, stack.d_key) * 0.02)
        self.v = nn.Parameter(torch.randn(stack.n_heads, stack.d_key) * 0.02)
        self.W_kR = nn.Linear(stack.d_model, stack.n_heads * stack.d_key, bias=False)

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "batch head query key"]:
        """Return terms (b) and (d)."""
        return position_terms(qk.q + self.v[:, None], *self._relative_keys(qk))

    def score_terms(self, qk: QueryKey) -> dict[str, Float[Tensor, "batch head query key"]]:
        """Return terms (a) to (d), each divided by √d_key."""
        relative = self._relative_keys(qk)
        u, v = (bias[:, None].expand_as(qk.q) for bias in (self.u, self.v))  # [B, H, Q, E]
        scaled_k = qk.k.transpose(-2, -1) / math.sqrt(qk.q.shape[-1])  # [B, H, E, K]
        return {
            "a": qk.q @ scaled_k,
            "b": position_terms(qk.q, *relative),
            "c": u @ scaled_k,
            "d": position_terms(v, *relative),
        }

    def _relative_keys(self, qk: QueryKey) -> tuple[Tensor, Tensor]:
        """Return W_kR R_d [R, H, E] by distance d, smallest first, and the row of each pair [Q, K]."""
        distance = qk.distances()
        if self.clamp:
            distance = distance.clamp(max=self.clamp)
        nearest, farthest = int(distance.min()), int(distance.max())
        relative_keys = self.relative_keys(torch.arange(nearest, farthest + 1, device=distance.device))
        return relative_keys, distance - nearest

    def relative_keys(self, distance: Int[Tensor, " distance"]) -> Float[Tensor, "distance head d_key"]:
        """Return W_kR R_d for each distance d."""
        R = sinusoidal_encoding(distance, self.W_kR.in_features, self.base).to(self.W_kR.weight.dtype)
        relative_keys: Tensor = self.W_kR(R)
        return relative_keys.reshape(-1, *self.u.shape)  # [R, H, E]

    def transform_query_key(
        self, qk: QueryKey
    ) -> tuple[Float[Tensor, "batch head query d_key"], Float[Tensor, "batch head key d_key"]]:
        """Return q + u, which adds term (c) to term (a), and the unchanged keys."""
        return (qk.q + self.u[:, None]).to(qk.q.dtype), qk.k
