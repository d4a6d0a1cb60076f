"""Scripts without spaces between words, as in Japanese and Chinese."""

import unicodedata

IDEOGRAPHS = "\u3005\u4e00-\u9fff"
"""Range for a character class of a regular expression, as are the next two."""
HIRAGANA = "\u3041-\u3096"
KATAKANA = "\u30a1-\u30fa\u30fc"


def is_unspaced(character: str) -> bool:
    """Whether ``character`` is a letter or mark of a script without spaces between words."""
    return unicodedata.name(character, "").startswith(("CJK ", "HIRAGANA ", "IDEOGRAPHIC ", "KATAKANA"))


def is_katakana(character: str) -> bool:
    """Whether ``character`` is Katakana, in which Japanese writes foreign words without breaks."""
    return unicodedata.name(character, "").startswith("KATAKANA")
