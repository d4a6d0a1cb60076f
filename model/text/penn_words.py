"""Words as the English Penn Treebank cuts them, with hyphens apart as in GUM."""

import re

_BEFORE = "([{\"'\u201c\u2018`«¿¡$£€#"
_AFTER = ")]}\"'\u201d\u2019»,;:!?%…"
_CLITIC = re.compile(r"(?<=\w)(n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_WHOLE = re.compile(r"\.{2,}|(?:[A-Za-z]\.){2,}|(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|Jr|Sr|No)\.", re.IGNORECASE)
_HYPHEN = re.compile(r"(?<=\w)(-)(?=\w)|(--|—|–|/)")


def penn_words(text: str) -> list[str]:
    """Return the words of ``text``; marks, hyphens and parts of contractions are words of their own.

    "Don't" becomes "Do" and "n't". A full stop belongs to a word only where it is a known abbreviation's.
    """
    return [word for chunk in text.split() for word in _words(chunk)]


def _words(chunk: str) -> list[str]:
    first: list[str] = []
    last: list[str] = []
    while len(chunk) > 1 and chunk[0] in _BEFORE:
        first.append(chunk[0])
        chunk = chunk[1:]
    while len(chunk) > 1 and not _WHOLE.fullmatch(chunk) and (mark := _mark_at_end(chunk)):
        last.append(mark)
        chunk = chunk[: -len(mark)]
    return [*first, *_inside(chunk), *reversed(last)]


def _mark_at_end(chunk: str) -> str:
    if (dots := re.search(r"(?<=.)\.{2,}$", chunk)) is not None:
        return dots.group()
    if chunk[-1] == "." or (chunk[-1] in _AFTER and not _CLITIC.search(chunk)):
        return chunk[-1]
    return ""


def _inside(chunk: str) -> list[str]:
    if chunk.lower() == "cannot":
        return [chunk[:3], chunk[3:]]
    if _WHOLE.fullmatch(chunk):
        return [chunk]
    parts = [part for part in _HYPHEN.split(chunk) if part]
    return [word for part in parts for word in _without_clitic(part)]


def _without_clitic(word: str) -> list[str]:
    clitic = _CLITIC.search(word)
    return [word[: clitic.start()], clitic.group()] if clitic else [word]
