"""PaTH: what a query meets on its way to a key turns it, one reflection a token (Yang et al. 2025)."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.positional.base import Description, Parameter, PositionalEncoding, Properties, QueryKey, StackSpec
from model.positional.registry import register


def accumulated_change(
    q: Float[Tensor, "batch head query d_key"],
    k: Float[Tensor, "batch head key d_key"],
    w: Float[Tensor, "batch head key d_key"],
    beta: Float[Tensor, "batch head key"],
    places: Int[Tensor, " query"],
) -> Float[Tensor, "batch head query key"]:
    """Return k_jᵀ (Π H_s) q_i − k_jᵀ q_i, the product over s = j + 1 … i of H_s = I − β_s w_s w_sᵀ.

    ``places`` says which key i is the query's own. Keys after it get numbers without a meaning.

    With a_m = β_m w_m · (H_{m+1} … H_i q_i), the change is −Σ a_m (w_m · k_j) over m > j, and all a_m of a query solve
    one triangular system.
    """
    products = beta[..., None] * (w @ w.transpose(-2, -1))  # [B, H, K, K]
    is_later = torch.arange(k.shape[-2], device=k.device)[:, None] > places  # [K, Q]
    applied = (beta[..., None] * (w @ q.transpose(-2, -1))).masked_fill(is_later, 0)  # [B, H, K, Q]
    a = torch.linalg.solve_triangular(products, applied, upper=True, unitriangular=True)  # [B, H, K, Q]
    change: Tensor = -a.transpose(-2, -1) @ (w @ k.transpose(-2, -1)).tril(-1)
    return change


class PublishedDirections(nn.Module):
    """Directions w of the published PaTH: rank 32, a convolution over three tokens, and SiLU."""

    RANK, N_TOKENS = 32, 3

    def __init__(self, d_model: int, width: int) -> None:
        """Make the map from ``d_model`` to the ``width`` numbers of all heads, and the convolution of each."""
        super().__init__()
        self.down = nn.Linear(d_model, self.RANK, bias=False)
        self.up = nn.Linear(self.RANK, width, bias=False)
        self.convolution = nn.Conv1d(width, width, self.N_TOKENS, groups=width, bias=False)

    def forward(self, x: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position width"]:
        """Return what the convolution reads."""
        read: Tensor = self.up(self.down(x))
        return read

    def convolve(self, read: Float[Tensor, "batch key width"]) -> Float[Tensor, "batch key width"]:
        """Return the directions, of any length; nothing stands before the first key."""
        before = F.pad(read.transpose(1, 2), (self.N_TOKENS - 1, 0))  # [B, W, 2 + K]
        return F.silu(self.convolution(before)).transpose(1, 2)


@register
class PaTH(PositionalEncoding):
    """Send the query through a Householder-like matrix of every token between it and the key.

    Where rotary turns by a fixed angle a token, the tokens decide here. As in FoX, w and β read the keys of all heads,
    W_K x, in place of x. The paper's convolution over three tokens is left out: at the border of a memory it would
    read what is no longer there. With ``as_published`` they read x, by a map of low rank and with the convolution.
    For keys after the query the formula is read from the other end.
    """

    description = Description(
        name="path",
        title="PaTH",
        explanation=(
            "PaTH multiplies query and key by one small matrix for each token between them. The "
            "matrices are made of these tokens, so what counts is what was read on the way and not only "
            "how far it is."
        ),
        paper="Yang et al. 2025, arXiv:2505.16381",
        year=2025,
        formula=(
            r"s_{ij} = \frac{1}{\sqrt{d}}\, k_j^{\top} \Big(\prod_{s=j+1}^{i} H_s\Big) q_i, \quad "
            r"H_s = I - \beta_s w_s w_s^{\top}, \quad \beta_s = 2\,\sigma(u^{\top} k_s + b), \; \lVert w_s \rVert = 1"
        ),
        properties=Properties(
            kind="relative",
            acts_on=("scores",),
            learned=True,
            decay="bounded",
            extrapolates="yes",
            tells_direction=False,
            published_for="causal",
            takes_positions=False,
        ),
        parameters=(Parameter("as_published", 0, 0, 1, "1: w of the layer's input, rank 32, convolved", integer=True),),
        note=(
            "Here w and β read the keys, W_K x; in the paper they read x, the layer's input. The map to w has full "
            "rank, where the paper's has a low one, and the paper's short convolution of w over three tokens is left "
            "out. All three are as in the paper if as_published is 1."
        ),
    )
    per_layer = True
    changes_product = True

    def __init__(self, stack: StackSpec, as_published: int = 0) -> None:
        """Make what gives each head its direction w and its strength β: linear maps of the keys of all heads.

        Where ``as_published`` is 1 they read the layer's input.
        """
        super().__init__()
        width = stack.n_heads * stack.d_key
        self.causal = stack.causal
        self.direction: nn.Module = nn.Linear(width, width, bias=False)
        if as_published:
            self.direction = PublishedDirections(stack.d_model, width)
        self.strength = nn.Linear(stack.d_model if as_published else width, stack.n_heads)
        nn.init.zeros_(self.strength.bias)

    def key_state(self, x: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position state"] | None:
        """Return what the convolution reads, then the logits of β, where they read the layer's input."""
        if not isinstance(self.direction, PublishedDirections):
            return None
        return torch.cat((self.direction(x), self.strength(x)), dim=-1)

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "batch head query key"]:
        """Return by how much the matrices between each query and key change their score."""
        # A product of many matrices loses more in bfloat16; autocast, where it is on, computes it there all the same.
        precise = torch.promote_types(qk.k.dtype, torch.float32)
        directions, strengths = self._directions_and_strengths(qk)
        heads = directions.to(precise).reshape(*directions.shape[:2], qk.k.shape[1], -1)  # [B, K, H, E]
        w = F.normalize(heads.transpose(1, 2), dim=-1)
        beta = 2 * strengths.to(precise).sigmoid().transpose(1, 2)  # [B, H, K]
        n_keys, n_queries = qk.k.shape[-2], qk.q.shape[-2]
        q, k, places = qk.q.to(precise), qk.k.to(precise), torch.arange(n_keys - n_queries, n_keys, device=w.device)
        change = accumulated_change(q, k, w, beta, places)
        if not self.causal:
            from_end = accumulated_change(q, k.flip(2), w.flip(2), beta.flip(2), n_keys - 1 - places).flip(-1)
            is_after = torch.arange(n_keys, device=w.device) > places[:, None]  # [Q, K]
            change = torch.where(is_after, from_end, change)
        return change / math.sqrt(qk.q.shape[-1])

    def _directions_and_strengths(self, qk: QueryKey) -> tuple[Tensor, Tensor]:
        """Return the directions of all heads, [B, K, H·E], and the logits of their strengths, [B, K, H]."""
        if isinstance(self.direction, PublishedDirections):
            assert qk.key_state is not None
            n_heads = qk.k.shape[1]
            return self.direction.convolve(qk.key_state[..., :-n_heads]), qk.key_state[..., -n_heads:]
        keys = qk.k.transpose(1, 2).flatten(2)  # [B, K, H·E]
        return self.direction(keys), self.strength(keys)
