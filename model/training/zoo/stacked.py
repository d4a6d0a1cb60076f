"""Training of runs that differ only in their seed, as one batch of models with stacked weights.

A model of the zoo is far too small to fill a GPU, most of whose time goes into starting kernels; a stack starts no more
of them than one model does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel

from model.architectures.decoder_only import DecoderOnly
from model.positional import note_progress
from model.text.tokenizer import PAD_ID
from model.training.engines import Outcome
from model.training.loop import OnSteps
from model.training.runs import RunSpec, Train, finish
from model.training.zoo.plan import train_and_save
from model.training.zoo.results import save_trained
from model.training.zoo.train import Course, TrainingResult, answer_loss, fresh_model, new_optimizer, rate_at
from model.zoo.data import TaskBatch
from model.zoo.evaluate import NOT_ASKED, targets_of
from model.zoo.plan import Recipe, Run


class StackedEngine:
    """An engine that trains the seeds of each encoding and task together, on one device."""

    def __init__(self, device: torch.device) -> None:
        """Take the device."""
        self._device = device

    def run(self, runs: Sequence[RunSpec], folder: Path, train: Train, on_steps: OnSteps) -> Iterator[Outcome]:
        """Yield runs as they are over, those of a stack one after the other, without calling ``train``.

        Raises:
            ValueError: a run that is not of the zoo, or is not trained as the zoo is.
        """
        zoo_runs = [run for run in runs if isinstance(run, Run)]
        if train is not train_and_save or len(zoo_runs) < len(runs):
            raise ValueError("only runs of the zoo can be stacked; use --engine processes or ray")
        for _, group in groupby(sorted(zoo_runs, key=_but_for_its_seed), key=_but_for_its_seed):
            stack = list(group)
            try:
                every = train_stacked(stack, self._device, on_steps)
            except (RuntimeError, ValueError) as error:
                yield from (Outcome(run, f"{type(error).__name__}: {error}") for run in stack)
                continue
            for run, trained in zip(stack, every, strict=True):
                finish(run, folder, partial(save_trained, run, trained))
                yield Outcome(run)


def train_stacked(runs: Sequence[Run], device: torch.device, on_steps: OnSteps) -> list[TrainingResult]:
    """Return the results of ``runs``, which differ only in their seed, as :func:`train` does for each.

    ``on_steps`` gets the steps of all runs together. Random numbers during training, such as randomized positions, are
    other ones than those of a run trained alone.
    """
    recipe, courses = runs[0].recipe, [Course(run) for run in runs]
    model = fresh_model(runs[0]).to(device)
    stacked, _ = stack_module_state([fresh_model(run).to(device) for run in runs])
    weights = {name: weight.detach().requires_grad_() for name, weight in stacked.items()}
    optimizer = new_optimizer(weights.values(), recipe)
    for step in range(1, recipe.n_steps + 1):
        stack = _side_by_side([course.next_batch() for course in courses], device)
        note_progress(model, (step - 1) / recipe.n_steps)
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, recipe)
        optimizer.zero_grad()
        # The fused kernels of attention do not support stacks.
        with sdpa_kernel(SDPBackend.MATH):
            _losses_of(model, stack, weights).sum().backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        _clip(list(weights.values()), recipe)
        optimizer.step()
        if courses[0].is_measured_at(step):
            for index, course in enumerate(courses):
                course.measure(_one_of(model, weights, index), step)
        on_steps(len(runs))
    return [course.trained() for course in courses]


def _but_for_its_seed(run: Run) -> str:
    return replace(run, seed=0).to_json()


def _losses_of(model: nn.Module, stack: "_Stack", weights: dict[str, Tensor]) -> Tensor:
    """Return the loss of each stacked model on its own rows, [N], with the buffers of ``model``."""

    def loss(weights: dict[str, Tensor], tokens: Tensor, targets: Tensor, positions: Tensor | None) -> Tensor:
        return answer_loss(functional_call(model, weights, (tokens,), {"positions": positions}), targets)

    each = vmap(loss, in_dims=(0, 0, 0, None if stack.positions is None else 0), randomness="different")
    losses: Tensor = each(weights, stack.tokens, stack.targets, stack.positions)
    return losses


@dataclass(frozen=True)
class _Stack:
    """The tokens that each model reads, and its targets; ``positions`` are None where they count from 0."""

    tokens: Int[Tensor, "model batch next"]
    targets: Int[Tensor, "model batch next"]
    positions: Int[Tensor, "model next"] | None


def _side_by_side(batches: Sequence[TaskBatch], device: torch.device) -> _Stack:
    """Return ``batches`` as one, padded with rows and columns without targets."""
    n_rows, n_columns = (max(batch.tokens.shape[axis] for batch in batches) for axis in (0, 1))

    def padded(rows: Tensor, value: int) -> Tensor:
        missing = (0, n_columns - 1 - rows.shape[1], 0, n_rows - rows.shape[0])
        return F.pad(rows, missing, value=value)  # [B, P - 1]

    tokens = torch.stack([padded(batch.tokens[:, :-1], PAD_ID) for batch in batches])  # [N, B, P - 1]
    targets = torch.stack([padded(targets_of(batch), NOT_ASKED) for batch in batches])  # [N, B, P - 1]
    positions_of = [batch.positions for batch in batches if batch.positions is not None]
    # After the end of a shorter row its last position is repeated: nothing depends on it.
    ends = [torch.cat((row[:-1], row[-2:-1].expand(n_columns - len(row)))) for row in positions_of]  # [P - 1] each
    positions = torch.stack(ends).to(device) if ends else None  # [N, P - 1]
    return _Stack(tokens.to(device), targets.to(device), positions)


def _clip(weights: Sequence[Tensor], recipe: Recipe) -> None:
    """Clip the gradients of each model to the recipe's norm, as PyTorch does for one model."""
    gradients = [weight.grad for weight in weights if weight.grad is not None]
    norms = torch.stack([gradient.reshape(len(gradient), -1).norm(dim=1) for gradient in gradients]).norm(dim=0)  # [N]
    scales = (recipe.gradient_clip / (norms + 1e-6)).clamp(max=1.0)  # [N]
    for gradient in gradients:
        gradient.mul_(scales.reshape(-1, *[1] * (gradient.dim() - 1)))


def _one_of(model: DecoderOnly, stacked: dict[str, Tensor], index: int) -> DecoderOnly:
    """Return ``model`` with the weights at ``index`` of the stack."""
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.copy_(stacked[name][index])
    return model
