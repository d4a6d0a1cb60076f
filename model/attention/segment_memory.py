"""Memory over segments: what a layer read in earlier ones, kept for its attention (Dai et al. 2019, §3.2)."""

from dataclasses import dataclass, replace

from jaxtyping import Bool, Float, Int
from torch import Tensor, cat

from model.attention.functional import causal_mask
from model.hooks import hook


@dataclass
class LayerMemory:
    """What one attention block read at the last ``mem_len`` positions, [B, M, D], or None before the first segment.

    No gradient flows into it: the model learns to use what it remembers, not to remember other things.
    """

    mem_len: int
    states: Tensor | None = None

    def extend(self, x: Float[Tensor, "batch position d_model"], name: str) -> Float[Tensor, "batch key d_model"]:
        """Return memory and segment, oldest first, for the block ``name`` to attend to; remember the last of both."""
        read = x if self.states is None else cat((hook(f"{name}.memory", self.states), x), dim=1)  # [B, M + P, D]
        self.states = read[:, max(0, read.shape[1] - self.mem_len) :].detach()  # [B, M, D]
        return read


@dataclass(frozen=True)
class SegmentMemory:
    """The memory of every layer, extended in place by each segment that is read.

    Attributes:
        layers: one for each layer, all of the same length.
        same_length: whether every query sees ``mem_len`` keys, itself among them, instead of all that there are: the
            first of a segment then sees as many as its last (the authors' ``same_length``).
        segment_length: of segments that are read several at once, each seeing what it would if they were read one after
            the other, if the encoding counts distances alone; None if each is read by itself.

    Raises:
        ValueError: a memory of less than 0 positions, or of none under ``same_length``.
    """

    layers: tuple[LayerMemory, ...]
    same_length: bool = False
    segment_length: int | None = None

    def __post_init__(self) -> None:
        """Check the length."""
        least = 1 if self.same_length else 0
        if self.mem_len < least:
            raise ValueError(f"mem_len is {self.mem_len}; it must be at least {least}")

    @property
    def mem_len(self) -> int:
        """How many positions are remembered at most."""
        return self.layers[0].mem_len

    @property
    def length(self) -> int:
        """How many positions are remembered now."""
        states = self.layers[0].states
        return 0 if states is None else states.shape[1]

    def mask(
        self, query_positions: Int[Tensor, " query"], key_positions: Int[Tensor, " key"]
    ) -> Bool[Tensor, "1 1 query key"]:
        """Return True where a query may look at a key; the first query begins a segment."""
        allowed = causal_mask(query_positions, key_positions)
        if self.segment_length is not None:
            place = query_positions - query_positions[0]  # [Q]
            oldest = query_positions - place % self.segment_length - self.mem_len  # [Q]
            allowed = allowed & ~causal_mask(oldest - 1, key_positions)
        if not self.same_length:
            return allowed
        return allowed & ~causal_mask(query_positions - self.mem_len, key_positions)

    def copy(self) -> "SegmentMemory":
        """Return a memory that can be extended without this one changing."""
        layers = tuple(LayerMemory(layer.mem_len, layer.states) for layer in self.layers)
        return replace(self, layers=layers)
