"""Split a text into sentences by punctuation, and cut sentences that are too long."""

import re
from bisect import bisect_left
from collections.abc import Callable

# An end mark with its closing quotes and brackets, then a space. East Asian marks need no space. They stand here as
# code points because they resemble other characters.
_WIDE = r"\u3002\uff01\uff1f"
_END = re.compile(rf"[.!?…]+[\"'\u201d\u2019»)\]]*\s+|[{_WIDE}]+[\u300d\u300f\uff09]*\s*|\s*\n\s*")
_BEGINS = re.compile(r"[\"'\u201c\u2018«(\[¿¡]*[^\W_a-z]")
_LAST_WORD = re.compile(r"(\w[\w.]*)\.\s*$")
# Where to cut a long sentence, best first: after a mark within it, or between words.
_WITHIN = (re.compile(r"[,;:\u2013\u2014\u3001\uff0c\uff1b]+\s*"), re.compile(r"\s+"))
_TITLES = {"mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "hr", "fr", "mme", "mlle"}
_ENGLISH = {"vs", "no", "fig", "etc", "e.g", "i.e", "u.s", "a.m", "p.m"}
_GERMAN = {"z", "z.b", "d", "d.h", "u", "u.a", "v", "ca", "bzw", "nr", "str"}
_ABBREVIATED = _TITLES | _ENGLISH | _GERMAN
# German writes ordinals with a full stop; these nouns follow them most often.
_ORDINAL = re.compile(r"(?<!\w)\d{1,2}\.\s*$")
_COUNTED = re.compile(
    "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahr|Mal|Stock|Weltkrieg"
)


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text`` in order, without surrounding white space.

    A full stop after an abbreviation, an initial or a German ordinal does not end a sentence, nor does a mark before a
    lower-case letter.
    """
    sentences, start = [], 0
    for end in _END.finditer(text):
        if _is_end(text, start, end):
            sentences.append(text[start : end.end()].strip())
            start = end.end()
    return tuple(sentence for sentence in (*sentences, text[start:].strip()) if sentence)


def cut_to_length(text: str, length: Callable[[str], int], longest: int) -> tuple[str, ...]:
    """Return ``text`` in parts whose ``length`` is at most ``longest``.

    Cuts are made after a comma or another mark within the sentence, else between words, else anywhere. White space at
    the cuts is dropped, and so is a single character that is too long by itself.
    """
    parts, rest = [], text.strip()
    while rest:
        n = _first_part(rest, length, longest)
        if n:
            parts.append(rest[:n].strip())
        rest = rest[n or 1 :].strip()
    return tuple(parts)


def _first_part(text: str, length: Callable[[str], int], longest: int) -> int:
    """Return the number of characters of the first part of ``text``; 0 if one character is too long."""
    if length(text) <= longest:
        return len(text)
    fits = bisect_left(range(1, len(text)), True, key=lambda n: length(text[:n]) > longest)
    for mark in _WITHIN:
        # A first part of only a few words would leave the rest long.
        ends = [match.end() for match in mark.finditer(text, 0, fits) if match.end() > fits // 2]
        if ends and length(text[: ends[-1]]) <= longest:
            return ends[-1]
    return fits


def _is_end(text: str, start: int, end: "re.Match[str]") -> bool:
    if "\n" in end[0] or re.match(f"[{_WIDE}]", end[0]):
        return True
    if not _BEGINS.match(text, end.end()):
        return False
    sentence = text[start : end.end()]
    if _ORDINAL.search(sentence) and _COUNTED.match(text, end.end()):
        return False
    word = _LAST_WORD.search(sentence)
    return word is None or not _is_short_for_another(word[1])


def _is_short_for_another(word: str) -> bool:
    is_initial = len(word) == 1 and word.isupper() and word != "I"
    return is_initial or word.lower() in _ABBREVIATED
