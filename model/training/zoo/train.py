"""The training of one model of the zoo, measured on the way."""

import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.positional import note_progress
from model.tasks import find
from model.training.loop import OnSteps
from model.training.schedule import straight_line, warm_up_and_decay
from model.zoo.data import TaskBatch, endless_batches, shifted, training_rows, validation_rows
from model.zoo.evaluate import NOT_ASKED, Measurement, forward, measure_lengths, targets_of, validate
from model.zoo.plan import Recipe, Run

_N_VALIDATED = 256


@dataclass(frozen=True)
class Snapshot:
    """A model after ``step`` steps: its accuracy on held-out inputs and at every test length."""

    step: int
    validation: tuple[float, float]
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True)
class TrainingResult:
    """The result of a run: its snapshots in order, and the best one with its weights.

    The best has the most held-out inputs of *trained* lengths right and, among equals, the least loss on them; longer
    inputs have no part in it.
    """

    snapshots: tuple[Snapshot, ...]
    best: Snapshot
    best_weights: dict[str, Tensor]
    seconds: float


def rate_at(step: int, recipe: Recipe) -> float:
    """Return the learning rate of ``step``, from 1: a linear warm-up, then a straight line down to zero."""
    warmup = max(1, round(recipe.warmup_share * recipe.n_steps))
    return warm_up_and_decay(step, peak=recipe.peak_rate, warmup=warmup, n_steps=recipe.n_steps, decay=straight_line)


class Course:
    """The examples of one run, step by step, and the snapshots that are taken of it."""

    def __init__(self, run: Run) -> None:
        """Draw all examples of ``run``."""
        self._task, self._recipe = find(run.task), run.recipe
        self._rng = random.Random(run.seed)
        rows = training_rows(self._task, self._recipe.n_training, run.seed)
        self._batches = endless_batches(rows, self._recipe.batch_size, run.seed)
        self._held_out = validation_rows(self._task, _N_VALIDATED)
        self._snapshots: list[Snapshot] = []
        self._best_weights: dict[str, Tensor] = {}
        self._start = time.perf_counter()

    def next_batch(self) -> TaskBatch:
        """Return the batch of the next step."""
        return shifted(next(self._batches), self._rng.randint(0, self._task.longest_shift))

    def is_measured_at(self, step: int) -> bool:
        """Whether the model of ``step``, from 1, is to be measured."""
        return step % self._recipe.evaluate_every == 0 or step == self._recipe.n_steps

    def measure(self, model: DecoderOnly, step: int) -> None:
        """Measure ``model``, which is left in training mode, and keep its weights if it is the best so far."""
        model.eval()
        measurements = tuple(measure_lengths(model, self._task, self._recipe.n_test))
        self._snapshots.append(Snapshot(step, validate(model, self._held_out), measurements))
        model.train()
        if self._best is self._snapshots[-1]:
            self._best_weights = _copy(model)

    @property
    def _best(self) -> Snapshot:
        return max(self._snapshots, key=lambda snapshot: snapshot.validation)

    def trained(self) -> TrainingResult:
        """Return the result of the run, whose last step was just measured."""
        seconds = time.perf_counter() - self._start
        return TrainingResult(tuple(self._snapshots), self._best, self._best_weights, seconds)


def fresh_model(run: Run) -> DecoderOnly:
    """Return the untrained model of ``run``, by its seed."""
    torch.manual_seed(run.seed)
    return DecoderOnly(run.model)


def new_optimizer(parameters: Iterable[Tensor], recipe: Recipe) -> torch.optim.Optimizer:
    """Return the optimizer of ``parameters`` by ``recipe``."""
    return torch.optim.AdamW(
        parameters, lr=recipe.peak_rate, weight_decay=recipe.weight_decay, betas=(0.9, 0.98), fused=True
    )


def answer_loss(
    logits: Float[Tensor, "batch next vocabulary"], targets: Int[Tensor, "batch next"], label_smoothing: float = 0.0
) -> Tensor:
    """Return the mean loss over answer tokens, with label smoothing.

    ``label_smoothing`` is the share of the probability that all tokens have in common.
    """
    flat = logits.flatten(0, 1), targets.flatten()
    return F.cross_entropy(*flat, ignore_index=NOT_ASKED, label_smoothing=label_smoothing)


@dataclass(frozen=True)
class TrainingStep:
    """A training step: its ``number``, from 1, and the model's outputs on its batch before it.

    ``gradient_norm`` is that of all gradients together, before they are clipped.
    """

    number: int
    logits: Float[Tensor, "batch next vocabulary"]
    targets: Int[Tensor, "batch next"]
    loss: Float[Tensor, ""]
    gradient_norm: Float[Tensor, ""]


def take_steps(
    next_batch: Callable[[], TaskBatch],
    model: DecoderOnly,
    recipe: Recipe,
    rate_factor: Callable[[int], float] = lambda _: 1.0,
    label_smoothing: float = 0.0,
) -> Iterator[TrainingStep]:
    """Train ``model`` on what ``next_batch`` returns, a step each time that the next one is asked for.

    The rate of a step is that of ``recipe`` times ``rate_factor`` of its number.
    """
    optimizer = new_optimizer(model.parameters(), recipe)
    for number in range(1, recipe.n_steps + 1):
        batch = next_batch()
        note_progress(model, (number - 1) / recipe.n_steps)
        for group in optimizer.param_groups:
            group["lr"] = rate_at(number, recipe) * rate_factor(number)
        logits, targets = forward(model, batch), targets_of(batch)
        loss = answer_loss(logits, targets, label_smoothing)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        gradient_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.gradient_clip)
        optimizer.step()
        yield TrainingStep(number, logits.detach(), targets, loss.detach(), gradient_norm)


def train(run: Run, on_steps: OnSteps) -> TrainingResult:
    """Return the trained models of ``run``; ``on_steps`` is called with 1 after each step."""
    course, model = Course(run), fresh_model(run)
    for step in take_steps(course.next_batch, model, run.recipe):
        if course.is_measured_at(step.number):
            course.measure(model, step.number)
        on_steps(1)
    return course.trained()


def _copy(model: DecoderOnly) -> dict[str, Tensor]:
    return {name: weight.detach().to("cpu", copy=True) for name, weight in model.state_dict().items()}
