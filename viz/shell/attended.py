"""A process for one visitor: it waits for its turn, and is killed where the visitor leaves."""

import math
import os
import selectors
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from time import sleep
from typing import IO
from weakref import finalize

from viz.shell.heavy import POLL, QueuePlace

Start = Callable[[], "subprocess.Popen[bytes]"]


class Attended:
    """A process that waits for its turn, runs, or is over: ended by itself, or stopped with its place."""

    def __init__(
        self, start: Start, place: QueuePlace, take: Callable[[bytes], object], *, most_seconds: float = math.inf
    ) -> None:
        """Wait for the turn of ``place`` in a thread.

        Args:
            start: begins the process, whose output is a pipe; called in the thread.
            place: is given back at the end of the process, which ends where it is left.
            take: gets what the process writes, as it comes; called in the thread.
            most_seconds: that the process has from its start.
        """
        self.place = place
        self.is_stopped = False
        self.is_out_of_time = False
        self.status: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._runner = Thread(target=self._run, args=(start, take, most_seconds), daemon=True)
        self._runner.start()

    @property
    def is_running(self) -> bool:
        """Whether it waits or runs."""
        return self._runner.is_alive()

    @property
    def has_failed(self) -> bool:
        """Whether it ended early, without anybody's having stopped it."""
        return not self.is_running and not self.is_stopped and self.status != 0

    def stop(self) -> None:
        """End it."""
        self.place.leave()
        self._runner.join()

    def tell(self, content: bytes) -> None:
        """Write ``content`` to the standard input of the process, if it is running and that is a pipe."""
        if self._process and self._process.stdin:
            with suppress(OSError, ValueError):
                self._process.stdin.write(content)

    def _run(self, start: Start, take: Callable[[bytes], object], most_seconds: float) -> None:
        try:
            while not self.place.is_left and self.place.n_ahead:
                sleep(POLL)
            if self.place.is_left:
                self.is_stopped = True
                return
            with start() as process:
                self._process = process
                finalize(self, process.kill)  # where the server is stopped
                self._follow(process, take, time.monotonic() + most_seconds)
        finally:
            self.place.leave()

    def _follow(self, process: subprocess.Popen[bytes], take: Callable[[bytes], object], deadline: float) -> None:
        out: IO[bytes] = process.stdout  # type: ignore[assignment]
        with selectors.DefaultSelector() as selector:
            selector.register(out, selectors.EVENT_READ)
            while True:
                if self.place.is_left or time.monotonic() > deadline:
                    self.is_out_of_time = self.is_out_of_time or not self.place.is_left
                    self.is_stopped = True
                    process.kill()
                if not selector.select(POLL):
                    continue
                content = os.read(out.fileno(), 1 << 16)
                if not content:
                    break
                take(content)
        self.status = process.wait()
