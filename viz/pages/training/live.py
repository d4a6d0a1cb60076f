"""Runs that a visitor trains himself: in a process of their own, whose frames are gathered as they come."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread

import streamlit as st

from model.tasks import Tokens
from model.zoo.messages import Messages, Opening, Order, Refusal, Seen, Wish
from model.zoo.recording import Frame, Recording, as_seen, recording_of
from model.zoo.watched import Watched
from viz.shell.attended import Attended
from viz.shell.heavy import TRAINING, Place, queue

LEASE = 60.0
"""Seconds after which a run ends whose page was left."""

MOST_SECONDS = 300.0
"""That a run may take, its pauses included: others wait."""

# The app's own visitors come first.
_NICENESS = 10
_ROOT = Path(__file__).parents[3]
_COMMAND = (sys.executable, "-m", "model.training.zoo.live")


class Trainer:
    """A process that has imported what training needs and waits for an order, for whoever presses Train next.

    It ends by itself where nobody has called for it for a while; see ``model/zoo/messages.py``.
    """

    def __init__(self) -> None:
        """Begin without a process."""
        self._lock = Lock()
        self._waiting: subprocess.Popen[bytes] | None = None

    def keep_ready(self) -> None:
        """Have a process ready soon, and for a while."""
        with self._lock:
            if self._waiting is None or not _write(self._waiting, b"\n"):
                self._waiting = _started()

    def take(self) -> "subprocess.Popen[bytes]":
        """Return a process that is there for the caller alone, the one that is ready if there is one."""
        with self._lock:
            taken, self._waiting = self._waiting, None
        return taken if taken is not None and taken.poll() is None else _started()


class LiveRuns:
    """Runs side by side that wait for their turn, train, rest, or are over; what was seen of them stays."""

    def __init__(self, runs: Sequence[Watched], place: Place, take: Callable[[], "subprocess.Popen[bytes]"]) -> None:
        """Train ``runs`` in the turn of ``place``, in the process that ``take`` gives."""
        self.asked = tuple(runs)
        self.place = place
        self.wish = Wish()
        self.refusal: str | None = None
        self._opening: Opening | None = None
        self._frames: tuple[list[Frame], ...] = tuple([] for _ in runs)
        self._messages = Messages()
        self._process = Attended(lambda: self._ordered(take()), place, self._take, most_seconds=MOST_SECONDS)

    @property
    def is_running(self) -> bool:
        """Whether they wait, train or rest."""
        return self._process.is_running

    @property
    def is_stopped(self) -> bool:
        """Whether they were ended early, by their visitor or because he left."""
        return self._process.is_stopped

    @property
    def is_out_of_time(self) -> bool:
        """Whether they were ended because they took too long."""
        return self._process.is_out_of_time

    @property
    def has_failed(self) -> bool:
        """Whether their process ended early by itself."""
        return self._process.has_failed

    @property
    def n_frames(self) -> int:
        """How many frames there are of each run."""
        return min(map(len, self._frames))

    @property
    def tokens(self) -> Tokens:
        """What every model reads where its patterns are shown; nothing before the first frame."""
        return self._opening.tokens if self._opening else ()

    @property
    def every(self) -> int:
        """How many steps are from frame to frame."""
        return self._opening.every if self._opening else 1

    def change(self, wish: Wish) -> None:
        """Have the runs go on as ``wish`` says."""
        self.wish = wish
        self._process.tell(wish.to_line())

    def stop(self) -> None:
        """End them."""
        self._process.stop()

    def recordings(self) -> tuple[Recording, ...]:
        """Return what was seen of each run so far, and the command that trains it; nothing before the first frame."""
        n_frames, opening = self.n_frames, self._opening
        if not n_frames or opening is None:
            return ()
        recordings = []
        for number, (asked, frames) in enumerate(zip(self.asked, self._frames, strict=True), start=1):
            seen = frames[:n_frames]
            run = as_seen(asked, seen)
            command = run.command(f"model-{number}.safetensors", opening.every)
            recordings.append(recording_of(run, opening.tokens, seen, command=command, commit=""))
        return tuple(recordings)

    def _ordered(self, process: "subprocess.Popen[bytes]") -> "subprocess.Popen[bytes]":
        _write(process, Order(self.asked).to_line())
        # What was wished while it waited.
        _write(process, self.wish.to_line())
        return process

    def _take(self, content: bytes) -> None:
        for message in self._messages.take(content):
            match message:
                case Opening():
                    self._opening = message
                case Refusal(reason):
                    self.refusal = reason
                case Seen(place, frame):
                    self._frames[place].append(frame)


@st.cache_resource(show_spinner=False)
def trainer() -> Trainer:
    """Return the trainer of this server."""
    return Trainer()


def begin(runs: Sequence[Watched], rate_factor: float) -> LiveRuns:
    """Return ``runs`` at the end of the queue; raises QueueFullError where that is full."""
    live = LiveRuns(runs, queue().enter(TRAINING, LEASE), trainer().take)
    live.change(replace(live.wish, rate_factor=rate_factor))
    return live


def _started() -> "subprocess.Popen[bytes]":
    pipe, unheard = subprocess.PIPE, subprocess.DEVNULL
    surroundings = os.environ | {"OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        _COMMAND, cwd=_ROOT, env=surroundings, stdin=pipe, stdout=pipe, stderr=unheard, bufsize=0
    )
    os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    # Its end is heard of at once, also where nobody asks for it.
    Thread(target=process.wait, daemon=True).start()
    return process


def _write(process: "subprocess.Popen[bytes]", content: bytes) -> bool:
    """Write ``content`` into the input of ``process``; return whether it is still there."""
    if process.poll() is not None or process.stdin is None:
        return False
    try:
        process.stdin.write(content)
    except OSError:
        return False
    return True
