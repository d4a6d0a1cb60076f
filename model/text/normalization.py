"""The normal form of a text before it is tokenized."""

import unicodedata

WORD_START = "▁"
"""SentencePiece's mark for the space before a word."""


def normalize(text: str) -> str:
    """Return ``text`` with composed characters (NFC) and single spaces.

    Every run of white space, control characters, lone surrogates and :data:`WORD_START` becomes one space.
    """
    spaced = "".join(" " if _is_blank(character) else character for character in text)
    return " ".join(unicodedata.normalize("NFC", spaced).split())


def _is_blank(character: str) -> bool:
    return character == WORD_START or unicodedata.category(character) in ("Cc", "Cs")
