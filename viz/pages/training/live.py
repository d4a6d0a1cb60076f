"""Runs that a visitor trains: in a process of their own, whose frames are gathered as they come."""

import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from model.zoo.messages import Control, Messages, Opening, Order, Refusal, SeenFrame, Weights
from model.zoo.recording import Frame, TrainingRecording, as_seen, recording_of
from model.zoo.watched_runs import WatchedRun
from viz.pages.training.ready import trainer, write
from viz.shell.attended import Attended
from viz.shell.heavy import TRAINING, QueuePlace, queue

State = Literal["waiting", "training", "paused", "over"]
End = Literal["finished", "stopped", "left", "out of time"]

LEASE = 60.0
"""Seconds after which a run ends whose page was left."""

MOST_SECONDS = 300.0
"""That a run may take, its pauses included: others wait."""


class _Clock:
    """Seconds between ticks, those in which it was paused left out."""

    def __init__(self) -> None:
        """Begin now."""
        self.is_paused = False
        self.restart()

    def restart(self) -> None:
        """Begin again."""
        self.seconds = 0.0
        self._last = time.monotonic()

    def tick(self) -> None:
        """Count the time since the tick before, unless it is paused."""
        now = time.monotonic()
        self.seconds += 0.0 if self.is_paused else now - self._last
        self._last = now


class LiveRuns:
    """Runs side by side that wait for their turn, train, rest, or are over; what was seen of them stays."""

    def __init__(
        self, runs: Sequence[WatchedRun], place: QueuePlace, take: Callable[[], "subprocess.Popen[bytes]"]
    ) -> None:
        """Train ``runs`` in the turn of ``place``, in the process that ``take`` gives."""
        self.asked = tuple(runs)
        self.place = place
        self.wish = Control()
        self.refusal: str | None = None
        self._is_ended = False
        self._clock = _Clock()
        self._opening: Opening | None = None
        self._frames: tuple[list[Frame], ...] = tuple([] for _ in runs)
        self._weights: dict[int, bytes] = {}
        self._messages = Messages()
        self._process = Attended(lambda: self._ordered(take()), place, self._take, most_seconds=MOST_SECONDS)

    @property
    def is_running(self) -> bool:
        """Whether they wait, train or rest."""
        return self._process.is_running

    @property
    def state(self) -> State:
        """The current state: waiting for the first frame, training, resting, or over."""
        if not self.is_running:
            return "over"
        if not self.n_frames:
            return "waiting"
        return "paused" if self.wish.is_paused else "training"

    @property
    def end(self) -> End | None:
        """The reason for the end, if it is over: all steps taken, the visitor's choice or exit, or timeout."""
        if self.is_running:
            return None
        if self._process.is_out_of_time:
            return "out of time"
        if self._process.is_stopped:
            return "stopped" if self._is_ended else "left"
        return "finished"

    @property
    def has_failed(self) -> bool:
        """Whether their process ended early by itself."""
        return self._process.has_failed

    @property
    def n_frames(self) -> int:
        """The number of frames of each run."""
        return min(map(len, self._frames))

    @property
    def seconds(self) -> float:
        """From the order to the last frame, without the pauses."""
        return self._clock.seconds

    def change(self, wish: Control) -> None:
        """Have the runs go on as ``wish`` says."""
        self.wish = wish
        self._clock.tick()
        self._clock.is_paused = wish.is_paused
        self._process.tell(wish.to_line())

    def stop(self) -> None:
        """End them; what was seen stays."""
        self._is_ended = True
        self._process.stop()

    def recordings(self) -> tuple[TrainingRecording, ...]:
        """Return each run's recording so far, with the command that trains it; empty before the first frame."""
        n_frames, opening = self.n_frames, self._opening
        if not n_frames or opening is None:
            return ()
        seen = [frames[:n_frames] for frames in self._frames]
        return tuple(
            recording_of(as_seen(asked, frames), opening.tokens, frames, command=command, commit="")
            for asked, frames, command in zip(self.asked, seen, self.commands(), strict=True)
        )

    @property
    def weights(self) -> tuple[bytes, ...]:
        """The final weights of each run, as a safetensors file; empty until all have taken all steps."""
        weights = self._weights
        return tuple(weights[place] for place in range(len(self.asked))) if len(weights) == len(self.asked) else ()

    def commands(self) -> tuple[str, ...]:
        """Return the command that trains each run, as its rate was changed."""
        return commands_of(tuple(map(as_seen, self.asked, self._frames)), self._opening.every if self._opening else 1)

    def _ordered(self, process: "subprocess.Popen[bytes]") -> "subprocess.Popen[bytes]":
        self._clock.restart()
        write(process, Order(self.asked).to_line())
        # What was wished while it waited.
        write(process, self.wish.to_line())
        return process

    def _take(self, content: bytes) -> None:
        for message in self._messages.take(content):
            match message:
                case Opening():
                    self._opening = message
                case Refusal(reason):
                    self.refusal = reason
                case SeenFrame(place, frame):
                    self._frames[place].append(frame)
                    self._clock.tick()
                case Weights(place, weights):
                    self._weights[place] = weights


def commands_of(runs: Sequence[WatchedRun], every: int = 1) -> tuple[str, ...]:
    """Return the command that trains each of ``runs``, and records a frame of every ``every`` steps."""
    return tuple(run.command(f"model-{number}.safetensors", every) for number, run in enumerate(runs, start=1))


def begin(runs: Sequence[WatchedRun], rate_factor: float) -> LiveRuns:
    """Return ``runs`` at the end of the queue; raises QueueFullError where that is full."""
    live = LiveRuns(runs, queue().enter(TRAINING, LEASE), trainer().take)
    live.change(replace(live.wish, rate_factor=rate_factor))
    return live
