"""Into how small pieces a tokenizer cuts a text: into smaller ones the less it is like what it learned from."""

from model.text.tokenizer import Tokenizer

_CHARACTERS_MORE = 10


def fragmentation(tokenizer: Tokenizer, text: str) -> float:
    """Return the pieces of ``text`` per character, spaces not counted.

    Ten characters more are counted than there are, since "Hi!" has three pieces and says nothing yet.
    """
    return len(tokenizer.encode(text)) / (len("".join(text.split())) + _CHARACTERS_MORE)
