"""What a session writes on the page Generation; imported by it, so that both know one class from run to run."""

import time
from dataclasses import dataclass

from model.analysis.memory_influence import SegmentSpec
from model.decoding.options import SamplingOptions
from model.decoding.segmented import MemoryGenerator
from viz.shell.shipped import Stamp

MOST_WRITTEN = 1_000
"""Characters that are written after one prompt."""


@dataclass(frozen=True)
class WritingTask:
    """What is written on after, and how it is read: a change of it begins anew."""

    files: tuple[Stamp, ...]
    prompt: str
    spec: SegmentSpec
    seed: int


@dataclass
class Writing:
    """What this session writes: its writer, the seconds that took, and whether it is going on."""

    task: WritingTask
    writer: MemoryGenerator
    seconds: float = 0.0
    is_on: bool = False

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
        self.is_on = self.is_on and not self.is_full


@dataclass(frozen=True)
class Clock:
    """Whether the browser calls for characters."""

    is_on: bool = False
