"""Scalable softmax, SSMax, a wrapper for any encoding (Nakanishi 2025)."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.positional.base import (
    Description,
    Parameter,
    PositionalEncoding,
    Properties,
    QueryKey,
    StackSpec,
    WrappingEncoding,
)
from model.positional.registry import register


class ScaledLayer(PositionalEncoding):
    """One layer of an encoding, with all scores multiplied by s·ln n + b."""

    def __init__(self, inner: PositionalEncoding, s: Float[Tensor, " head"], b: Float[Tensor, " head"] | None) -> None:
        """Keep the layer's encoding, and s and b of each head; None for no b."""
        super().__init__()
        self.inner = inner
        self.is_linear, self.changes_product = inner.is_linear, inner.changes_product
        self.s = s
        self.b = b

    @property
    def reads_pattern(self) -> bool:
        """Whether the inner encoding needs the attention pattern."""
        return self.inner.reads_pattern

    def visible_keys(
        self, query_positions: Int[Tensor, " query"], key_positions: Int[Tensor, " key"]
    ) -> Bool[Tensor, "query key"] | None:
        """Return the keys that the inner encoding lets each query see."""
        return self.inner.visible_keys(query_positions, key_positions)

    def factor(self, qk: QueryKey) -> Float[Tensor, "#batch head #query 1"]:
        """Return s·ln n + b, where n is the number of keys that the query may attend to."""
        log_n = qk.n_allowed().clamp(min=1).to(torch.promote_types(self.s.dtype, torch.float32)).log()
        scaled = self.s[:, None] * log_n  # [B or 1, H, Q or 1]
        return (scaled if self.b is None else scaled + self.b[:, None])[..., None]

    def key_state(self, x: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position state"] | None:
        """Return what the inner encoding reads of the layer's input."""
        return self.inner.key_state(x)

    def transform_query_key(
        self, qk: QueryKey
    ) -> tuple[Float[Tensor, "batch head query d_product"], Float[Tensor, "batch head key d_product"]]:
        """Return what the inner encoding makes of queries and keys, the queries times the factor."""
        q, k = self.inner.transform_query_key(qk)
        return (q * self.factor(qk)).to(q.dtype), k

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "#batch head query key"] | None:
        """Return the inner encoding's bias times the factor."""
        bias = self.inner.score_bias(qk)
        return None if bias is None else bias * self.factor(qk)

    def score_terms(self, qk: QueryKey) -> Mapping[str, Float[Tensor, "batch head query key"]]:
        """Return the inner encoding's terms, each times the factor."""
        return {name: term * self.factor(qk) for name, term in self.inner.score_terms(qk).items()}

    def add_to_values(
        self, pattern: Float[Tensor, "batch head query key"], qk: QueryKey
    ) -> Float[Tensor, "batch head query d_value"] | None:
        """Return what the inner encoding adds to pattern·v."""
        return self.inner.add_to_values(pattern, qk)


@register
class SSMax(WrappingEncoding):
    """Multiply every score by s·ln n + b, which keeps long patterns sharp; ``inner`` encodes positions.

    n is the number of keys that the query may attend to: under a causal mask its place in the sequence, with a memory
    the memory too, and never padding. s is learned for each head of each layer, and so is b, the paper's optional bias,
    where ``bias`` is 1; it starts at zero. Otherwise there is none.
    """

    description = Description(
        name="ssmax",
        title="Scalable softmax",
        explanation=(
            "Scalable softmax (SSMax) multiplies all scores by a number that grows with the length of "
            "the input, so that attention does not blur over many keys. It surrounds another encoding."
        ),
        other_names=("SSMax",),
        paper="Nakanishi 2025, §2, arXiv:2501.19399",
        year=2025,
        formula=r"a_{ij} = \operatorname{softmax}_j(s \ln n_i \cdot s_{ij})",
        properties=Properties(
            kind="relative",
            acts_on=("queries and keys",),
            learned=True,
            decay="bounded",
            extrapolates="no",
            tells_direction=True,
        ),
        parameters=(
            Parameter("s", 0.4, 0.01, 10.0, "initial s; 0.4·ln n averages 1 over 31 keys", logarithmic=True),
            Parameter("bias", 0, 0, 1, "1: a learned b is added to s·ln n", integer=True),
        ),
        inner="rotary",
        wraps_any=True,
        note="Each head of each layer learns its own s. The paper's optional bias is left out unless bias is 1.",
    )

    def __init__(self, stack: StackSpec, inner: PositionalEncoding, s: float = 0.4, bias: int = 0) -> None:
        """Wrap ``inner``; every s starts at ``s``, and every b at zero where ``bias`` is 1.

        Raises:
            ValueError: an inner encoding that is another scalable softmax.
        """
        super().__init__(inner)
        described = inner.description
        if described.name == self.description.name:
            raise ValueError(f"{described.name!r} was given {described.name!r} to wrap; one s a head is enough")
        acts_on = described.properties.acts_on
        self.description = replace(
            self.description,
            title=f"{described.title}, {self.description.title.lower()}",
            properties=replace(
                described.properties,
                acts_on=acts_on if "queries and keys" in acts_on else (*acts_on, "queries and keys"),
                learned=True,
            ),
        )
        self.s = nn.Parameter(torch.full((stack.n_layers, stack.n_heads), s))
        self.b = nn.Parameter(torch.zeros(stack.n_layers, stack.n_heads)) if bias else None

    def at_layer(self, layer: int) -> PositionalEncoding:
        """Return the inner encoding of ``layer`` with scaled scores."""
        return ScaledLayer(self.inner.at_layer(layer), self.s[layer], None if self.b is None else self.b[layer])
