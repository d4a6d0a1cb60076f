"""Constraints on the next token: no special tokens, no repeated n-grams, whole UTF-8 characters."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.config import EncoderDecoderConfig
from model.decoding.options import DecodingOptions
from model.text.tokenizer import UNKNOWN_ID, byte_of

_CONTINUATION = range(0x80, 0xC0)
_FIRST = (range(0x80), range(0xC2, 0xF5))
_SECOND = {0xE0: range(0xA0, 0xC0), 0xED: range(0x80, 0xA0), 0xF0: range(0x90, 0xC0), 0xF4: range(0x80, 0x90)}
_EXPECTED = (None, _CONTINUATION, *_SECOND.values())
_MAX_BYTES = 4


@runtime_checkable
class TokenConstraint(Protocol):
    """Rules out tokens that must not follow a target."""

    def __call__(self, targets: Sequence[Sequence[int]], scores: Float[Tensor, "row vocabulary"], /) -> None:
        """Set the scores of excluded tokens to −∞, for ``targets`` of one length, without BOS."""


class NoTokens:
    """Rules out certain tokens everywhere."""

    def __init__(self, ids: Sequence[int]) -> None:
        """Rule out ``ids``."""
        self._ids = torch.tensor(list(ids))

    def __call__(self, _: Sequence[Sequence[int]], scores: Float[Tensor, "row vocabulary"]) -> None:
        """Set their scores to −∞."""
        scores.index_fill_(1, self._ids.to(scores.device), -torch.inf)


class NoRepeatedNgrams:
    """Rules out a token that would complete an n-gram once more than it may occur in a target."""

    def __init__(self, size: int, max_repeats: int) -> None:
        """Allow an n-gram of ``size`` tokens ``max_repeats`` times; a size of 0 allows everything."""
        self._size, self._max_repeats = size, max_repeats

    def __call__(self, targets: Sequence[Sequence[int]], scores: Float[Tensor, "row vocabulary"]) -> None:
        """Set the scores of such tokens to −∞."""
        for row, tokens in enumerate(targets):
            if completing := self._completing(tokens):
                scores[row, completing] = -torch.inf

    def _completing(self, tokens: Sequence[int]) -> list[int]:
        size = self._size
        if not 0 < size <= len(tokens):
            return []
        tail = tokens[len(tokens) - size + 1 :]
        followers = [tokens[end] for end in range(size - 1, len(tokens)) if tokens[end - size + 1 : end] == tail]
        return [token for token in set(followers) if followers.count(token) >= self._max_repeats]


class WholeCharacters:
    """Rules out tokens that would leave bytes which are no character.

    Within a character only a byte that continues it may follow, and elsewhere any text but a byte that begins none:
    the well-formed sequences of UTF-8, RFC 3629 §4. The length limit can still cut a character off.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        """Take the ``pieces`` of a vocabulary in the order of their ids."""
        self._bytes = [byte_of(piece) for piece in pieces]
        self._forbidden = torch.stack([self._forbidden_where(expected) for expected in _EXPECTED])  # [states, V]
        self._forbidden_between = self._forbidden[0].nonzero()[:, 0]

    def __call__(self, targets: Sequence[Sequence[int]], scores: Float[Tensor, "row vocabulary"]) -> None:
        """Set the scores of such tokens to −∞."""
        states = [
            _EXPECTED.index(_expected([self._bytes[token] for token in tokens[1 - _MAX_BYTES :]])) for tokens in targets
        ]
        if not any(states):  # nearly always: every target is between characters
            scores.index_fill_(1, self._forbidden_between.to(scores.device), -torch.inf)
        else:
            scores.masked_fill_(self._forbidden[states].to(scores.device), -torch.inf)  # [row, V]

    def _forbidden_where(self, expected: range | None) -> Bool[Tensor, " vocabulary"]:
        if expected is not None:
            return torch.tensor([byte is None or byte not in expected for byte in self._bytes])
        return torch.tensor([byte is not None and not any(byte in begin for begin in _FIRST) for byte in self._bytes])


def text_constraints(config: EncoderDecoderConfig, options: DecodingOptions) -> tuple[TokenConstraint, ...]:
    """Return the constraints of ``options`` on a text: no special tokens, no repeated n-grams."""
    special = NoTokens((config.pad_id, config.bos_id, UNKNOWN_ID))
    return special, NoRepeatedNgrams(options.ngram_size, options.max_ngram_repeats)


def _expected(tail: Sequence[int | None]) -> range | None:
    """Return the bytes that complete the last character of ``tail``; None where it is complete."""
    for n_written, byte in enumerate(reversed(tail)):
        if byte is None:
            return None
        if byte in _CONTINUATION:
            continue
        if n_written >= _n_continuations(byte):
            return None
        return _CONTINUATION if n_written else _SECOND.get(byte, _CONTINUATION)
    return None


def _n_continuations(first: int) -> int:
    return (first >= 0xC2) + (first >= 0xE0) + (first >= 0xF0)
