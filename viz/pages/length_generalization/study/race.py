"""A zoo model's answer to one input, beside the right answer, and its attention at each step."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import torch
from jaxtyping import Int
from scipy.special import entr
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.decoding.decoder import CausalDecoder
from model.decoding.generate import generate_greedily
from model.hooks import record
from model.tasks import Row, Task, TaskInputError, find, row_of, vocabulary_of
from model.tasks.base import Tokens
from viz.base.attention_maps import AttentionKind, TokenRow
from viz.base.tokens import is_special, shown_piece

MAX_TOKENS = 256
"""Tokens of input and answer together up to which attention is shown."""

_PATTERN = "decoder.{layer}.self_attention.pattern"
_DRAWS = 40


@dataclass(frozen=True)
class WrittenAnswer:
    """The written and the expected tokens, both with EOS; writing stops at the expected length."""

    written: Tokens
    expected: Tokens

    @property
    def is_right(self) -> tuple[bool, ...]:
        """Whether each written token is the one that belongs there."""
        return tuple(mine == right for mine, right in zip(self.written, self.expected, strict=False))

    @property
    def first_wrong(self) -> int | None:
        """The place of the first wrong token, from 0; None where all is right."""
        return next((place for place, right in enumerate(self.is_right) if not right), None)


def right_by_token(answers: Sequence[WrittenAnswer]) -> Int[np.ndarray, " token"]:
    """Return how many of ``answers`` to the same input, at least one, have each token of the right answer."""
    right = np.zeros(len(answers[0].expected), dtype=np.int64)
    for answer in answers:
        right[: len(answer.is_right)] += np.array(answer.is_right, dtype=np.int64)
    return right


class TooLongToShowError(ValueError):
    """An input and answer of ``n_tokens`` together, more than attention is shown for."""

    def __init__(self, n_tokens: int) -> None:
        """Keep the number for the sentence on the screen."""
        super().__init__(f"{n_tokens} tokens, and attention is shown for at most {MAX_TOKENS}")
        self.n_tokens = n_tokens


def drawn(task: Task, length: int, seed: int) -> Tokens:
    """Return a random input of ``length``, as if it had been typed; the same for a seed.

    Raises:
        TaskInputError: the task has no input of that length.
    """
    try:
        inputs = task.draw(length, random.Random(f"{task.description.name} {length} {seed}"))
    except (LookupError, ValueError) as error:
        raise TaskInputError("no such length", length=length) from error
    return task.parse(typed(task, inputs))


def typed(task: Task, inputs: Tokens) -> str:
    """Return the typed form of ``inputs``: their distinct part, without what the task adds."""
    return task.join(task.identity(inputs))


@cache
def longest_answer_trained(name: str) -> int:
    """Return the length, without EOS, of the longest answer to an input of the longest trained length.

    Where answers to such inputs differ in length, this is the longest among some that are drawn.
    """
    task = find(name)
    longest = task.description.train_lengths[1]
    return max(len(task.solve(drawn(task, longest, seed))) for seed in range(_DRAWS))


def expected_of(task: Task, inputs: Tokens) -> Tokens:
    """Return the tokens of the right answer, EOS at their end."""
    vocabulary = vocabulary_of(task)
    row = row_of(task, vocabulary, inputs)
    return _tokens(vocabulary.tokens, row.ids[row.n_prompt :])


def answer(model: DecoderOnly, task: Task, inputs: Tokens) -> WrittenAnswer:
    """Return the answer that ``model``, in evaluation mode, generates greedily after ``inputs``.

    The right answer is the first guess, so that a model that knows it reads it once.
    """
    vocabulary = vocabulary_of(task)
    row = row_of(task, vocabulary, inputs)
    prompt, expected = row.ids[: row.n_prompt], row.ids[row.n_prompt :]
    new_decoder = partial(CausalDecoder, model, _positions(model, row))
    written = generate_greedily(new_decoder, prompt, len(expected), eos_id=model.config.eos_id, guess=expected)
    return WrittenAnswer(_tokens(vocabulary.tokens, written), _tokens(vocabulary.tokens, expected))


@torch.inference_mode()
def attention(model: DecoderOnly, task: Task, inputs: Tokens, answer: WrittenAnswer) -> AttentionKind:
    """Return every head of every layer while ``model`` read ``inputs`` and wrote ``answer``.

    Rows are the tokens that come next (the rest of the input, then what was written), columns those that are read.

    Raises:
        TooLongToShowError: more than ``MAX_TOKENS``.
    """
    vocabulary = vocabulary_of(task)
    row = row_of(task, vocabulary, inputs)
    ids = [*row.ids[: row.n_prompt], *vocabulary.encode(answer.written)]
    if len(ids) > MAX_TOKENS:
        raise TooLongToShowError(len(ids))
    with record(_PATTERN.format(layer="*")) as seen:
        model(torch.tensor([ids[:-1]]), positions=_positions(model, row)[: len(ids) - 1])
    layers = [seen[_PATTERN.format(layer=layer)][0] for layer in range(len(model.layers))]  # of [H, Q, K]
    weights = torch.stack(layers).float().numpy().astype(np.float32)
    tokens = _tokens(vocabulary.tokens, ids)
    return AttentionKind("decoder", weights, _token_row(tokens[1:]), _token_row(tokens[:-1]))


def telling_head(kind: AttentionKind) -> tuple[int, int]:
    """Return layer and head, from 0, of the head whose attention depends most on the query.

    Such a head may attend along a diagonal. It is the one with the most mutual information between query and key, where
    all queries are alike.
    """
    rows = kind.weights.astype(np.float64)  # [L, H, Q, K]
    information = entr(rows.mean(-2)).sum(-1) - entr(rows).sum(-1).mean(-1)  # [L, H]
    layer, head = np.unravel_index(int(information.argmax()), information.shape)
    return int(layer), int(head)


def _positions(model: DecoderOnly, row: Row) -> Int[Tensor, " position"]:
    """Return where the tokens of ``row`` stand, as at the first draw when the zoo was measured."""
    if row.positions is not None:
        return torch.tensor(row.positions)
    return model.positional.test_positions(len(row.ids))


def _tokens(known: Tokens, ids: list[int]) -> Tokens:
    return tuple(known[index] for index in ids)


def _token_row(tokens: Tokens) -> TokenRow:
    return TokenRow(tuple(map(shown_piece, tokens)), special=tuple(map(is_special, tokens)))
