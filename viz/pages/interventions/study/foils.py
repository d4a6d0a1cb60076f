"""Tokens that a written one is set against."""

from model.text.tokenizer import UNKNOWN_ID, Tokenizer

N_FOILS = 20
"""The most probable tokens of a step, among which a foil can be chosen."""


def first_token(tokenizer: Tokenizer, word: str, *, unlike: int) -> int:
    """Return the first token of ``word``.

    Raises:
        ValueError: the model has none, or it is ``unlike``.
    """
    token = next(iter(tokenizer.encode(word)), UNKNOWN_ID)
    if token in (UNKNOWN_ID, unlike):
        raise ValueError(word)
    return token
