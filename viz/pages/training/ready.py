"""Processes that have imported what training needs, and wait for an order."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock, Thread

import streamlit as st

from viz.shell.heavy import TRAINING, from_environment

READY_SECONDS = 20.0
"""From call to call of an open page, less than a process waits for its order."""

MOST_READY = from_environment("TRAININGS_READY", min(2, TRAINING.at_once), least=0)
"""Processes that wait at once, of 250 MB each. Without any, the first picture of a run comes some seconds later."""

# The app's own visitors come first.
_NICER, _NICEST = from_environment("TRAINING_NICENESS", 10, least=0), 19
_ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-m", "model.training.zoo.live")


class Visitor:
    """Somebody who may press Train next: the same one as long as the session lasts."""


class ReadyTrainers:
    """Processes ready to train, one for each visitor who may press Train next.

    They have imported all that training needs. They end by themselves after a while without a visitor; see
    ``model/zoo/messages.py``.
    """

    def __init__(self, most: int = MOST_READY, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without a process; at most ``most`` wait at once, and ``clock`` tells seconds."""
        self._lock = Lock()
        self._most, self._clock = most, clock
        self._waiting: list[subprocess.Popen[bytes]] = []
        self._called: dict[object, float] = {}

    def keep_ready(self, visitor: object) -> None:
        """Have a process ready for ``visitor`` soon, and for a while; so for all who call every READY_SECONDS."""
        now = self._clock()
        with self._lock:
            self._called[visitor] = now
            self._called = {one: at for one, at in self._called.items() if now - at < 1.5 * READY_SECONDS}
            self._waiting = [process for process in self._waiting if _is_there(process)]
            for _ in range(min(self._most, len(self._called)) - len(self._waiting)):
                self._waiting.append(_started())
                Thread(target=self._forget_at_its_end, args=(self._waiting[-1],), daemon=True).start()

    def take(self) -> "subprocess.Popen[bytes]":
        """Return a process that is there for the caller alone: the one that is ready longest, if there is one."""
        with self._lock:
            while self._waiting:
                taken = self._waiting.pop(0)
                if taken.poll() is None:
                    return taken
                _close(taken)
        return _started()

    def _forget_at_its_end(self, process: "subprocess.Popen[bytes]") -> None:
        # Its end is heard of at once, also where nobody asks for it.
        process.wait()
        with self._lock:
            if process in self._waiting:
                self._waiting.remove(process)
                _close(process)


@st.cache_resource(show_spinner=False)
def trainer() -> ReadyTrainers:
    """Return the trainer of this server."""
    return ReadyTrainers()


def _started() -> "subprocess.Popen[bytes]":
    pipe, unheard = subprocess.PIPE, subprocess.DEVNULL
    surroundings = os.environ | {"OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(COMMAND, cwd=_ROOT, env=surroundings, stdin=pipe, stdout=pipe, stderr=unheard, bufsize=0)
    os.setpriority(os.PRIO_PROCESS, process.pid, min(os.getpriority(os.PRIO_PROCESS, 0) + _NICER, _NICEST))
    return process


def _is_there(process: "subprocess.Popen[bytes]") -> bool:
    """Tell ``process`` to wait on, and return whether it does; one that has ended gives back its pipes."""
    is_there = write(process, b"\n")
    if not is_there:
        _close(process)
    return is_there


def _close(process: "subprocess.Popen[bytes]") -> None:
    """Give back the pipes of a process that has ended."""
    with process:
        pass


def write(process: "subprocess.Popen[bytes]", content: bytes) -> bool:
    """Write ``content`` into the input of ``process``; return whether it is still there."""
    if process.poll() is not None or process.stdin is None:
        return False
    try:
        process.stdin.write(content)
    except OSError:
        return False
    return True
