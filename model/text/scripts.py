"""Scripts without spaces between words, as in Japanese and Chinese."""

import unicodedata


def is_unspaced(character: str) -> bool:
    """Whether ``character`` is a letter or mark of a script without spaces between words."""
    return unicodedata.name(character, "").startswith(("CJK ", "HIRAGANA ", "IDEOGRAPHIC ", "KATAKANA"))


def is_katakana(character: str) -> bool:
    """Whether ``character`` is Katakana, in which Japanese writes foreign words without breaks."""
    return unicodedata.name(character, "").startswith("KATAKANA")
