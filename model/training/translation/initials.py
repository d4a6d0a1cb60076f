"""The form of a word where no sentence begins with it."""

import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+")


class Initials:
    """Tells which words keep their capital inside a sentence, by how ``texts`` write them there."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Count the words that do not begin a text."""
        self._inside = Counter(word for text in texts for word in _WORD.findall(text)[1:])

    def lower(self, text: str) -> str:
        """Return ``text`` with its first letter as it would be inside a sentence."""
        first = _WORD.match(text)
        if first is None or (len(first[0]) > 1 and first[0].isupper()):
            return text
        word = first[0][0].lower() + first[0][1:]
        return word + text[first.end() :] if self._inside[word] > self._inside[first[0]] else text


def capitalize(text: str) -> str:
    """Return ``text`` with a capital as its first letter, and the others as they are."""
    return text[:1].upper() + text[1:]
