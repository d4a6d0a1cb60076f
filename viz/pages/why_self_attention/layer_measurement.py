"""A measurement of layers in a process of its own, so that no other visitor waits for it."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from io import IOBase
from pathlib import Path
from typing import IO, Any
from weakref import finalize

from model.analysis.layer_cost import Sizes
from model.analysis.layer_timing import STEPS, TIMED, Axis

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
    """A running or finished measurement; it ends with the session that asked for it, if not before."""

    def __init__(self, sizes: Sizes, vary: Axis) -> None:
        """Start to time every kind of layer at every size of ``vary``, the others as in ``sizes``."""
        self.vary: Axis = vary
        self.is_stopped = False
        self.n_layers = len(STEPS[vary]) * len(TIMED)
        self._out, self._errors = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115 - closed by _end
        # The app's own visitors come first, hence nice.
        options = [f"--{name}={value}" for name, value in {**vars(sizes), "nice": 5}.items()]
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "model.analysis.layer_timing",
                f"--vary={vary}",
                f"--repetitions={REPETITIONS}",
                *options,
            ],
            cwd=_ROOT,
            stdout=self._out,
            stderr=self._errors,
        )
        finalize(self, _end, self._process, self._out, self._errors)

    @property
    def is_running(self) -> bool:
        """Whether layers are still being timed."""
        return self._process.poll() is None

    @property
    def failure(self) -> str | None:
        """The last line that a process wrote as an error before it ended early; None where it was stopped."""
        if self.is_running or self.is_stopped or not self._process.returncode:
            return None
        errors = _content(self._errors).strip()
        return errors.splitlines()[-1] if errors else f"exit status {self._process.returncode}"

    def stop(self) -> None:
        """End it; what is measured stays."""
        if self.is_running:
            self.is_stopped = True
            self._process.kill()
            self._process.wait()

    def read(self) -> Timings:
        """Return the results so far."""
        # The last line may be half written.
        entries = [json.loads(line) for line in _content(self._out).splitlines(keepends=True) if line.endswith("\n")]
        if not entries:
            return Timings(None, ())
        return Timings(entries[0]["machine"], tuple(entries[1:]))


def _content(file: IO[bytes]) -> str:
    # The process writes at the place that both share; reading must not move it.
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode()


def _end(process: subprocess.Popen[bytes], *files: IOBase | IO[bytes]) -> None:
    process.kill()
    process.wait()
    for file in files:
        file.close()
