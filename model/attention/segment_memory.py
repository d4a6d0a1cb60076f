"""Memory over segments: the kept inputs of a layer (Dai et al. 2019, §3.2)."""

from dataclasses import dataclass, replace

from jaxtyping import Bool, Float, Int
from torch import Tensor, cat

from model.attention.functional import causal_mask
from model.hooks import hook


@dataclass(frozen=True)
class SegmentSpec:
    """Segments of ``segment_length`` positions from a text's first id on, and a memory of ``mem_len``.

    Raises:
        ValueError: segments of less than one position, or a memory of less than none.
    """

    segment_length: int
    mem_len: int

    def __post_init__(self) -> None:
        """Check both."""
        if self.segment_length < 1 or self.mem_len < 0:
            raise ValueError(
                f"segments have {self.segment_length} positions and the memory {self.mem_len}; "
                "give at least 1 to a segment and 0 to the memory"
            )

    def border(self, place: int) -> int:
        """Return where the segment of ``place`` begins."""
        return place - place % self.segment_length

    def first_key(self, place: int) -> int:
        """Return the first place that a layer can look at from ``place``: the oldest in memory."""
        return max(0, self.border(place) - self.mem_len)

    def earliest_source(self, place: int, n_layers: int) -> int:
        """Return the first place whose id can change what ``n_layers`` layers make of ``place``.

        Every layer reaches one memory further back. It is ``n_layers`` memories before the segment, and further where
        a memory begins inside an earlier segment, because all of that segment's positions saw as much.
        """
        for _ in range(n_layers):
            place = self.first_key(place)
        return place


@dataclass
class LayerMemory:
    """The last ``mem_len`` inputs of one attention block, [B, M, D]; None before the first segment.

    No gradient flows into the memory.
    """

    mem_len: int
    states: Tensor | None = None

    def extend(self, x: Float[Tensor, "batch position d_model"], name: str) -> Float[Tensor, "batch key d_model"]:
        """Return memory and segment ``x``, oldest first, for the block ``name``; remember the newest."""
        context = x if self.states is None else cat((hook(f"{name}.memory", self.states), x), dim=1)  # [B, M + P, D]
        self.states = context[:, max(0, context.shape[1] - self.mem_len) :].detach()  # [B, M, D]
        return context


@dataclass(frozen=True)
class SegmentMemory:
    """The memory of every layer, extended in place by each segment that is read.

    Attributes:
        layers: the memory of each layer, all of the same length.
        segment_length: the length of segments that are read several at once. The mask then gives each the keys that it
            would see if they were read one by one; the result is the same for relative encodings. None for one at a
            time.

    Raises:
        ValueError: ``mem_len`` is negative.
    """

    layers: tuple[LayerMemory, ...]
    segment_length: int | None = None

    def __post_init__(self) -> None:
        """Check the length."""
        if self.mem_len < 0:
            raise ValueError(f"mem_len is {self.mem_len}; it must be at least 0")

    @property
    def mem_len(self) -> int:
        """The maximum number of remembered positions."""
        return self.layers[0].mem_len

    @property
    def length(self) -> int:
        """The number of remembered positions."""
        states = self.layers[0].states
        return 0 if states is None else states.shape[1]

    def mask(
        self, query_positions: Int[Tensor, " query"], key_positions: Int[Tensor, " key"]
    ) -> Bool[Tensor, "1 1 query key"]:
        """Return True where a query may attend to a key; the first query begins a segment."""
        allowed = causal_mask(query_positions, key_positions)
        if self.segment_length is None:
            return allowed
        offset = query_positions - query_positions[0]  # [Q]
        oldest = query_positions - offset % self.segment_length - self.mem_len  # [Q]
        return allowed & ~causal_mask(oldest - 1, key_positions)

    def copy(self) -> "SegmentMemory":
        """Return a copy that can be extended without a change of this memory."""
        layers = tuple(LayerMemory(layer.mem_len, layer.states) for layer in self.layers)
        return replace(self, layers=layers)
