"""A measurement of layers in a process of its own, so that no other visitor waits for it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import sleep
from typing import IO, Any
from weakref import finalize

from model.analysis.layer_cost import Sizes
from model.analysis.layer_timing import STEPS, TIMED, Axis
from viz.shell.heavy import POLL, Place

REPETITIONS = 5
MAX_SIZES = Sizes(n=1024, d=512, k=9, r=32)
"""The largest sizes that are measured, but for the one that is varied: half a minute on one core, half a gigabyte."""

_ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Timings:
    """The results of a measurement so far: the machine, once it is known, and an entry for each layer that is timed."""

    machine: str | None
    layers: tuple[dict[str, Any], ...]


class Measurement:
    """A measurement that waits for its turn, runs, or is over: finished, failed, or stopped with its place."""

    def __init__(self, sizes: Sizes, vary: Axis, place: Place) -> None:
        """Time every kind of layer at every size of ``vary``, the others as in ``sizes``, in the turn of ``place``."""
        self.vary: Axis = vary
        self.place = place
        self.is_stopped = False
        self.n_layers = len(STEPS[vary]) * len(TIMED)
        self._written = b""
        self._status: int | None = None
        # The app's own visitors come first, hence nice.
        options = {"vary": vary, "repetitions": REPETITIONS, **vars(sizes), "nice": 5}
        command = [sys.executable, "-m", "model.analysis.layer_timing"]
        command += [f"--{name}={value}" for name, value in options.items()]
        self._runner = Thread(target=self._run, args=(command,), daemon=True)
        self._runner.start()

    @property
    def is_running(self) -> bool:
        """Whether layers are still being timed, or will be."""
        return self._runner.is_alive()

    @property
    def failure(self) -> str | None:
        """The last line that a process wrote as an error before it ended early; None where it was stopped."""
        if self.is_running or self.is_stopped or not self._status:
            return None
        errors = [line for line in self._lines() if not _is_entry(line)]
        return errors[-1].strip() if errors else f"exit status {self._status}"

    def stop(self) -> None:
        """End it; what is measured stays."""
        self.place.leave()
        self._runner.join()

    def read(self) -> Timings:
        """Return the results so far."""
        entries = [json.loads(line) for line in self._lines() if _is_entry(line)]
        if not entries:
            return Timings(None, ())
        return Timings(entries[0]["machine"], tuple(entries[1:]))

    def _lines(self) -> list[str]:
        return self._written.decode(errors="replace").splitlines(keepends=True)

    def _run(self, command: list[str]) -> None:
        try:
            while not self.place.is_left and self.place.n_ahead:
                sleep(POLL)
            if self.place.is_left:
                self.is_stopped = True
                return
            # A pipe, because a file would need a temporary folder.
            with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
                finalize(self, process.kill)  # where the server is stopped
                self._follow(process)
        finally:
            self.place.leave()

    def _follow(self, process: subprocess.Popen[bytes]) -> None:
        out: IO[bytes] = process.stdout  # type: ignore[assignment]
        os.set_blocking(out.fileno(), False)
        while self._status is None:
            if self.place.is_left:
                self.is_stopped = True
                process.kill()
                process.wait()
            # The status first: what is read after the end is all.
            self._status = process.poll()
            self._written += out.read() or b""
            if self._status is None:
                sleep(POLL)


def _is_entry(line: str) -> bool:
    # The last line may be half written.
    return line.startswith("{") and line.endswith("}\n")
