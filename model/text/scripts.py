"""Scripts that put no spaces between words: what Japanese and Chinese are written in."""

import unicodedata


def is_unspaced(character: str) -> bool:
    """Whether ``character`` belongs to a script that puts no spaces between words, as a letter or a mark."""
    return unicodedata.name(character, "").startswith(("CJK ", "HIRAGANA ", "IDEOGRAPHIC ", "KATAKANA"))


def is_katakana(character: str) -> bool:
    """Whether ``character`` is one of those that Japanese writes foreign words in, each word in one run."""
    return unicodedata.name(character, "").startswith("KATAKANA")
