"""The accuracy of a model by length: exact match by greedy decoding, computed in one pass.

Greedy decoding writes exactly the right answer if and only if the most probable token, given the right tokens before
it, is right at every position: up to its first mistake it has written nothing else. One pass over prompt and right
answer therefore gives exact match and the position of the first mistake, at a fraction of the cost of decoding.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.tasks import Row, Task
from model.zoo.data import TaskBatch, held_out_rows, make_batch

_TOKENS_AT_ONCE = 8192
NOT_ASKED = -100

LEARNED = 0.95
"""Exact match at the trained lengths from which on a run has learned its task."""


@dataclass(frozen=True)
class Measurement:
    """Measurements on ``n`` examples of ``length``.

    Attributes:
        length: of the inputs, in the unit of the task.
        n: how many examples.
        exact_match: share of examples whose greedy answer is right to the last token, EOS included.
        first_wrong: position of the first wrong token, from 1, as a mean over the wrong answers; NaN without any.
    """

    length: int
    n: int
    exact_match: float
    first_wrong: float


@torch.inference_mode()
def measure(model: DecoderOnly, rows: Sequence[Row], length: int) -> Measurement:
    """Return how ``model``, in evaluation mode, does on ``rows`` of inputs of ``length``.

    Raises:
        ValueError: no rows.
    """
    if not rows:
        raise ValueError(f"there are no examples of length {length} to measure on")
    n_exact = 0
    first_wrong: list[int] = []
    for draw, batch in _drawn_batches(model, rows, model.positional.n_test_draws):
        targets = targets_of(batch)
        is_asked = targets != NOT_ASKED
        is_wrong = is_asked & (forward(model, batch, draw).argmax(-1) != targets)  # [B, P]
        failed = is_wrong.any(1)  # [B]
        n_exact += int((~failed).sum())
        positions = is_wrong.int().argmax(1) - is_asked.int().argmax(1) + 1  # [B]
        first_wrong += positions[failed].tolist()
    mean = sum(first_wrong) / len(first_wrong) if first_wrong else math.nan
    return Measurement(length, len(rows), n_exact / len(rows), mean)


def measure_lengths(model: DecoderOnly, task: Task, n: int) -> list[Measurement]:
    """Return the measurement at each test length of ``task`` for which there are examples."""
    drawn = ((length, held_out_rows(task, length, n)) for length in task.description.test_lengths)
    return [measure(model, rows, length) for length, rows in drawn if rows]


@torch.inference_mode()
def measure_known_length(model: DecoderOnly, rows: Sequence[Row]) -> float:
    """Return the share of ``rows`` that ``model`` answers exactly where the length of the answer is given.

    EOS is forbidden before that length, and nothing is asked after it: no answer fails at stopping alone.
    """
    n_exact, end = 0, model.config.eos_id
    for draw, batch in _drawn_batches(model, rows, model.positional.n_test_draws):
        targets, logits = targets_of(batch), forward(model, batch, draw)
        logits[..., end] = -math.inf
        is_asked = (targets != NOT_ASKED) & (targets != end)
        n_exact += int(((logits.argmax(-1) == targets) | ~is_asked).all(1).sum())
    return n_exact / len(rows)


@torch.inference_mode()
def validate(model: DecoderOnly, rows: Sequence[Row]) -> tuple[float, float]:
    """Return the share of ``rows`` answered exactly, and minus the mean loss; higher is better."""
    n_exact, loss, n_tokens = 0, 0.0, 0
    for draw, batch in _drawn_batches(model, rows):
        logits, targets = forward(model, batch, draw), targets_of(batch)
        loss += float(F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum"))
        is_asked = targets != NOT_ASKED
        n_exact += int(((logits.argmax(-1) == targets) | ~is_asked).all(1).sum())
        n_tokens += int(is_asked.sum())
    return n_exact / len(rows), -loss / n_tokens


def forward(model: DecoderOnly, batch: TaskBatch, draw: int = 0) -> Tensor:
    """Return the logits [B, P − 1, V] of every next token of ``batch``, at the test positions of ``draw``."""
    positions = batch.positions
    if positions is None and not model.training:
        positions = model.positional.test_positions(batch.tokens.shape[1], draw).to(batch.tokens.device)
    logits: Tensor = model(batch.tokens[:, :-1], positions=None if positions is None else positions[:-1])
    return logits


def targets_of(batch: TaskBatch) -> Int[Tensor, "batch position"]:
    """Return the next tokens [B, P − 1] of answers; those of prompts are :data:`NOT_ASKED`."""
    return batch.tokens[:, 1:].masked_fill(~batch.is_answer[:, 1:], NOT_ASKED)


def _drawn_batches(model: DecoderOnly, rows: Sequence[Row], n_draws: int = 1) -> Iterator[tuple[int, TaskBatch]]:
    """Yield the number of each batch's draw of positions, and the batch where ``model`` is."""
    yield from enumerate(batch.to(model.embedding.weight.device) for batch in equal_batches(rows, n_draws))


def equal_batches(rows: Sequence[Row], n_each: int = 1) -> Iterator[TaskBatch]:
    """Yield batches of rows that agree in length and positions, so that no row is padded.

    Rows that agree come in at least ``n_each`` batches, as far as there are so many.
    """
    groups: dict[tuple[int, tuple[int, ...] | None], list[Row]] = {}
    for row in rows:
        groups.setdefault((len(row.ids), row.positions), []).append(row)
    for (length, _), group in groups.items():
        size = max(1, min(_TOKENS_AT_ONCE // length, -(-len(group) // n_each)))
        yield from (make_batch(group[start : start + size]) for start in range(0, len(group), size))
