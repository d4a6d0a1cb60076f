"""What runs the runs: one single-threaded process on each core, or a Ray cluster."""

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from model.device import use_one_thread
from model.training.zoo.store import save_run
from model.training.zoo.train import train
from model.zoo.plan import Run

OnSteps = Callable[[int], object]

_REPORT_EVERY = 20  # steps
_POLL_SECONDS = 0.5


@dataclass(frozen=True)
class Outcome:
    """A run that is over: finished, or failed with an ``error``."""

    run: Run
    error: str | None = None


@runtime_checkable
class Engine(Protocol):
    """Trains runs and saves each in its folder as it finishes."""

    def run(self, runs: Sequence[Run], folder: Path, on_steps: OnSteps) -> Iterator[Outcome]:
        """Yield runs as they are over, in whatever order; ``on_steps`` hears of steps taken by any of them."""
        ...


def finish(run: Run, folder: Path, on_steps: OnSteps) -> None:
    """Train ``run`` in one thread and save it in ``folder``; ``on_steps`` hears of some steps at a time."""
    use_one_thread()

    def on_step(step: int) -> None:
        if step % _REPORT_EVERY == 0:
            on_steps(_REPORT_EVERY)

    trained = train(run, on_step)
    on_steps(run.recipe.n_steps % _REPORT_EVERY)
    save_run(run, trained, folder)


class ProcessEngine:
    """Runs in ``n_workers`` processes of this machine, one thread each."""

    def __init__(self, n_workers: int) -> None:
        """Keep the number of processes.

        Raises:
            ValueError: less than one.
        """
        if n_workers < 1:
            raise ValueError(f"{n_workers} workers were asked for; there must be at least 1")
        self._n_workers = n_workers

    def run(self, runs: Sequence[Run], folder: Path, on_steps: OnSteps) -> Iterator[Outcome]:
        """Yield runs as they are over; if this generator is closed, runs under way are given up."""
        context = multiprocessing.get_context("spawn")
        with context.Manager() as manager:
            steps, stop = manager.Queue(), manager.Event()
            # A worker leaves an interrupt to the sweep, which hears it too and sets the event.
            pool = ProcessPoolExecutor(self._n_workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
            try:
                reports = _Reports(steps, stop, os.getpid())
                futures = {pool.submit(finish, run, folder, reports): run for run in runs}
                pending = set(futures)
                while pending:
                    done, pending = wait(pending, _POLL_SECONDS, FIRST_COMPLETED)
                    _drain(steps, on_steps)
                    yield from (_outcome(futures[future], future) for future in done)
            finally:
                stop.set()
                pool.shutdown(cancel_futures=True)


class RayEngine:
    """Runs as tasks of one core each on a Ray cluster (``address``), or on a local one that Ray starts.

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

    def run(self, runs: Sequence[Run], folder: Path, on_steps: OnSteps) -> Iterator[Outcome]:
        """Yield runs as they are over; steps are heard of when their run is."""
        task = self._ray.remote(num_cpus=1)(finish)
        pending = {task.remote(run, folder.resolve(), _ignore): run for run in runs}
        while pending:
            (done, *_), _ = self._ray.wait(list(pending), num_returns=1)
            run = pending.pop(done)
            try:
                self._ray.get(done)
            except self._ray.exceptions.RayError as error:
                yield Outcome(run, str(error))
            else:
                on_steps(run.recipe.n_steps)
                yield Outcome(run)


@dataclass(frozen=True)
class _Reports:
    """How a worker tells of its steps to the sweep, whose process is ``parent``."""

    steps: "queue.Queue[int]"
    stop: threading.Event
    parent: int

    def __call__(self, n_steps: int) -> None:
        """Pass on steps taken; end with the sweep, should it have been stopped or killed."""
        if os.getppid() != self.parent or self.stop.is_set():
            os._exit(1)
        self.steps.put(n_steps)


def _outcome(run: Run, future: Future[None]) -> Outcome:
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
