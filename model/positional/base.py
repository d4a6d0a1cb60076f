"""What a positional encoding is: slots that do nothing by default, and a description of itself.

What a stack of layers calls, in this order:

| slot | called | returns |
|---|---|---|
| ``place(positions)`` | once a forward, by the stack | the positions that every later slot is given |
| ``encoding(positions)`` | once a forward, by the stack | what to add to the embeddings, [P, D] |
| ``at_layer(layer)`` | once a layer, by the stack | the encoding whose slots below that layer's attention calls |
| ``score_bias(q, k, ...)`` | before the scores | what to add to them, [B or 1, H, Q, K] |
| ``score_terms(q, k, ...)`` | before the scores, if wanted | the terms that they are the sum of, [B, H, Q, K] each |
| ``transform_query_key(q, k, ...)`` | before the scores | queries and keys as the scores use them |
| ``add_to_values(pattern, ...)`` | after the softmax | what to add to pattern·v, [B, H, Q, E] |
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


@dataclass(frozen=True)
class Parameter:
    """A number that a user may set: its default and range; sliders and validation are made from it.

    ``low`` itself is excluded where ``open_below``; ``logarithmic`` asks for a slider of that scale.
    """

    name: str
    default: float
    low: float
    high: float
    description: str
    integer: bool = False
    logarithmic: bool = False
    open_below: bool = False

    def check(self, encoding: str, value: float) -> None:
        """Raise ValueError, in one sentence, if ``value`` is not allowed."""
        if not isinstance(value, int | float):
            raise ValueError(f"{encoding} was given {self.name} = {value!r}; it takes a number")
        too_low = value <= self.low if self.open_below else value < self.low
        if not math.isfinite(value) or too_low or value > self.high or (self.integer and value != int(value)):
            kind = "a whole number" if self.integer else "a number"
            lower = "above" if self.open_below else "from"
            raise ValueError(
                f"{encoding} was given {self.name} = {value:g}; "
                f"it takes {kind} {lower} {self.low:g} up to {self.high:g}"
            )


@dataclass(frozen=True)
class Properties:
    """What sets an encoding apart from the others, as a comparison shows it.

    Attributes:
        kind: whether the scores see where a token stands, how far away it stands, or neither.
        acts_on: where the encoding enters; the slots it fills.
        learned: whether it has weights of its own.
        decay: how far distance alone can lower a score: not at all, by a bounded amount, or without bound.
        extrapolates: whether positions never met in training still give scores of a kind met there, because the
            formula clips, decays or squeezes them; "by a factor" where it does so up to a chosen multiple of the
            trained length.
        tells_direction: whether a key before the query and one as far behind it differ, even without a causal mask.
        published_for: the attention its paper defines it for; each file says what it does in the other kind.
        takes_positions: whether it reads the position numbers, so that stretching them means something.
        cache: whether decoding with cached keys gives what the full sequence gives.
        memory: whether keys of an earlier segment may be read at any distance; not where the position is already part
            of the remembered states, which is right only while positions go on counting.
    """

    kind: Literal["none", "absolute", "relative"]
    acts_on: tuple[Literal["embeddings", "queries and keys", "scores", "values"], ...]
    learned: bool
    decay: Literal["none", "bounded", "unbounded"]
    extrapolates: Literal["no", "by a factor", "yes"]
    tells_direction: bool
    published_for: Literal["causal", "both"] = "both"
    takes_positions: bool = True
    cache: bool = True
    memory: bool = True


@dataclass(frozen=True)
class Description:
    """How an encoding presents itself: in selectors, comparisons, formulas and model cards.

    ``inner`` names the encoding that one made to wrap another wraps unless told otherwise; None if it wraps nothing.
    """

    name: str
    title: str
    paper: str
    year: int
    formula: str
    properties: Properties
    parameters: tuple[Parameter, ...] = ()
    inner: str | None = None


@dataclass(frozen=True)
class PositionalConfig:
    """Which registered encoding, with which parameters; what a model's configuration file stores.

    ``inner`` is the encoding that this one wraps, for those that wrap one.
    """

    name: str
    parameters: dict[str, float] = field(default_factory=dict)
    inner: "PositionalConfig | None" = None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "PositionalConfig":
        """Return the configuration with these ``values``, as read from JSON.

        Raises:
            ValueError: an unknown entry, or none that is the name.
        """
        unknown = sorted(values.keys() - {"name", "parameters", "inner"})
        if unknown or "name" not in values:
            given = ", ".join(values) or "nothing"
            raise ValueError(f"a positional encoding was given {given}; its entries are name, parameters and inner")
        inner = values.get("inner")
        return cls(values["name"], dict(values.get("parameters", {})), None if inner is None else cls.from_dict(inner))


@dataclass(frozen=True)
class Surroundings:
    """The stack that an encoding serves: its sizes, and whether its queries see earlier keys alone."""

    d_model: int
    n_heads: int
    d_key: int
    d_value: int
    n_layers: int
    causal: bool


class PositionalEncoding(nn.Module):
    """Base of every positional encoding. Each slot does nothing by default; an encoding overrides those it needs.

    Positions are whole numbers in rising order, not necessarily consecutive nor starting at 0: a cache or a memory
    shifts them, and keys may stand before the first query.
    """

    description: Description
    per_layer: ClassVar[bool] = False
    """Whether each layer has weights of its own; :func:`model.positional.build` then builds one encoding a layer."""

    @property
    def reads_pattern(self) -> bool:
        """Whether the attention pattern itself is needed, which the fused attention kernel never shows."""
        return type(self).add_to_values is not PositionalEncoding.add_to_values

    def place(self, positions: Int[Tensor, " position"]) -> Int[Tensor, " position"]:
        """Return where tokens at ``positions`` of the sequence are said to stand; every other slot is given these."""
        return positions

    def positions_for(self, n_tokens: int) -> Int[Tensor, " position"]:
        """Return the positions to give :meth:`place` at test for a sequence that will have ``n_tokens``, if known."""
        return torch.arange(n_tokens)

    def encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"] | None:
        """Return what to add to the embeddings at each position; None for nothing."""
        del positions
        return None

    def at_layer(self, layer: int) -> "PositionalEncoding":
        """Return the encoding as layer ``layer`` uses it; all layers share one unless this is overridden."""
        del layer
        return self

    def score_bias(
        self,
        q: Float[Tensor, "batch head query d_key"],
        k: Float[Tensor, "batch head key d_key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> Float[Tensor, "#batch head query key"] | None:
        """Return what to add to q·k/√d_key before the mask; None for nothing.

        ``q`` and ``k`` come untransformed. A term that its paper divides by √d_key is divided here.
        """
        del q, k, query_positions, key_positions
        return None

    def score_terms(
        self,
        q: Float[Tensor, "batch head query d_key"],
        k: Float[Tensor, "batch head key d_key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> Mapping[str, Float[Tensor, "batch head query key"]]:
        """Return the terms that the scores before the mask are the sum of, by the names their paper gives them.

        Only where a paper takes its score apart; nothing elsewhere. ``q`` and ``k`` come untransformed.
        """
        del q, k, query_positions, key_positions
        return {}

    def transform_query_key(
        self,
        q: Float[Tensor, "batch head query d_key"],
        k: Float[Tensor, "batch head key d_key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> tuple[Float[Tensor, "batch head query d_key"], Float[Tensor, "batch head key d_key"]]:
        """Return queries and keys as q·k should use them, in the dtype they came in."""
        del query_positions, key_positions
        return q, k

    def add_to_values(
        self,
        pattern: Float[Tensor, "batch head query key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> Float[Tensor, "batch head query d_value"] | None:
        """Return what to add to pattern·v; None for nothing. Overriding this rules out the fused attention kernel."""
        del pattern, query_positions, key_positions
        return None


class LayerwiseEncoding(PositionalEncoding):
    """One encoding a layer, for those with weights of their own in each; a stack calls :meth:`at_layer`."""

    def __init__(self, layers: Iterable[PositionalEncoding]) -> None:
        """Keep one encoding for every layer, in their order."""
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.description = self.at_layer(0).description

    def at_layer(self, layer: int) -> PositionalEncoding:
        """Return the encoding that belongs to layer ``layer``."""
        encoding = self.layers[layer]
        assert isinstance(encoding, PositionalEncoding)
        return encoding


def distances(query_positions: Int[Tensor, " query"], key_positions: Int[Tensor, " key"]) -> Int[Tensor, "query key"]:
    """Return i − j for a query at i and a key at j: positive for keys that came before."""
    return query_positions[:, None] - key_positions[None, :]  # [Q, K]
