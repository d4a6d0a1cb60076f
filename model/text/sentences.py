"""Split a text into sentences by punctuation, and cut sentences that are too long."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from unicodedata import category

# An end mark with its closing quotes and brackets, then white space. French sets a blank before its closing quote.
# East Asian marks need no space. Marks that resemble others stand here as code points.
_WIDE = r"\u3002\uff01\uff1f\uff61"
_EAST_ASIAN = r"\u3040-\u30ff\u4e00-\u9fff"
_WIDE_POINT = r"(?<!\d)\uff0e"
_CLOSING = r"(?:[\"'\u201d\u2019\u201c\u2018»«)\]]|\s»(?=\s|$))"
_END = re.compile(
    rf"(?<![.!?…])[.!?…]++{_CLOSING}*(?:\s+|$)|(?:[{_WIDE}]|{_WIDE_POINT})+(?P<closed>[\u300d\u300f\uff09]*)\s*|"
    rf"(?<![!?])[!?]++(?=[{_EAST_ASIAN}])|\s*\n\s*"
)
# Quotes of several countries, brackets and dashes may stand before the first word.
_OPENING = re.compile(r"(?:[\"'\u201c\u2018\u201e\u201a«»(\[{\u300c\u300e\uff08\u3010¿¡]\s?|[-–—•]\s)*")
# A tag, a name or a section begins a sentence as a word does; so does an amount of money.
_SIGN = re.compile(r"[#@]\w|§")
# What stands between these is one, however many sentences it has.
_QUOTED = re.compile(
    r"\u300c[^\u300c\u300d\n]*\u300d|\u300e[^\u300e\u300f\n]*\u300f|\u201e[^\u201e\u201c\u201d\n]*[\u201c\u201d]|"
    r"\u201a[^\u201a\u2018\u2019\n]*[\u2018\u2019]"
)
# After a Japanese quote these go on with the sentence around it.
_GOES_ON = re.compile("と|って|という|は|が|を|も|の|に|、")
_LAST_WORD = re.compile(r"(\w[\w.]*)\.\W*$")
# Where to cut a long sentence, best first: after a mark within it, or between words.
_WITHIN = (re.compile(r"[,;:\u2013\u2014\u3001\uff0c\uff1b]+\s*"), re.compile(r"\s+"))
# Titles, then English, German and French.
_ABBREVIATION = re.compile(
    "mr|mrs|ms|messrs|dr|prof|st|mt|jr|sr|gen|adm|col|lt|maj|sgt|cpl|capt|gov|sen|rev|hon|hr|fr|fa|dipl|ing|"
    "mme|mlle|mm|mgr|"
    r"vs|e\.g|i\.e|u\.s|z|z\.b|d|d\.h|u|u\.a|v|bzw|vgl|av|bd|cf",
    re.IGNORECASE,
)
# Short for another word where a number follows, and else a word of their own, as the English "no".
_COUNTING = re.compile(
    r"no|nr|nos|fig|abb|abs|p|pp|vol|art|approx|ca|env|\w*str|sec|eq|ch|tab|"
    "jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|okt|dez",
    re.IGNORECASE,
)
# These may end a sentence: one does that goes on with a word that is no name and stands in the middle of none.
_MAY_END = re.compile(r"[jsJS]r|[A-Z](?:\.-?[A-Z])*")
_STARTER = re.compile(
    "(?:He|She|It|We|You|They|This|That|These|Those|There|But|"
    r"Er|Es|Wir|Ihr|Das|Dies|Dann|Aber|Il|Elle|Ils|Elles|On|Nous|Vous|Je|Ce|Mais)(?=[ '\u2019])|C['\u2019]est"
)
# The time of a day, and the day.
_HALF_DAY = re.compile(r"[ap]\.m", re.IGNORECASE)
_DAY = re.compile(
    "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|"
    r"November|December|[A-Z]{1,3}T\b|GMT|UTC"
)
_NUMBERED = re.compile(r"(?![$€£¥#§])\W*\d{1,3}\.\s*")
_INITIAL = re.compile(r"[A-Z]\.")
# German writes ordinals with a full stop; these nouns follow them most often.
_ORDINAL = re.compile(r"(?<!\w)\d{1,2}\.\s*$")
_COUNTED = re.compile(
    "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahr|Mal|Stock|Weltkrieg|"
    "Auflage|Ausgabe|Band|Etage|Geburtstag|Kapitel|Klasse|Platz|Preis|Runde|Tag|Teil|Woche"
)


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of ``text`` in order, without surrounding white space.

    For English, German, French and Japanese, with their quotation marks. A full stop after an abbreviation, an initial,
    a number in a list or a German ordinal does not end a sentence, nor does a mark before a lower-case letter or within
    a German or Japanese quotation.
    """
    sentences, start = [], 0
    quoted = [quote.span() for quote in _QUOTED.finditer(text)]
    for end in _END.finditer(text):
        if not _is_within(end, quoted) and _is_end(text, start, end):
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


def _is_within(end: "re.Match[str]", quoted: Sequence[tuple[int, int]]) -> bool:
    """Whether ``end`` is before the last mark of one of the quotations ``quoted``."""
    return any(start <= end.start() and end.end() < stop for start, stop in quoted)


def _is_end(text: str, start: int, end: "re.Match[str]") -> bool:
    if "\n" in end[0]:
        return True
    if end["closed"] is not None:
        goes_on = _GOES_ON.match(text, end.end()) or text[end.end() : end.end() + 1].islower()
        return not (end["closed"] and goes_on)
    if not _begins(text, end.end()):
        return False
    sentence = text[start : end.end()]
    if _NUMBERED.fullmatch(sentence) or (_ORDINAL.search(sentence) and _COUNTED.match(text, end.end())):
        return False
    word = _LAST_WORD.search(sentence)
    return word is None or not _is_short_for_another(word[1], text[end.end() :])


def _begins(text: str, at: int) -> bool:
    """Whether a sentence may begin here: with a capital, digit, letter without capitals, sign or picture."""
    opening = _OPENING.match(text, at)
    at = opening.end() if opening else at
    first = text[at : at + 1]
    is_word = first.isdigit() or (first.isalpha() and not first.islower())
    return not first or is_word or category(first) in ("So", "Sc") or _SIGN.match(text, at) is not None


def _is_short_for_another(word: str, following: str) -> bool:
    if _MAY_END.fullmatch(word) and _STARTER.match(following):
        return False
    if len(word) == 1 and word.isupper() and word != "I":
        return True
    if _COUNTING.fullmatch(word):
        return following[:1].isdigit() or category(following[:1] or " ") == "Sc"
    if _HALF_DAY.fullmatch(word):
        return _DAY.match(following) is not None
    if word == "I":
        return _INITIAL.match(following) is not None
    return _ABBREVIATION.fullmatch(word) is not None
