"""Sentences that an app does not show by itself: of suicide, violence, sex, or with insults.

The words of each language are a plain list beside this file. A visitor's own text is never held against them.
"""

import re
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "unsuitable_words"
_WITHOUT_SPACES = ("ja",)


def unsuitable_word(text: str, language: str) -> str | None:
    """Return the first word of ``text`` on the list of ``language``, such as "en", or None.

    Raises:
        ValueError: there is no list of that language.
    """
    match = _pattern(language).search(text)
    return match[0] if match else None


@cache
def _pattern(language: str) -> re.Pattern[str]:
    path = _FOLDER / f"{language}.txt"
    if not path.is_file():
        raise ValueError(f"there is no list of unsuitable words for {language!r}")
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    if language in _WITHOUT_SPACES:
        return re.compile("|".join(map(re.escape, lines)))
    words = (rf"{re.escape(line[:-1])}\b" if line.endswith(".") else rf"{re.escape(line)}\w*" for line in lines)
    return re.compile(rf"\b(?:{'|'.join(words)})", re.IGNORECASE)
