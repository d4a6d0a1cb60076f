"""Scripts: the script of a text, and those without spaces between words."""

import re
import unicodedata
from collections import Counter

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


# Characters that Chinese cannot do without and that Japanese does not write, though its character sets have them.
_CHINESE = frozenset("你她們這嗎呢吧没沒么麼很")
# JIS X 0213, and what Windows has beyond it: together all that Japanese is written in, and few simplified characters.
_JAPANESE_SETS = ("euc_jis_2004", "cp932")
_KANA = {"HIRAGANA", "KATAKANA"}
_WITH_NAMES = _KANA | {"HANGUL"}
_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z]*")
CHINESE = "CHINESE"
"""The script of a text that is Chinese as far as its characters tell: they are those of Japanese, too."""


def main_script(text: str) -> str | None:
    """Return the script of most letters of ``text`` by Unicode's name, as LATIN or CJK, or None.

    Latin names in a Japanese or Korean sentence do not count.
    """
    # Ligatures and letters of full or half width are the letters that they stand for.
    normal = unicodedata.normalize("NFKC", text)
    counted = _count_scripts(normal)
    if counted["LATIN"] and counted.keys() & _WITH_NAMES:
        counted = _count_scripts(_LATIN_NAME.sub("", normal))
    if not counted:
        return None
    (script, _), *_ = counted.most_common(1)
    is_chinese = script == "CJK" and not counted.keys() & _KANA and any(map(_is_only_chinese, text))
    return CHINESE if is_chinese else script


def _count_scripts(text: str) -> Counter[str]:
    return Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in filter(str.isalpha, text))


def _is_only_chinese(character: str) -> bool:
    if character in _CHINESE:
        return True
    return unicodedata.name(character, "").startswith("CJK ") and not any(
        _has(character_set, character) for character_set in _JAPANESE_SETS
    )


def _has(character_set: str, character: str) -> bool:
    try:
        character.encode(character_set)
    except UnicodeEncodeError:
        return False
    return True
