"""What a positional encoding is: three slots that do nothing by default, and a description of itself."""

import math
from dataclasses import dataclass, field

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
        too_low = value <= self.low if self.open_below else value < self.low
        if not math.isfinite(value) or too_low or value > self.high or (self.integer and value != int(value)):
            kind = "a whole number" if self.integer else "a number"
            lower = "above" if self.open_below else "from"
            raise ValueError(
                f"{encoding} was given {self.name} = {value:g}; "
                f"it takes {kind} {lower} {self.low:g} up to {self.high:g}"
            )


@dataclass(frozen=True)
class Description:
    """How an encoding presents itself: in selectors, comparisons, formulas and model cards."""

    name: str
    title: str
    paper: str
    year: int
    formula: str
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class PositionalConfig:
    """Which registered encoding, with which parameters; what a model's configuration file stores."""

    name: str
    parameters: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Surroundings:
    """The stack that an encoding serves: its sizes, and whether its queries see earlier keys alone."""

    d_model: int
    n_heads: int
    d_key: int
    n_layers: int
    causal: bool


class PositionalEncoding(nn.Module):
    """Base of every positional encoding. Each slot does nothing by default; an encoding overrides those it needs.

    Positions are integers, not necessarily consecutive nor starting at 0: a cache or a memory shifts them.
    """

    description: Description

    def add_to_embeddings(
        self, x: Float[Tensor, "batch position d_model"], positions: Int[Tensor, " position"]
    ) -> Float[Tensor, "batch position d_model"]:
        """Return ``x`` with what the encoding adds to it."""
        encoding = self.encoding(positions)
        return x if encoding is None else x + encoding.to(x.dtype)

    def encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"] | None:
        """Return what :meth:`add_to_embeddings` adds at each position; None for an encoding that adds nothing there."""
        del positions
        return None

    def transform_query_key(
        self,
        q: Float[Tensor, "batch head query d_key"],
        k: Float[Tensor, "batch head key d_key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> tuple[Float[Tensor, "batch head query d_key"], Float[Tensor, "batch head key d_key"]]:
        """Return queries and keys as the scores should use them."""
        del query_positions, key_positions
        return q, k

    def score_bias(
        self,
        q: Float[Tensor, "batch head query d_key"],
        k: Float[Tensor, "batch head key d_key"],
        query_positions: Int[Tensor, " query"],
        key_positions: Int[Tensor, " key"],
    ) -> Float[Tensor, "#batch head query key"] | None:
        """Return what to add to q·k/√d_key before the mask; None for nothing."""
        del q, k, query_positions, key_positions
        return None

    def at_layer(self, layer: int) -> "PositionalEncoding":
        """Return the encoding as layer ``layer`` uses it; all layers share one unless this is overridden."""
        del layer
        return self
