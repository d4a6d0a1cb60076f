"""Trains one model of the zoo and measures it as it goes."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from model.decoder_only import DecoderOnly
from model.tasks import find
from model.training.schedule import straight_line, warm_up_and_decay
from model.training.zoo.data import endless_batches, shifted, training_rows, validation_rows
from model.training.zoo.evaluate import NOT_ASKED, Measurement, forward, measure_lengths, targets_of, validate
from model.training.zoo.plan import Recipe, Run

_N_VALIDATED = 256

OnStep = Callable[[int], None]


@dataclass(frozen=True)
class Snapshot:
    """A model after ``step`` steps: what it answers of held-out inputs of trained lengths, and at every test length."""

    step: int
    validation: tuple[float, float]
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True)
class Trained:
    """What a run leaves: its snapshots in order, the best of them by validation, and the weights at the best and last.

    The best is the one with the most held-out inputs of *trained* lengths right, then with the least loss on them: no
    longer input has a say in it.
    """

    snapshots: tuple[Snapshot, ...]
    best: Snapshot
    best_weights: dict[str, Tensor]
    last_weights: dict[str, Tensor]
    seconds: float


def rate_at(step: int, recipe: Recipe) -> float:
    """Return the learning rate of ``step``, from 1: a linear warm-up, then a straight line down to zero."""
    warmup = max(1, round(recipe.warmup_share * recipe.n_steps))
    return warm_up_and_decay(step, peak=recipe.peak_rate, warmup=warmup, n_steps=recipe.n_steps, decay=straight_line)


def train(run: Run, on_step: OnStep) -> Trained:
    """Return the trained models of ``run``; ``on_step`` hears the number of every step taken."""
    start = time.perf_counter()
    task, recipe = find(run.task), run.recipe
    torch.manual_seed(run.seed)
    chance = random.Random(run.seed)
    model = DecoderOnly(run.model)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=recipe.peak_rate, weight_decay=recipe.weight_decay, betas=(0.9, 0.98), fused=True
    )
    batches = endless_batches(training_rows(task, recipe.n_training, run.seed), recipe.batch_size, run.seed)
    held_out = validation_rows(task, _N_VALIDATED)
    snapshots: list[Snapshot] = []
    best_weights: dict[str, Tensor] = {}
    for step in range(1, recipe.n_steps + 1):
        batch = shifted(next(batches), chance.randint(0, task.longest_shift))
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, recipe)
        loss = F.cross_entropy(forward(model, batch).flatten(0, 1), targets_of(batch).flatten(), ignore_index=NOT_ASKED)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.gradient_clip)
        optimizer.step()
        if step % recipe.evaluate_every == 0 or step == recipe.n_steps:
            model.eval()
            measurements = tuple(measure_lengths(model, task, recipe.n_test))
            snapshots.append(Snapshot(step, validate(model, held_out), measurements))
            model.train()
            if max(snapshots, key=lambda snapshot: snapshot.validation) is snapshots[-1]:
                best_weights = _copy(model)
        on_step(step)
    best = max(snapshots, key=lambda snapshot: snapshot.validation)
    return Trained(tuple(snapshots), best, best_weights, _copy(model), time.perf_counter() - start)


def _copy(model: DecoderOnly) -> dict[str, Tensor]:
    return {name: weight.detach().clone() for name, weight in model.state_dict().items()}
