"""A measurement of layers in a process of its own, so that no other visitor waits for it."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.analysis.costs.layer_cost import Sizes
from model.analysis.costs.layer_timing import STEPS, TIMED, Axis
from viz.shell.attended import Attended
from viz.shell.heavy import QueuePlace

REPETITIONS = 5
MAX_SIZES = Sizes(n=1024, d=512, k=9, r=32)
"""The largest sizes that are measured, but for the one that is varied: half a minute on one core, half a gigabyte."""

_ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Timings:
    """Results of a measurement so far: the machine, once known, and an entry for each timed layer."""

    machine: str | None
    layers: tuple[dict[str, Any], ...]


class LayerMeasurement:
    """A measurement that is queued, running, or over: finished, failed, or stopped with its place."""

    def __init__(self, sizes: Sizes, vary: Axis, place: QueuePlace) -> None:
        """Time every kind of layer at every size of ``vary``, with other sizes fixed, in ``place``'s turn."""
        self.vary: Axis = vary
        self.place = place
        self.n_layers = len(STEPS[vary]) * len(TIMED)
        self._written = b""
        # The app's own visitors come first, hence nice.
        options = {"vary": vary, "repetitions": REPETITIONS, **vars(sizes), "nice": 5}
        command = [sys.executable, "-m", "model.analysis.costs.layer_timing"]
        command += [f"--{name}={value}" for name, value in options.items()]
        # A pipe, because a file would need a temporary folder.
        pipe, merged = subprocess.PIPE, subprocess.STDOUT
        self._process = Attended(
            lambda: subprocess.Popen(command, cwd=_ROOT, stdout=pipe, stderr=merged), place, self._take
        )

    @property
    def is_running(self) -> bool:
        """Whether layers are still being timed, or will be."""
        return self._process.is_running

    @property
    def is_stopped(self) -> bool:
        """Whether it was ended before all layers were timed."""
        return self._process.is_stopped

    @property
    def failure(self) -> str | None:
        """The last line that a process wrote as an error before it ended early; None where it was stopped."""
        if not self._process.has_failed:
            return None
        errors = [line for line in self._lines() if not _is_entry(line)]
        return errors[-1].strip() if errors else f"exit status {self._process.status}"

    def stop(self) -> None:
        """End it; what is measured stays."""
        self._process.stop()

    def read(self) -> Timings:
        """Return the results so far."""
        entries = [json.loads(line) for line in self._lines() if _is_entry(line)]
        if not entries:
            return Timings(None, ())
        return Timings(entries[0]["machine"], tuple(entries[1:]))

    def _lines(self) -> list[str]:
        return self._written.decode(errors="replace").splitlines(keepends=True)

    def _take(self, content: bytes) -> None:
        self._written += content


def _is_entry(line: str) -> bool:
    # The last line may be half written.
    return line.startswith("{") and line.endswith("}\n")
