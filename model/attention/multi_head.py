"""Multi-head attention (Vaswani et al. 2017, §3.2.2) with hook points at every step."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, cat, nn

from model.attention.functional import attention_pattern, attention_scores, narrowed_mask
from model.hooks import SCORE_TERMS, hook, is_wanted
from model.positional.base import PositionalEncoding, QueryKey


@dataclass
class KeyValueCache:
    """Keys and values that one attention block has already computed, before any positional transform.

    ``k`` and ``v`` are [B, H, K, E], or None before the first call. Keys are cached before the positional transform,
    because an encoding may transform a key by its distance to the query. ``key_state`` is what the encoding reads of
    the layer's input besides, [B, K, S], if anything.
    """

    k: Tensor | None = None
    v: Tensor | None = None
    key_state: Tensor | None = None

    def append(
        self, k: Float[Tensor, "batch head new d_head"], v: Float[Tensor, "batch head new d_value"]
    ) -> tuple[Float[Tensor, "batch head key d_head"], Float[Tensor, "batch head key d_value"]]:
        """Add ``k`` and ``v`` of new positions; return all keys and values so far."""
        self.k = k if self.k is None else cat((self.k, k), dim=2)  # [B, H, K + new, E]
        self.v = v if self.v is None else cat((self.v, v), dim=2)  # [B, H, K + new, E]
        return self.k, self.v

    def append_key_state(self, key_state: Float[Tensor, "batch new state"]) -> Float[Tensor, "batch key state"]:
        """Add the state of new positions; return that of all positions so far."""
        self.key_state = key_state if self.key_state is None else cat((self.key_state, key_state), dim=1)
        return self.key_state

    def select(self, rows: Int[Tensor, " new_batch"]) -> None:
        """Select batch rows, as beam search does between steps; a row may be dropped or repeated."""
        if self.k is not None and self.v is not None:
            self.k, self.v = self.k.index_select(0, rows), self.v.index_select(0, rows)
        if self.key_state is not None:
            self.key_state = self.key_state.index_select(0, rows)


@dataclass(frozen=True)
class AttentionPositions:
    """The positional encoding of an attention block, and the positions of queries and keys.

    Cached keys come first.
    """

    encoding: PositionalEncoding
    query: Int[Tensor, " query"]
    key: Int[Tensor, " key"]


class MultiHeadAttention(nn.Module):
    """Multi-head attention: ``n_heads`` heads, each with its own projections.

    The heads run in ``scaled_dot_product_attention``. If ``scores`` or ``pattern`` is hooked, or the encoding needs the
    pattern, the same numbers are computed step by step.
    """

    def __init__(
        self, *, name: str, d_model: int, n_heads: int, d_key: int, d_value: int, scale: float | None = None
    ) -> None:
        """Build the four projections, without biases as in the paper.

        ``name`` prefixes the hook points; q·k is multiplied by ``scale``, None for 1/√d_key.
        """
        super().__init__()
        self.name = name
        self.n_heads = n_heads
        self.scale = scale
        self.W_Q = nn.Linear(d_model, n_heads * d_key, bias=False)
        self.W_K = nn.Linear(d_model, n_heads * d_key, bias=False)
        self.W_V = nn.Linear(d_model, n_heads * d_value, bias=False)
        self.W_O = nn.Linear(n_heads * d_value, d_model, bias=False)

    def forward(
        self,
        x: Float[Tensor, "batch query d_model"],
        context: Float[Tensor, "batch context d_model"] | None,
        *,
        mask: Bool[Tensor, "#batch 1 #query key"] | None = None,
        cache: KeyValueCache | None = None,
        positions: AttentionPositions | None = None,
    ) -> Float[Tensor, "batch query d_model"]:
        """Attend from ``x`` to ``context``.

        Args:
            x: the residual stream that queries are projected from.
            context: the residual stream that keys and values are projected from; None to use only those in ``cache``.
            mask: True where attention is allowed; None allows all.
            cache: keys and values of earlier calls, extended in place.
            positions: the positional encoding with the positions of queries and keys; None for no encoding.

        Raises:
            ValueError: neither a context nor a filled cache was given.
        """
        q = self._split(self.W_Q(x))  # [B, H, Q, E]
        d_key = q.shape[-1]
        factor = 1.0 if self.scale is None else self.scale * math.sqrt(d_key)  # of what is divided by √d_key
        k, v = self._keys_and_values(context, cache)
        positional, bias = None, None
        if positions is not None:
            encoding = positions.encoding
            key_state = _key_state(encoding, context, cache)
            mask = narrowed_mask(mask, encoding.visible_keys(positions.query, positions.key))
            qk = QueryKey(q, k, positions.query, positions.key, mask, key_state)
            positional = (encoding, qk)
            bias = encoding.score_bias(qk)
            if bias is not None and encoding.changes_product and self.scale is not None:
                bias = bias * factor
            q, k = encoding.transform_query_key(qk)
        q, k, v = hook(f"{self.name}.q", q), hook(f"{self.name}.k", k), hook(f"{self.name}.v", v)
        if bias is not None:
            bias = hook(f"{self.name}.position_bias", bias.to(q.dtype))
        edited = None if positional is None else self._edited_terms(*positional, factor)
        if edited is not None:
            bias = edited if bias is None else bias + edited
        # An encoding that widens queries and keys makes their product larger by the root of that.
        scale = None if self.scale is None else factor / math.sqrt(q.shape[-1])
        z = hook(f"{self.name}.z", self._attend(q, k, v, scale=scale, bias=bias, mask=mask, positional=positional))
        return hook(f"{self.name}.output", self.W_O(z.transpose(1, 2).flatten(2)))  # [B, Q, D]

    def remember(self, context: Float[Tensor, "batch context d_model"], cache: KeyValueCache) -> None:
        """Add the keys and values of ``context`` to ``cache``."""
        self._keys_and_values(context, cache)

    def _edited_terms(self, encoding: PositionalEncoding, qk: QueryKey, factor: float) -> Tensor | None:
        """Return the sum of the changes that interventions make to the terms of the scores; None without any."""
        names = {term: f"{self.name}.term_{term}" for term in SCORE_TERMS}
        if not is_wanted(*names.values()):
            return None
        terms = {term: scores * factor for term, scores in encoding.score_terms(qk).items()}
        edited = {term: hook(names[term], scores) for term, scores in terms.items()}
        changes = [edited[term] - scores for term, scores in terms.items() if edited[term] is not scores]
        return torch.stack(changes).sum(0) if changes else None  # [B, H, Q, K]

    def _keys_and_values(self, context: Tensor | None, cache: KeyValueCache | None) -> tuple[Tensor, Tensor]:
        if context is not None:
            k = self._split(self.W_K(context))  # [B, H, K, E]
            v = self._split(self.W_V(context))  # [B, H, K, E]
            return (k, v) if cache is None else cache.append(k, v)
        if cache is not None and cache.k is not None and cache.v is not None:
            return cache.k, cache.v
        raise ValueError(f"{self.name} was given neither a context nor a filled cache; it needs one of them")

    def _attend(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        *,
        scale: float | None,
        bias: Tensor | None,
        mask: Tensor | None,
        positional: tuple[PositionalEncoding, QueryKey] | None,
    ) -> Tensor:
        reads_pattern = positional is not None and positional[0].reads_pattern
        if not reads_pattern and not is_wanted(f"{self.name}.scores", f"{self.name}.pattern"):
            if bias is not None and mask is not None:
                mask = bias.masked_fill(~mask, -math.inf)  # [B or 1, H, Q, K]
            elif bias is not None:
                mask = bias
            return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)  # [B, H, Q, E]
        scores = hook(f"{self.name}.scores", attention_scores(q, k, bias=bias, mask=mask, scale=scale))
        pattern = hook(f"{self.name}.pattern", attention_pattern(scores))
        z = pattern @ v  # [B, H, Q, E]
        if positional is None:
            return z
        encoding, qk = positional
        added = encoding.add_to_values(pattern, qk)
        return z if added is None else z + added

    def _split(self, x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:2], self.n_heads, -1).transpose(1, 2)  # [B, H, P, E]


def _key_state(encoding: PositionalEncoding, context: Tensor | None, cache: KeyValueCache | None) -> Tensor | None:
    """Return what ``encoding`` reads of the layer's input at all keys, those in ``cache`` first."""
    new = None if context is None else encoding.key_state(context)
    if cache is None:
        return new
    return cache.key_state if new is None else cache.append_key_state(new)
