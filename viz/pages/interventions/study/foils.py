"""Tokens that a written one is set against."""

from model.text.tokenizer import UNKNOWN_ID, Tokenizer, byte_of

N_FOILS = 20
"""The most probable tokens of a step, among which a foil can be chosen."""


def first_token(tokenizer: Tokenizer, word: str, *, unlike: int) -> int:
    """Return the first token of ``word``.

    Raises:
        ValueError: the model has none, or it is ``unlike``; a word with letters that it writes as bytes begins with no
            token of its own.
    """
    tokens = tokenizer.encode(word)
    is_spelt = any(byte_of(piece) is not None for piece in tokenizer.pieces(tokens))
    if not tokens or tokens[0] in (UNKNOWN_ID, unlike) or is_spelt:
        raise ValueError(word)
    return tokens[0]
