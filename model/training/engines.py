"""Engines that train a sweep: one single-threaded process on each core, or a Ray cluster."""

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from model.device import use_one_thread
from model.training.history import commit
from model.training.loop import OnSteps
from model.training.runs import RunSpec, SweepStoppedError, Train, finish

_REPORT_SECONDS = 0.5
_POLL_SECONDS = 0.5


@dataclass(frozen=True)
class Outcome:
    """A run that is over: finished, or failed with an ``error``."""

    run: RunSpec
    error: str | None = None


@runtime_checkable
class Engine(Protocol):
    """An engine, which trains runs and finishes each in its folder."""

    def run(self, runs: Sequence[RunSpec], folder: Path, train: Train, on_steps: OnSteps) -> Iterator[Outcome]:
        """Yield runs as they end, in any order; call ``on_steps`` with numbers of steps taken."""
        ...


def train_alone(run: RunSpec, folder: Path, train: Train, on_steps: OnSteps) -> None:
    """Train ``run`` in the calling thread and finish it in ``folder``."""
    use_one_thread()
    commit()  # the code that this process imported, whatever its files become while it trains
    finish(run, folder, lambda draft: train(run, draft, on_steps))


def one_a_core() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


class ProcessEngine:
    """An engine of ``n_workers`` processes on this machine, one thread each."""

    def __init__(self, n_workers: int) -> None:
        """Keep the number of processes.

        Raises:
            ValueError: less than one.
        """
        if n_workers < 1:
            raise ValueError(f"{n_workers} workers were asked for; there must be at least 1")
        self._n_workers = n_workers

    def run(self, runs: Sequence[RunSpec], folder: Path, train: Train, on_steps: OnSteps) -> Iterator[Outcome]:
        """Yield runs as they are over; if this generator is closed, the others stop where they are."""
        context = multiprocessing.get_context("spawn")
        with context.Manager() as manager:
            steps, stop = manager.Queue(), manager.Event()
            # A worker ignores an interrupt: the sweep gets it too, and sets the event.
            pool = ProcessPoolExecutor(self._n_workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
            try:
                reports = _Reports(steps, stop, os.getpid())
                futures = {pool.submit(_work, run, folder, train, reports): run for run in runs}
                pending = set(futures)
                while pending:
                    done, pending = wait(pending, _POLL_SECONDS, FIRST_COMPLETED)
                    _drain(steps, on_steps)
                    yield from (_outcome(futures[future], future) for future in done)
            finally:
                stop.set()
                pool.shutdown(cancel_futures=True)


class RayEngine:
    """An engine of one-core tasks on a Ray cluster (``address``), or on a local one that Ray starts.

    The folder must be one that every machine of the cluster sees.
    """

    def __init__(self, n_workers: int | None = None, address: str | None = None) -> None:
        """Connect to Ray.

        Raises:
            ValueError: Ray is not installed.
        """
        try:
            import ray  # noqa: PLC0415  # optional: only this engine needs it
        except ImportError as error:
            raise ValueError("Ray is not installed; install requirements-ray.txt, or use --engine processes") from error
        self._ray: Any = ray
        if not ray.is_initialized():
            ray.init(address=address, num_cpus=n_workers if address is None else None, include_dashboard=False)

    def run(self, runs: Sequence[RunSpec], folder: Path, train: Train, on_steps: OnSteps) -> Iterator[Outcome]:
        """Yield runs as they are over; ``on_steps`` gets all steps of a run at its end."""
        task = self._ray.remote(num_cpus=1)(train_alone)
        pending = {task.remote(run, folder.resolve(), train, _ignore): run for run in runs}
        while pending:
            (done, *_), _ = self._ray.wait(list(pending), num_returns=1)
            run = pending.pop(done)
            try:
                self._ray.get(done)
            except self._ray.exceptions.RayError as error:
                yield Outcome(run, str(error))
            else:
                on_steps(run.n_steps)
                yield Outcome(run)


@dataclass
class _Reports:
    """A callback of a worker that sends its steps to the sweep, whose process is ``parent``."""

    steps: "queue.Queue[int]"
    stop: threading.Event
    parent: int
    _n_steps: int = 0
    _sent: float = field(default_factory=time.monotonic)

    def __call__(self, n_steps: int) -> None:
        self._n_steps += n_steps
        if os.getppid() != self.parent:
            raise SweepStoppedError
        if time.monotonic() - self._sent > _REPORT_SECONDS:
            self.send()

    def send(self) -> None:
        if self.stop.is_set():
            raise SweepStoppedError
        self.steps.put(self._n_steps)
        self._n_steps, self._sent = 0, time.monotonic()


def _work(run: RunSpec, folder: Path, train: Train, reports: _Reports) -> None:
    """Train in a worker; end the process, whose sweep may be gone, when that was stopped or killed."""
    try:
        train_alone(run, folder, train, reports)
        reports.send()
    except SweepStoppedError:
        os._exit(1)


def _outcome(run: RunSpec, future: Future[None]) -> Outcome:
    error = future.exception()
    return Outcome(run, None if error is None else f"{type(error).__name__}: {error}")


def _drain(steps: "queue.Queue[int]", on_steps: OnSteps) -> None:
    while True:
        try:
            on_steps(steps.get_nowait())
        except queue.Empty:
            return


def _ignore(n_steps: int) -> None:
    del n_steps
