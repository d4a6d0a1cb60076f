"""A text as rows read side by side, segment after segment (Dai et al. 2019, §3.2).

Each row goes on where it was.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.attention import LayerMemory, SegmentMemory
from model.training.language_model.loss import SegmentLoss
from model.training.loss import TokenLoss


@dataclass(frozen=True)
class Segment:
    """A segment of every stream, and the character after each of its own.

    It ``is_first`` where nothing came before it.
    """

    tokens: Int[Tensor, "stream position"]
    targets: Int[Tensor, "stream position"]
    is_first: bool

    def to(self, device: torch.device) -> "Segment":
        """Return the segment on ``device``."""
        return Segment(self.tokens.to(device), self.targets.to(device), self.is_first)


def cut_rows(ids: Int[Tensor, " position"], n_rows: int) -> Int[Tensor, "row read"]:
    """Return ``ids`` as ``n_rows`` equal rows that follow each other, without a remainder.

    A row's last id is also the first of the next row: as the character to predict here, and to read there.

    Raises:
        ValueError: less than one row, or too few ids to predict one in each.
    """
    length = (len(ids) - 1) // n_rows if n_rows > 0 else 0
    if length < 1:
        raise ValueError(f"{len(ids)} characters make no {n_rows} rows of at least two; give a longer text")
    return ids[: n_rows * length + 1].unfold(0, length + 1, length)


class TextStreams:
    """The segments of a text cut into ``n_streams`` rows.

    Every epoch leaves out some characters at the start of the text, less than a segment, so that it cuts the segments
    elsewhere. ``seed`` and the epoch's number decide how many: a resumed run goes on with what it would have read.
    """

    def __init__(self, ids: Int[Tensor, " position"], *, n_streams: int, segment_length: int, seed: int) -> None:
        """Keep the text; raises ValueError if it has no segment for every stream in every epoch."""
        needed = n_streams * segment_length + segment_length
        if len(ids) < needed:
            raise ValueError(
                f"the text to train on has {len(ids)} characters; {n_streams} streams of segments of {segment_length} "
                f"need {needed}: give a longer text, or fewer streams"
            )
        self._ids = ids
        self._n_streams = n_streams
        self._segment_length = segment_length
        self._seed = seed

    def epoch(self, number: int, *, start: int = 0) -> Iterator[Segment]:
        """Yield the segments of epoch ``number``, from the one with index ``start`` on."""
        left_out = int(np.random.default_rng((self._seed, number)).integers(self._segment_length))
        rows = cut_rows(self._ids[left_out:], self._n_streams)
        for index in range(start, (rows.shape[1] - 1) // self._segment_length):
            first = index * self._segment_length
            read = rows[:, first : first + self._segment_length + 1]
            yield Segment(read[:, :-1], read[:, 1:], is_first=index == 0)


class StreamLoss:
    """The loss of ``model`` on segment after segment, and the memory that it carries from one to the next.

    Args:
        model: the model that reads.
        mem_len: how many positions it remembers.
        segment_loss: which characters of a segment count.
    """

    def __init__(self, model: DecoderOnly, *, mem_len: int, segment_loss: SegmentLoss) -> None:
        """Begin with an empty memory."""
        self._model = model
        self._segment_loss = segment_loss
        self._mem_len = mem_len
        self._memory = model.new_memory(mem_len)

    def __call__(self, segment: Segment) -> TokenLoss:
        """Return the loss on ``segment``, whose states join the memory."""
        if segment.is_first:
            self._memory = self._model.new_memory(self._mem_len)
        return self._segment_loss(self._model(segment.tokens, memory=self._memory), segment.targets)

    def state_dict(self) -> dict[str, Any]:
        """Return the memory."""
        return {"states": [layer.states for layer in self._memory.layers]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take ``state`` for the memory."""
        device = self._model.embedding.weight.device
        states = (None if layer is None else layer.to(device) for layer in state["states"])
        self._memory = SegmentMemory(tuple(LayerMemory(self._mem_len, layer) for layer in states))
