"""Session state of the page Generation, in a module of its own so that its classes stay the same."""

import time
from dataclasses import dataclass

from model.attention import SegmentSpec
from model.decoding.options import SamplingOptions
from model.decoding.segmented import MemoryGenerator
from viz.shared.shipped import Stamp
from viz.shell.heavy import QueuePlace

MOST_WRITTEN = 1_000
"""Characters that are written after one prompt."""


@dataclass(frozen=True)
class WritingTask:
    """The prompt and how it is read; a change starts again."""

    files: tuple[Stamp, ...]
    prompt: str
    spec: SegmentSpec
    seed: int


@dataclass
class Writing:
    """Generation of this session: its writer, its duration, and its place in the server's queue, if any."""

    task: WritingTask
    writer: MemoryGenerator
    seconds: float = 0.0
    place: QueuePlace | None = None

    @property
    def is_on(self) -> bool:
        """Whether it writes, or waits for its turn."""
        return self.place is not None and not self.place.is_left

    @property
    def is_full(self) -> bool:
        """Whether as much is written as may be."""
        return len(self.writer.written) >= MOST_WRITTEN

    def write(self, n_characters: int, options: SamplingOptions, seconds: float = float("inf")) -> None:
        """Write so many characters, fewer where it is full or that much time is over before."""
        start = time.perf_counter()
        for _ in range(n_characters):
            if self.is_full or time.perf_counter() - start >= seconds:
                break
            self.writer.write(options)
        self.seconds += time.perf_counter() - start
        if self.is_full:
            self.stop()
        elif self.place:
            self.place.renew()

    def stop(self) -> None:
        """Give its place back, if it has one."""
        if self.place:
            self.place.leave()


@dataclass(frozen=True)
class Clock:
    """Whether the browser calls for characters."""

    is_on: bool = False
