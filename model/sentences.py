"""Where one sentence ends and the next begins, by punctuation."""

import re

# An end mark with its closing quotes and brackets, then a space; East Asian marks, written by their code points because
# they look like others, need no space.
_WIDE = r"\u3002\uff01\uff1f"
_END = re.compile(rf"[.!?…]+[\"'\u201d\u2019»)\]]*\s+|[{_WIDE}]+[\u300d\u300f\uff09]*\s*|\s*\n\s*")
_BEGINS = re.compile(r"[\"'\u201c\u2018«(\[¿¡]*[^\W_a-z]")
_LAST_WORD = re.compile(r"(\w[\w.]*)\.\s*$")
_ABBREVIATED = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "no", "fig", "etc", "e.g", "i.e", "u.s", "a.m", "p.m")
)


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text`` in their order, without white space around them; none of an empty text.

    A full stop after an abbreviation or an initial ends none, nor does a mark before a small letter.
    """
    sentences, start = [], 0
    for end in _END.finditer(text):
        if _is_end(text, start, end):
            sentences.append(text[start : end.end()].strip())
            start = end.end()
    return tuple(sentence for sentence in (*sentences, text[start:].strip()) if sentence)


def _is_end(text: str, start: int, end: "re.Match[str]") -> bool:
    if "\n" in end[0] or re.match(f"[{_WIDE}]", end[0]):
        return True
    if not _BEGINS.match(text, end.end()):
        return False
    word = _LAST_WORD.search(text[start : end.end()])
    return word is None or not _is_short_for_another(word[1])


def _is_short_for_another(word: str) -> bool:
    is_initial = len(word) == 1 and word.isupper() and word != "I"
    return is_initial or word.lower() in _ABBREVIATED
