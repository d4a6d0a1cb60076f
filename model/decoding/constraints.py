"""A rule for searches: a character that is written byte by byte is written to its end."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from model.text.tokenizer import byte_of

_CONTINUATION = range(0x80, 0xC0)
_FIRST = (range(0x80), range(0xC2, 0xF5))
_SECOND = {0xE0: range(0xA0, 0xC0), 0xED: range(0x80, 0xA0), 0xF0: range(0x90, 0xC0), 0xF4: range(0x80, 0x90)}
_EXPECTED = (None, _CONTINUATION, *_SECOND.values())
_LONGEST = 4


class WholeCharacters:
    """Says which tokens may not follow, because some bytes of a target would be no character.

    Within a character only a byte that goes on with it may follow, and elsewhere any text but a byte that begins none:
    the well-formed sequences of UTF-8, RFC 3629 §4. The length limit of a search can still cut a character off.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        """Take the ``pieces`` of a vocabulary in the order of their ids."""
        self._bytes = [byte_of(piece) for piece in pieces]
        self._forbidden = torch.stack([self._forbidden_where(expected) for expected in _EXPECTED])  # [states, V]

    def __call__(self, tokens: Int[Tensor, "row position"]) -> Bool[Tensor, "row_or_1 vocabulary"]:
        """Return, for targets of any one length, the tokens that may not follow; one row where they are alike."""
        tails = tokens[:, 1 - _LONGEST :].tolist()
        states = [_EXPECTED.index(_expected([self._bytes[token] for token in tail])) for tail in tails]
        if len(set(states)) == 1:  # nearly always, between characters: nothing is copied
            return self._forbidden[states[0]][None].to(tokens.device)  # [1, V]
        return self._forbidden[states].to(tokens.device)

    def _forbidden_where(self, expected: range | None) -> Bool[Tensor, " vocabulary"]:
        if expected is not None:
            return torch.tensor([byte is None or byte not in expected for byte in self._bytes])
        return torch.tensor([byte is not None and not any(byte in begin for begin in _FIRST) for byte in self._bytes])


def _expected(tail: Sequence[int | None]) -> range | None:
    """Return which byte must follow ``tail`` for its last character to be whole; None if it is, or there is none."""
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
