"""Fertility of a tokenizer on a text: pieces a character, more of them far from the training data."""

from model.text.tokenizer import Tokenizer

_EXTRA_CHARACTERS = 10


def fertility(tokenizer: Tokenizer, text: str) -> float:
    """Return the number of pieces of ``text`` per character, without spaces.

    Ten characters are added to the count, so that short texts such as "Hi!" with three pieces get a low value.
    """
    return len(tokenizer.encode(text)) / (len("".join(text.split())) + _EXTRA_CHARACTERS)
