"""The base of positional encodings: slots that do nothing by default, and a description.

A stack of layers calls the slots in this order:

| slot | called | returns |
|---|---|---|
| ``map_positions(positions)`` | once a forward | the positions that every later slot gets, [P] |
| ``additive_encoding(positions)`` | once a forward | what to add to the embeddings, [P, D]; None for nothing |
| ``additive_encoding_by_row(positions, n_rows)`` | once a forward | the same, [B, P, D] where rows differ |
| ``at_layer(layer)`` | once a layer | the encoding whose slots below the attention of that layer calls |
| ``key_state(x)`` | before the scores | what the slots below read of the layer's input, [B, P, S]; None for nothing |
| ``visible_keys(queries, keys)`` | before the scores | which keys each query may see, [Q, K]; None for all |
| ``score_bias(qk)`` | before the scores | what to add to them, [B or 1, H, Q, K]; None for nothing |
| ``score_terms(qk)`` | before the scores, if recorded | the terms that they are the sum of, [B, H, Q, K] each |
| ``transform_query_key(qk)`` | before the scores | queries and keys as q·k uses them, [B, H, P, E′] each |
| ``add_to_values(pattern, qk)`` | after the softmax | what to add to pattern·v, [B, H, Q, E]; None for nothing |

``qk`` is a :class:`QueryKey`: queries, keys, positions and mask. Two more slots serve others:
``test_positions(n_tokens, draw)``, for measurements, returns the positions to give to ``map_positions`` for a sequence
of known length, [P], in one of ``n_test_draws`` draws; ``note_progress(trained_share)`` tells an encoding that changes
during training how far it is.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


class EncodingError(ValueError):
    """Parameters or positions that an encoding cannot take.

    ``key`` names the mistake and ``values`` are its numbers; a page that shows the error has a sentence for each key.
    """

    def __init__(self, key: str, **values: str | float) -> None:
        """Keep the parts of the sentence."""
        super().__init__(key)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        """Return the key with its numbers."""
        return f"{self.key}: {', '.join(f'{name} = {value}' for name, value in self.values.items())}"


@dataclass(frozen=True)
class Parameter:
    """A number that a user may set, with its default and range; sliders and validation are made from it.

    ``open_below`` excludes ``low`` itself; ``logarithmic`` asks for a slider with a logarithmic scale.
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
        """Raise ValueError if ``value`` is not allowed."""
        if not isinstance(value, int | float):
            raise ValueError(f"{encoding} was given {self.name} = {value!r}; it takes a number")
        too_low = value <= self.low if self.open_below else value < self.low
        if too_low or value > self.high or math.isnan(value) or (self.integer and value != int(value)):
            kind = "a whole number" if self.integer else "a number"
            lower = "above" if self.open_below else "from"
            raise ValueError(
                f"{encoding} was given {self.name} = {value if isinstance(value, int) else f'{value:g}'}; "
                f"it takes {kind} {lower} {self.low:g} up to {self.high:g}"
            )


@dataclass(frozen=True)
class Properties:
    """The properties by which encodings are compared.

    Attributes:
        kind: whether the scores depend on a token's position, on the distance between two tokens, or on neither.
        acts_on: where the encoding enters the model: the slots it fills.
        learned: whether it has weights.
        decay: how far distance alone can lower a score: not at all, by a bounded amount, or without bound.
        extrapolates: whether the formula treats distances beyond the trained ones as trained ones: it reads none,
            clips or rescales them, or only lowers their scores further, which may leave the trained range; "by a
            factor" if only up to a chosen multiple of the trained length.
        tells_direction: whether keys at the same distance before and after the query differ, without a causal mask.
        published_for: the attention that its paper defines it for; each file says what it does in the other kind.
        takes_positions: whether it reads the position numbers, so that rescaling them has an effect.
        cache: whether decoding with cached keys gives the same result as the full sequence.
        memory: whether keys of an earlier segment may be read at any distance. False if the remembered states already
            contain positions: they are then right only while positions continue to count up.
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
    """The description of an encoding for selectors, comparisons, formulas and model cards.

    ``explanation`` says in one or two sentences, as plain text, what it does. ``other_names`` are what texts call it
    besides ``title``, and ``used_in`` names well-known published models that have it.
    ``inner`` names the encoding that a wrapper wraps by default; None if it wraps nothing. ``wraps_any`` tells whether
    it also wraps encodings that take no positions, ``wraps_added`` whether only those that add to the embeddings.
    ``note`` is what the formula does not show: where the code departs from the paper, and what the paper has that is
    left out.
    """

    name: str
    title: str
    explanation: str
    paper: str
    year: int
    formula: str
    properties: Properties
    parameters: tuple[Parameter, ...] = ()
    other_names: tuple[str, ...] = ()
    used_in: tuple[str, ...] = ()
    inner: str | None = None
    wraps_any: bool = False
    wraps_added: bool = False
    note: str = ""

    def can_wrap(self, other: "Description") -> bool:
        """Whether this wrapper may wrap the encoding that ``other`` describes."""
        if other.inner is not None:
            return False
        if self.wraps_added:
            return "embeddings" in other.properties.acts_on
        return self.wraps_any or other.properties.takes_positions


@dataclass(frozen=True)
class PositionalConfig:
    """The name and parameters of a registered encoding, as a model's configuration file stores them.

    ``inner`` is the encoding that a wrapper wraps.
    """

    name: str
    parameters: dict[str, float] = field(default_factory=dict)
    inner: "PositionalConfig | None" = None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "PositionalConfig":
        """Return the configuration with these ``values``, as read from JSON.

        Raises:
            ValueError: an unknown entry, no name, or an entry of another kind.
        """
        if not isinstance(values, Mapping):
            raise ValueError(f"a positional encoding was given as {values!r}; it is a table with a name")
        unknown = sorted(values.keys() - {"name", "parameters", "inner"})
        if unknown or "name" not in values:
            entries = ", ".join(values) or "nothing"
            raise ValueError(f"a positional encoding was given {entries}; its entries are name, parameters and inner")
        name, parameters, inner = values["name"], values.get("parameters", {}), values.get("inner")
        if not isinstance(name, str) or not isinstance(parameters, Mapping):
            raise ValueError(f"a positional encoding was given {name!r} with {parameters!r}; it is a name with a table")
        return cls(name, dict(parameters), None if inner is None else cls.from_dict(inner))


@dataclass(frozen=True)
class StackSpec:
    """The sizes of the stack that an encoding serves, and whether its attention is causal."""

    d_model: int
    n_heads: int
    d_key: int
    d_value: int
    n_layers: int
    causal: bool


@dataclass(frozen=True)
class QueryKey:
    """The queries and keys of one attention block, before any transform, and their positions.

    The positions are those that :meth:`PositionalEncoding.map_positions` returned. The mask is True where a query may
    attend to a key; None allows all. ``key_state`` is what :meth:`PositionalEncoding.key_state` returned for the keys.
    """

    q: Float[Tensor, "batch head query d_key"]
    k: Float[Tensor, "batch head key d_key"]
    query_positions: Int[Tensor, " query"]
    key_positions: Int[Tensor, " key"]
    mask: Bool[Tensor, "#batch 1 #query key"] | None = None
    key_state: Float[Tensor, "batch key state"] | None = None

    def distances(self) -> Int[Tensor, "query key"]:
        """Return i − j for a query at i and a key at j: positive for keys before the query."""
        return distances(self.query_positions, self.key_positions)

    def n_allowed(self) -> Int[Tensor, "#batch 1 #query"]:
        """Return how many keys each query may attend to."""
        if self.mask is None:
            return torch.full((1, 1, 1), self.k.shape[-2], device=self.k.device)
        return self.mask.sum(-1)


class PositionalEncoding(nn.Module):
    """Base of every positional encoding; each slot does nothing by default.

    Positions are whole numbers in any order, and some tasks repeat them. They need not start at 0: a cache or a memory
    shifts them, and keys may stand before the first query.
    """

    description: Description
    per_layer: ClassVar[bool] = False
    """Whether each layer has weights of its own; :func:`model.positional.build` then builds one encoding a layer."""
    changes_product: bool = False
    """Whether :meth:`score_bias` is a change of q·k/√d_key itself, which then has the scale of q·k."""
    is_linear: bool = True
    """Whether :meth:`transform_query_key` is linear in queries and keys, but for a part that is added."""

    @property
    def reads_pattern(self) -> bool:
        """Whether the attention pattern itself is needed, which the fused attention kernel does not return."""
        return type(self).add_to_values is not PositionalEncoding.add_to_values

    @property
    def changes_in_training(self) -> bool:
        """Whether it is another encoding after training than during it."""
        return type(self).note_progress is not PositionalEncoding.note_progress

    def note_progress(self, trained_share: float) -> None:
        """Note, before a training step, the share of all steps that are over, from 0 to below 1."""

    def map_positions(self, positions: Int[Tensor, " position"]) -> Int[Tensor, " position"]:
        """Return the positions that every other slot gets for tokens at ``positions`` of the sequence."""
        return positions

    @property
    def n_test_draws(self) -> int:
        """In how many draws of test positions a measurement is split; 1 where these are not random."""
        return 1

    def test_positions(self, n_tokens: int, draw: int = 0) -> Int[Tensor, " position"]:
        """Return what to give :meth:`map_positions` when a sequence of known length ``n_tokens`` is measured.

        Where positions are random, each ``draw`` has others.
        """
        return torch.arange(n_tokens)

    def additive_encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"] | None:
        """Return what to add to the embeddings at each position; None for nothing."""
        return None

    def additive_encoding_by_row(
        self, positions: Int[Tensor, " position"], n_rows: int
    ) -> Float[Tensor, "*batch position d_model"] | None:
        """Return what to add to the embeddings of ``n_rows`` sequences; with a first axis, to each another."""
        return self.additive_encoding(positions)

    def at_layer(self, layer: int) -> "PositionalEncoding":
        """Return the encoding as layer ``layer`` uses it; by default all layers share one."""
        return self

    def key_state(self, x: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position state"] | None:
        """Return what :class:`QueryKey` carries of the layer's input at each key; None for nothing.

        A cache keeps it beside keys and values, so it is a function of each position alone.
        """
        return None

    def visible_keys(
        self, query_positions: Int[Tensor, " query"], key_positions: Int[Tensor, " key"]
    ) -> Bool[Tensor, "query key"] | None:
        """Return True where the encoding lets a query attend to a key; None for everywhere.

        Each query sees itself.
        """
        return None

    def score_bias(self, qk: QueryKey) -> Float[Tensor, "#batch head query key"] | None:
        """Return what to add to q·k/√d_key before the mask; None for nothing.

        A term that its paper divides by √d_key is divided here.
        """
        return None

    def score_terms(self, qk: QueryKey) -> Mapping[str, Float[Tensor, "batch head query key"]]:
        """Return the terms whose sum is the scores before the mask, by the names that the paper gives them.

        Each is divided by √d_key.

        Empty unless the paper decomposes its score.
        """
        return {}

    def transform_query_key(
        self, qk: QueryKey
    ) -> tuple[Float[Tensor, "batch head query d_product"], Float[Tensor, "batch head key d_product"]]:
        """Return queries and keys as q·k uses them, in their own dtype; q·k is then divided by √d_product."""
        return qk.q, qk.k

    def add_to_values(
        self, pattern: Float[Tensor, "batch head query key"], qk: QueryKey
    ) -> Float[Tensor, "batch head query d_value"] | None:
        """Return what to add to pattern·v, or None; overriding this rules out the fused kernel."""
        return None


class LayerwiseEncoding(PositionalEncoding):
    """One encoding per layer, for encodings with separate weights in each layer."""

    def __init__(self, layers: Iterable[PositionalEncoding]) -> None:
        """Keep the encodings of all layers, in order."""
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.description = self.at_layer(0).description

    def at_layer(self, layer: int) -> PositionalEncoding:
        """Return the encoding of layer ``layer``."""
        encoding = self.layers[layer]
        assert isinstance(encoding, PositionalEncoding)
        return encoding


class WrappingEncoding(PositionalEncoding):
    """Another encoding with a change; what a wrapper does not change is that of ``inner``."""

    def __init__(self, inner: PositionalEncoding) -> None:
        """Wrap ``inner``, whose weights are shared, not copied."""
        super().__init__()
        self.inner = inner

    def map_positions(self, positions: Int[Tensor, " position"]) -> Int[Tensor, " position"]:
        """Return the positions of the inner encoding."""
        return self.inner.map_positions(positions)

    @property
    def n_test_draws(self) -> int:
        """In how many draws the inner encoding is measured."""
        return self.inner.n_test_draws

    def test_positions(self, n_tokens: int, draw: int = 0) -> Int[Tensor, " position"]:
        """Return the test positions of the inner encoding."""
        return self.inner.test_positions(n_tokens, draw)

    def additive_encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"] | None:
        """Return what the inner encoding adds to the embeddings."""
        return self.inner.additive_encoding(positions)

    def additive_encoding_by_row(
        self, positions: Int[Tensor, " position"], n_rows: int
    ) -> Float[Tensor, "*batch position d_model"] | None:
        """Return what the inner encoding adds to the embeddings of each row."""
        return self.inner.additive_encoding_by_row(positions, n_rows)

    def at_layer(self, layer: int) -> PositionalEncoding:
        """Return the inner encoding of ``layer``, which acts on the mapped positions."""
        return self.inner.at_layer(layer)


def note_progress(model: nn.Module, trained_share: float) -> None:
    """Tell every encoding in ``model`` before a training step which share of all steps has been taken."""
    for module in model.modules():
        if isinstance(module, PositionalEncoding):
            module.note_progress(trained_share)


def distances(query_positions: Int[Tensor, " query"], key_positions: Int[Tensor, " key"]) -> Int[Tensor, "query key"]:
    """Return i − j for a query at i and a key at j: positive for keys before the query."""
    return query_positions[:, None] - key_positions[None, :]  # [Q, K]
