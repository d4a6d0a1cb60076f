"""Reading of a text: its segments, and the model's memory before each of them."""

from itertools import groupby

import torch
from jaxtyping import Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.attention import SegmentMemory, SegmentSpec

_MAX_KEPT = 16


def segment_row(rows: Int[Tensor, "row read"], segment: int, spec: SegmentSpec) -> Int[Tensor, "row read"]:
    """Return segment ``segment`` of ``rows``, from 0, and the next character if there is one."""
    start = segment * spec.segment_length
    return rows[:, start : start + spec.segment_length + 1]


@torch.inference_mode()
def memory_before(model: DecoderOnly, rows: Int[Tensor, "row read"], segment: int, spec: SegmentSpec) -> SegmentMemory:
    """Return the memory of ``model`` before ``segment``, after all the text with an influence there.

    The further back a segment is, the fewer layers of it are felt: a layer's memory holds what the one below it made.
    """
    length, n_layers = spec.segment_length, model.config.n_layers
    memory, start = model.new_memory(spec.mem_len, segment_length=length), segment * length
    # Where the output of each layer but the last begins to be felt.
    felt = [spec.earliest_source(start, n_layers - 1 - layer) for layer in range(n_layers - 1)]
    first = spec.border(spec.earliest_source(start, n_layers))
    for n_felt, group in groupby(
        range(first, start, length), lambda begin: sum(place < begin + length for place in felt)
    ):
        begins = list(group)
        model.remember(rows[:, begins[0] : begins[-1] + length], memory, n_felt)
    return memory


class Memories:
    """Memories before the last requested segments of one text, read-only: copy one to extend it.

    Going on to the next segment reads one segment, going elsewhere all that can be felt there.
    """

    def __init__(self, model: DecoderOnly, rows: Int[Tensor, "row read"], spec: SegmentSpec) -> None:
        """Begin with none, for ``rows`` read by ``model`` in evaluation mode."""
        self._model, self._rows, self._spec = model, rows, spec
        self._kept: dict[int, SegmentMemory] = {}

    @property
    def ids(self) -> Int[Tensor, " position"]:
        """The text."""
        return self._rows[0]

    @torch.inference_mode()
    def before(self, segment: int) -> SegmentMemory:
        """Return the memory before ``segment``, counted from 0."""
        kept = dict(self._kept)  # sessions share it, and each may change it
        memory = kept.get(segment)
        if memory is None and segment - 1 in kept:
            memory = kept[segment - 1].copy()
            length = self._spec.segment_length
            self._model(self._rows[:, (segment - 1) * length : segment * length], memory=memory)
        elif memory is None:
            memory = memory_before(self._model, self._rows, segment, self._spec)
        self.keep(segment, memory)
        return memory

    def keep(self, segment: int, memory: SegmentMemory) -> None:
        """Keep ``memory``, which will not be extended, as the one before ``segment``."""
        others = [(one, other) for one, other in self._kept.items() if one != segment]
        self._kept = dict([*others[-(_MAX_KEPT - 1) :], (segment, memory)])
