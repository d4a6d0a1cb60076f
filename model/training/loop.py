"""The training loop: steps, log, checkpoints, validation. A resumed run comes to the same numbers."""

import json
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from tqdm import tqdm

from model.checkpoint import average_weights, load_state, save_state
from model.files import remove_unfinished, write_text
from model.positional import note_progress
from model.training.config import Precision, Validation
from model.training.loss import TokenLoss
from model.training.processes import ALONE, Processes
from model.training.schedule import Rate

_LOG, CHECKPOINT = "log.jsonl", "checkpoint.pt"
CPU_SECONDS = "cpu_seconds_per_step"
"""The entry of the log that, unlike the tokens per second, other programs on the machine hardly change."""
Same = TypeVar("Same")
OnSteps = Callable[[int], object]
"""What is called with a number of steps that were taken."""


@runtime_checkable
class Movable(Protocol):
    """A batch: something that a device can hold."""

    def to(self: Same, device: torch.device) -> Same:
        """Return the batch on ``device``."""
        ...


Batch = TypeVar("Batch", bound=Movable)
Batch_co = TypeVar("Batch_co", bound=Movable, covariant=True)


@runtime_checkable
class BatchSource(Protocol[Batch_co]):
    """Batches by epoch: the same ones each time that an epoch is asked for."""

    def epoch(self, number: int, *, start: int = 0) -> Iterator[Batch_co]:
        """Yield the batches of an epoch from index ``start`` on."""
        ...


@runtime_checkable
class CarriedState(Protocol):
    """State besides weights and optimizer that a step leaves for the next, such as a memory.

    It consists of tensors and plain values, so that a checkpoint can hold it.
    """

    def state_dict(self) -> dict[str, Any]:
        """Return the state after the last step."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from ``state``."""
        ...


@dataclass(frozen=True)
class LoopOptions:
    """Options of a training loop: length, precision, validation, norm that gradients are clipped to."""

    n_steps: int
    gradient_clip: float
    precision: Precision
    validation: Validation


@dataclass
class Progress:
    """The progress of a run; ``loss`` and ``n_tokens`` are sums since the last entry in the log."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    best: float = -math.inf
    best_step: int = 0
    loss: float = 0.0
    n_tokens: int = 0


def read_log(folder: Path) -> list[dict[str, Any]]:
    """Return the entries that the run in ``folder`` has logged: losses, and validations with a ``score``."""
    path = folder / _LOG
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


class Trainer(Generic[Batch]):
    """A trainer of one model in one folder.

    It writes ``log.jsonl``, ``checkpoint.pt`` (the newest state) and ``best.pt`` (the best weights).

    Args:
        model: what to train; moved to ``device``.
        batches: the source of batches.
        loss: sums over a batch's tokens.
        rate: the learning rate of each step, counted from 1.
        validate: measures the model in evaluation mode; of its entries, ``score`` (higher is better) selects the best.
        options: lengths, precision and intervals.
        folder: where everything is written, and what :meth:`resume` continues.
        device: where to compute.
        carried: state that a step leaves for the next one, if any; saved and loaded with everything else.
        processes: those that train together, each on its part of every batch; only the first validates and writes.
    """

    def __init__(
        self,
        *,
        model: nn.Module,
        batches: BatchSource[Batch],
        loss: Callable[[Batch], TokenLoss],
        rate: Rate,
        validate: Callable[[], dict[str, float]],
        options: LoopOptions,
        folder: Path,
        device: torch.device,
        carried: CarriedState | None = None,
        processes: Processes = ALONE,
    ) -> None:
        """Prepare the optimizer, Adam with the paper's β and ε (§5.3); nothing is written or read yet."""
        self.model = model.to(device)
        self._batches = batches
        self._loss = processes.synchronized(self.model, loss)
        self._rate = rate
        self._validate = validate
        self._options = options
        self._folder = folder
        self._device = device
        self._carried = carried
        self._processes = processes
        self._recent: deque[dict[str, Tensor]] = deque(maxlen=options.validation.average_checkpoints)
        self._optimizer = torch.optim.Adam(model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.progress = Progress()
        self._stop_asked = self._stop_agreed = False
        # Of this process, whatever was logged or resumed.
        self._n_tokens = 0

    @property
    def _checkpoint(self) -> Path:
        return self._folder / CHECKPOINT

    @property
    def writes(self) -> bool:
        """Whether this process is the one that validates and writes."""
        return self._processes.index == 0

    @property
    def is_finished(self) -> bool:
        """Whether the last step has been taken."""
        return self.progress.step >= self._options.n_steps

    def resume(self) -> None:
        """Make the folder, and continue from the checkpoint in it, if there is one.

        Raises:
            ValueError: the checkpoint is of another model.
        """
        if self._processes.index:
            torch.manual_seed(torch.initial_seed() + self._processes.index)  # each process has a dropout of its own
        self._folder.mkdir(parents=True, exist_ok=True)
        if self.writes:
            remove_unfinished(self._folder)
        if self._checkpoint.is_file():
            self._load(load_state(self._checkpoint))
        self._drop_later_entries()

    def stop(self) -> None:
        """Ask :meth:`run` to save its state after this step or the next, and return; safe in a signal handler.

        All processes agree on the step, as they take it: only together can they save.
        """
        self._stop_asked = True

    def begin_at(self, weights: Mapping[str, Tensor], step: int) -> None:
        """Begin with another run's ``weights`` after ``step`` and a fresh optimizer, and save that."""
        self.model.load_state_dict(weights)
        self.progress.step = step
        self.save()

    def run(self, on_steps: OnSteps | None = None) -> None:
        """Train to the last step, or until :meth:`stop`; a later run continues from there.

        Progress is shown as a bar or, where ``on_steps`` is given, told to that after each step instead.
        """
        options, progress = self._options, self.progress
        bar = tqdm(
            total=options.n_steps,
            initial=progress.step,
            unit="step",
            dynamic_ncols=True,
            disable=not self.writes or on_steps is not None,
        )
        clock = _Clock(progress.step, self._n_tokens)
        with bar:
            for batch in self._remaining():
                self._step(batch)
                bar.update()
                if progress.step % options.validation.log_every == 0:
                    self._report(clock, bar)
                if progress.step % options.validation.validate_every == 0 or self.is_finished:
                    if self.writes:
                        self._validate_weights()
                    self.save()
                    clock.lap(progress.step, self._n_tokens)
                if on_steps is not None:
                    on_steps(1)
                if self._stop_agreed:
                    self.save()
                    return

    def _remaining(self) -> Iterator[Batch]:
        """Yield batches until the last step.

        The position is moved on before each, so that a checkpoint resumes after it.
        """
        progress = self.progress
        while True:
            for batch in self._batches.epoch(progress.epoch, start=progress.batch):
                if progress.step >= self._options.n_steps:
                    return
                progress.batch += 1
                yield batch
            progress.epoch, progress.batch = progress.epoch + 1, 0

    def _step(self, batch: Batch) -> None:
        note_progress(self.model, self.progress.step / self._options.n_steps)
        self.progress.step += 1
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate(self.progress.step)
        # Over sentences of a few tokens the plain kernel is faster on a CPU than the tiled one.
        kernel = sdpa_kernel(SDPBackend.MATH) if self._device.type == "cpu" else nullcontext()
        with kernel, torch.autocast(self._device.type, torch.bfloat16, enabled=self._options.precision == "bfloat16"):
            loss = self._loss(batch.to(self._device))
        n_tokens, cross_entropy, n_stopping = self._processes.total(
            loss.n_tokens, float(loss.cross_entropy), self._stop_asked
        )
        self._stop_agreed = n_stopping > 0
        # Gradients are averaged over processes; each knows the sum over its own tokens.
        (loss.smoothed / (n_tokens / self._processes.n)).backward()  # type: ignore[no-untyped-call]  # by torch
        nn.utils.clip_grad_norm_(self.model.parameters(), self._options.gradient_clip)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.progress.loss += cross_entropy
        self.progress.n_tokens += int(n_tokens)
        self._n_tokens += int(n_tokens)

    def _report(self, clock: "_Clock", bar: "tqdm[Any]") -> None:
        progress, lap = self.progress, clock.lap(self.progress.step, self._n_tokens)
        loss, speed = progress.loss / progress.n_tokens, lap.n_tokens / lap.seconds
        progress.loss, progress.n_tokens = 0.0, 0
        bar.set_postfix(loss=f"{loss:.3f}", tokens_per_s=f"{speed:,.0f}")
        entry = {"step": progress.step, "epoch": progress.epoch, "loss": loss, "tokens_per_second": speed}
        self._log(entry | {CPU_SECONDS: lap.cpu_seconds / lap.n_steps})

    def _validate_weights(self) -> None:
        """Validate the newest weights and the mean of the last ones, and keep the best so far."""
        trained = {name: tensor.detach().to("cpu", copy=True) for name, tensor in self.model.state_dict().items()}
        self._recent.append(trained)
        self._measure(trained, n_averaged=1)
        if len(self._recent) > 1:
            self._measure(average_weights(self._recent), n_averaged=len(self._recent))
        self.model.load_state_dict(trained)

    def _measure(self, weights: dict[str, Tensor], *, n_averaged: int) -> None:
        self.model.load_state_dict(weights)
        self.model.eval()
        with torch.inference_mode():
            measures = self._validate()
        self.model.train()
        progress = self.progress
        entry = {"step": progress.step, "averaged": n_averaged, **measures}
        self._log(entry)
        if progress.step >= self._options.validation.select_from_step and measures["score"] > progress.best:
            progress.best, progress.best_step = measures["score"], progress.step
            save_state({"weights": weights, **entry}, self._folder / "best.pt")

    def save(self) -> None:
        """Write the state between two steps, from which :meth:`resume` continues."""
        random = self._processes.gathered([torch.get_rng_state(), *_states_on_devices()])
        if not self.writes:
            return
        state = {
            "weights": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "recent": list(self._recent),
            "progress": vars(self.progress),
            "carried": None if self._carried is None else self._carried.state_dict(),
            "random": random,
        }
        save_state(state, self._checkpoint)

    def _load(self, state: dict[str, Any]) -> None:
        try:
            self.model.load_state_dict(state["weights"])
        except RuntimeError as error:
            raise ValueError(
                f"{self._checkpoint} holds a model of other sizes; train into another folder, or as before: {error}"
            ) from error
        self._optimizer.load_state_dict(state["optimizer"])
        self._recent.extend(state["recent"])
        self.progress = Progress(**state["progress"])
        if self.progress.best_step < self._options.validation.select_from_step:
            self.progress.best = -math.inf
        if self._carried is not None:
            self._carried.load_state_dict(state["carried"])
        if self._processes.index < len(state["random"]):
            on_cpu, *on_devices = state["random"][self._processes.index]
            torch.set_rng_state(on_cpu)
            _set_states_on_devices(on_devices)

    def _drop_later_entries(self) -> None:
        """Drop from the log the entries that a killed run wrote after its last checkpoint: they come again."""
        if not self.writes:
            return
        kept = [entry for entry in read_log(self._folder) if entry["step"] <= self.progress.step]
        write_text("".join(json.dumps(entry) + "\n" for entry in kept), self._folder / _LOG)

    def _log(self, entry: dict[str, float]) -> None:
        if not self.writes:
            return
        with (self._folder / _LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")


def _states_on_devices() -> list[Tensor]:
    """Return the state of each accelerator's random numbers."""
    return [torch.mps.get_rng_state()] if torch.backends.mps.is_available() else torch.cuda.get_rng_state_all()


def _set_states_on_devices(states: Sequence[Tensor]) -> None:
    """Set the state of each accelerator's random numbers, unless they are of another kind of accelerator."""
    own = _states_on_devices()
    if any(state.shape != one.shape for state, one in zip(states, own, strict=False)):
        return
    if torch.backends.mps.is_available():
        for state in states[:1]:
            torch.mps.set_rng_state(state)
    else:
        torch.cuda.set_rng_state_all(states[: len(own)])


class _Lap(NamedTuple):
    """A number of steps and of tokens, their seconds, and the seconds that this process had a processor."""

    n_steps: int
    n_tokens: int
    seconds: float
    cpu_seconds: float


class _Clock:
    """A stopwatch that measures from one lap to the next."""

    def __init__(self, step: int, n_tokens: int) -> None:
        self._start = _now(step, n_tokens)

    def lap(self, step: int, n_tokens: int) -> _Lap:
        """Return what has passed since the last lap."""
        start, self._start = self._start, _now(step, n_tokens)
        now = self._start
        return _Lap(
            now.n_steps - start.n_steps,
            now.n_tokens - start.n_tokens,
            now.seconds - start.seconds,
            now.cpu_seconds - start.cpu_seconds,
        )


def _now(step: int, n_tokens: int) -> _Lap:
    return _Lap(step, n_tokens, time.perf_counter(), time.process_time())
