"""The token ids of a task."""

from dataclasses import dataclass
from functools import cached_property

from model.tasks.base import Task, Tokens

PAD_ID, BOS_ID, EOS_ID = 0, 1, 2
SPECIAL: Tokens = ("<pad>", "<bos>", "<eos>")


@dataclass(frozen=True)
class Vocabulary:
    """Every token of a task's models; a token's id is its index in ``tokens``."""

    tokens: Tokens

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {token: index for index, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        """Return the number of tokens, special ones included."""
        return len(self.tokens)

    def encode(self, tokens: Tokens) -> list[int]:
        """Return the ids of ``tokens``."""
        return [self._ids[token] for token in tokens]

    def decode(self, ids: list[int]) -> Tokens:
        """Return the tokens of ``ids``, without an EOS at the end."""
        kept = ids[:-1] if ids and ids[-1] == EOS_ID else ids
        return tuple(self.tokens[index] for index in kept)


@dataclass(frozen=True)
class Row:
    """BOS, prompt, answer and any EOS; the model reads ``n_prompt`` of ``ids`` and writes the rest."""

    ids: list[int]
    n_prompt: int
    positions: tuple[int, ...] | None


def vocabulary_of(task: Task) -> Vocabulary:
    """Return the vocabulary of ``task``: special tokens, its alphabet and its further tokens."""
    return Vocabulary(tuple(dict.fromkeys((*SPECIAL, *task.description.alphabet, *task.description.more_tokens))))


def row_of(task: Task, vocabulary: Vocabulary, inputs: Tokens) -> Row:
    """Return the row of ``inputs`` with the right answer."""
    prompt = [BOS_ID, *vocabulary.encode(task.prompt(inputs))]
    answer = vocabulary.encode(task.solve(inputs))
    return Row(prompt + answer + [EOS_ID] * task.has_end, len(prompt), task.positions(inputs))
