"""Rows of a task as batches, drawn once and sorted by length to save padding."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from model.tasks import Row, Task, draw_tests, draw_training, row_of, vocabulary_of
from model.text.padding import pad

_WINDOW = 32  # batches that are sorted by length together
_N_ROWS = 100  # of one length, to see how long they are
_VALIDATION_SEED = 1
_TEST_SEED = 2


@dataclass(frozen=True)
class TaskBatch:
    """Rows padded on the right, a mask of their answers (EOS included), and their positions.

    ``positions`` are None where they count from 0; else they hold for all rows alike.
    """

    tokens: Int[Tensor, "batch position"]
    is_answer: Bool[Tensor, "batch position"]
    positions: Int[Tensor, " position"] | None

    def to(self, device: torch.device) -> "TaskBatch":
        """Return the batch on ``device``."""
        positions = None if self.positions is None else self.positions.to(device)
        return TaskBatch(self.tokens.to(device), self.is_answer.to(device), positions)


def make_batch(rows: Sequence[Row]) -> TaskBatch:
    """Return ``rows``, all of the same positions if they have any, as one batch."""
    tokens = pad([row.ids for row in rows])  # [B, P]
    column = torch.arange(tokens.shape[1])
    n_prompt = torch.tensor([row.n_prompt for row in rows])[:, None]
    n_ids = torch.tensor([len(row.ids) for row in rows])[:, None]
    positions = rows[0].positions
    return TaskBatch(
        tokens,
        (column >= n_prompt) & (column < n_ids),
        None if positions is None else torch.tensor(positions),
    )


def shifted(batch: TaskBatch, shift: int) -> TaskBatch:
    """Return ``batch`` with every position but BOS's moved by ``shift``."""
    if batch.positions is None or not shift:
        return batch
    positions = batch.positions + shift
    positions[0] = batch.positions[0]
    return TaskBatch(batch.tokens, batch.is_answer, positions)


def training_rows(task: Task, n: int, seed: int) -> list[Row]:
    """Return ``n`` rows to train on, of equally probable lengths; none is held out.

    Raises:
        ValueError: the task has no training inputs.
    """
    return _drawn_rows(task, n, random.Random(f"{task.description.name} training {seed}"))


def _drawn_rows(task: Task, n: int, rng: random.Random) -> list[Row]:
    vocabulary, lengths = vocabulary_of(task), task.training_lengths()
    rows: list[Row] = []
    for _ in range(10 * n):
        inputs = draw_training(task, rng.choice(lengths), rng)
        if inputs is not None:
            rows.append(row_of(task, vocabulary, inputs))
        if len(rows) == n:
            return rows
    raise ValueError(f"of {10 * n:,} draws only {len(rows):,} gave training inputs of {task.description.title}")


def fresh_batches(task: Task, size: int, seed: int) -> Iterator[TaskBatch]:
    """Yield batches of ``size`` new rows of similar lengths, drawn as they are needed.

    Raises:
        ValueError: the task has no training inputs.
    """
    rng = random.Random(f"{task.description.name} training {seed}")
    while True:
        batches = list(_cut(_drawn_rows(task, size * _WINDOW, rng), size))
        rng.shuffle(batches)
        yield from map(make_batch, batches)


def validation_rows(task: Task, n: int) -> list[Row]:
    """Return up to ``n`` held-out rows of the trained lengths, the same for every run."""
    vocabulary = vocabulary_of(task)
    lengths = task.training_lengths()
    each = -(-n // len(lengths))
    drawn = (draw_tests(task, length, each, _VALIDATION_SEED) for length in lengths)
    return [row_of(task, vocabulary, inputs) for some in drawn for inputs in some]


def rows_between(task: Task, first: int, last: int, n: int) -> list[Row]:
    """Return up to ``n`` held-out rows of random lengths from ``first`` to ``last``, always the same."""
    rng = random.Random(f"{task.description.name} {first} {last}")
    counts = Counter(rng.randint(first, last) for _ in range(n))
    return [row for length in sorted(counts) for row in held_out_rows(task, length, counts[length])]


def held_out_rows(task: Task, length: int, n: int) -> list[Row]:
    """Return up to ``n`` held-out rows of ``length``, the same for every run."""
    vocabulary = vocabulary_of(task)
    return [row_of(task, vocabulary, inputs) for inputs in draw_tests(task, length, n, _TEST_SEED)]


def longest_row(task: Task, length: int) -> int:
    """Return the number of tokens of the longest of many random rows of ``length``."""
    vocabulary, rng = vocabulary_of(task), random.Random(0)
    return max(len(row_of(task, vocabulary, task.draw(length, rng)).ids) for _ in range(_N_ROWS))


def endless_batches(rows: Sequence[Row], size: int, seed: int) -> Iterator[TaskBatch]:
    """Yield batches of ``size`` rows of similar lengths, epoch after epoch in new orders."""
    rng = random.Random(seed)
    while True:
        order = list(rows)
        rng.shuffle(order)
        groups: dict[tuple[int, ...] | None, list[Row]] = defaultdict(list)
        for row in order:
            groups[row.positions].append(row)
        batches = [batch for group in groups.values() for batch in _cut(group, size)]
        rng.shuffle(batches)
        yield from map(make_batch, batches)


def _cut(rows: list[Row], size: int) -> Iterator[list[Row]]:
    for start in range(0, len(rows), size * _WINDOW):
        window = sorted(rows[start : start + size * _WINDOW], key=lambda row: len(row.ids))
        yield from (window[first : first + size] for first in range(0, len(window), size))
