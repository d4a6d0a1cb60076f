"""Language identification by common words, and by characters with py3langid (Lui and Baldwin 2012)."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from model.text.scripts import main_script

_CODES = {"English": "en", "French": "fr", "German": "de", "Japanese": "ja"}
LANGUAGES = tuple(_CODES)
"""The languages that can be identified."""
SCRIPTS = {language: frozenset({"LATIN"}) for language in LANGUAGES} | {
    "Japanese": frozenset({"CJK", "HIRAGANA", "KATAKANA"})
}
"""The scripts of each of them, by Unicode's words."""
CONFIDENT = 0.9
"""The probability from which an identified language may be shown to the user."""
Doubt = Literal["short", "mixed"]
"""Why a language is not sure: too few words tell it, or words of two languages are there."""

_WORD = re.compile(r"[^\W\d_]+")
# What has no words of a language: addresses, @names and #tags.
_ADDRESS = re.compile(r"[!-~]*(?:://|@)[!-~]*|\bwww\.[!-~]+|(?<![!-~])#[!-~]+")
_COMMON_WORDS = Path(__file__).with_name("common_words")
# By Zipf's law the frequency of a word falls with its rank; this many words are so frequent that it does not.
_FREQUENT = 20
# The frequency of a word that is in no list is one in so many.
_RARE = 20_000
# A word up to this rank in one language and in no other list is a sign of that language.
_TELLING_RANK = 1500
_MIN_CHARACTERS = 1e-3
_SURE = 0.97
# Words of another language count as a mixture from so many on, of those of the first.
_MIN_SHARE = 1 / 3


@dataclass(frozen=True)
class LanguageGuess:
    """The most probable language of a text.

    ``others`` are those that it may be in, ``doubt`` is why the first is not sure; None where it is.
    """

    language: str
    others: tuple[str, ...]
    doubt: Doubt | None


def guess_language(text: str, languages: Iterable[str]) -> LanguageGuess | None:
    """Return which of ``languages`` the ``text`` is in, and whether that is sure.

    None if none of them is written in the script of ``text``. Names do not decide: where words in small letters tell
    the language, those with a capital are left aside. Languages that are not in :data:`LANGUAGES` are ignored.
    """
    written = _ADDRESS.sub(" ", text)
    known = _in_script(written, languages) or _in_script(text, languages)
    if not known:
        return None
    if len(known) == 1 and SCRIPTS[known[0]] != SCRIPTS["English"]:
        return LanguageGuess(known[0], (), None)
    words = _telling_words(written, known)
    probabilities = _probabilities(text, words, known)
    best, *others = sorted(known, key=probabilities.__getitem__, reverse=True)
    if not others:
        return LanguageGuess(best, (), None)
    if _is_mixed(words, best, others):
        return LanguageGuess(best, tuple(others), "mixed")
    every = [word.lower() for word in _WORD.findall(written)]
    is_sure = any(
        some[best] >= _SURE and any(len(word) > 1 and word in common_words(best) for word in read)
        for some, read in ((probabilities, words), (_probabilities(text, every, known), every))
    )
    return LanguageGuess(best, tuple(others), None if is_sure else "short")


def identify_language(text: str, languages: Iterable[str], *, at_least: float = 0.75) -> str | None:
    """Return the most probable of ``languages`` for ``text``.

    None if its probability among them is below ``at_least``, or if none of them is written in the script of ``text``.
    Languages that are not in :data:`LANGUAGES` are ignored.
    """
    written = _ADDRESS.sub(" ", text)
    known = _in_script(written, languages) or _in_script(text, languages)
    if not known:
        return None
    probabilities = _probabilities(text, _telling_words(written, known), known)
    best = max(known, key=probabilities.__getitem__)
    return best if probabilities[best] >= at_least else None


@cache
def common_words(language: str) -> Mapping[str, int]:
    """Return the most common words of ``language`` in small letters, each with its rank from 0.

    None of a language that its script tells.
    """
    path = _COMMON_WORDS / f"{language}.txt"
    words = path.read_text(encoding="utf-8").split() if path.is_file() else []
    return {word: rank for rank, word in enumerate(words)}


def _in_script(text: str, languages: Iterable[str]) -> list[str]:
    script = main_script(text)
    asked = set(languages)
    return [language for language in LANGUAGES if language in asked and script in SCRIPTS[language]]


def _telling_words(text: str, languages: Sequence[str]) -> list[str]:
    """Return the words that tell the language, in small letters: no names, where other words are common.

    A capital is that of a name unless it begins the text and no other follows: Le Monde, Frau Müller. The English I is
    none, but the number after a name is: François I.
    """
    matches = _WORD.finditer(text)
    written = [match[0] for match in matches if not _is_of_name(text, match.start(), languages)]
    words = [
        "i" if word == "I" and not before[:1].isupper() else word
        for before, word in zip(("", *written), written, strict=False)
    ]
    is_small = [word.islower() for word in words]
    begins = words[:1] if is_small[:2] == [False, True] else []
    telling = [word.lower() for word in (*begins, *(word for word in words if word.islower()))]
    is_common = any(word in common_words(language) for word in telling for language in languages)
    return telling if is_common else [word.lower() for word in words]


def _is_of_name(text: str, start: int, languages: Sequence[str]) -> bool:
    """Whether a small word from ``start`` goes on with a name, as in Min-su; not so in Vas-tu."""
    first = re.search(r"([^\W\d_]+)-\Z", text[:start])
    return (
        first is not None
        and first[1].istitle()
        and text[start].islower()
        and not any(first[1].lower() in common_words(language) for language in languages)
    )


def _probabilities(text: str, words: Sequence[str], languages: Sequence[str]) -> dict[str, float]:
    """Return the probability of each of ``languages`` by naive Bayes over ``words`` and characters."""
    by_characters = _by_characters(" ".join(words) or text, languages)
    scores = {
        language: math.log(max(by_characters[language], _MIN_CHARACTERS))
        + sum(_log_frequency(word, language) for word in words)
        for language in languages
    }
    highest = max(scores.values())
    total = sum(math.exp(score - highest) for score in scores.values())
    return {language: math.exp(score - highest) / total for language, score in scores.items()}


def _log_frequency(word: str, language: str) -> float:
    rank = common_words(language).get(word)
    return -math.log(_RARE if rank is None else rank + _FREQUENT)


def _is_mixed(words: Sequence[str], best: str, others: Sequence[str]) -> bool:
    """Whether words that only ``best`` has stand beside words that only another language has."""
    languages = (best, *others)
    telling = Counter(language for word in words if (language := _language_of_word(word, languages)))
    return any(_MIN_SHARE * telling[best] <= telling[other] > 0 for other in others if telling[best])


def _language_of_word(word: str, languages: Sequence[str]) -> str | None:
    having = [language for language in languages if word in common_words(language)]
    return having[0] if len(having) == 1 and common_words(having[0])[word] < _TELLING_RANK else None


def _by_characters(text: str, languages: Sequence[str]) -> dict[str, float]:
    """Return the probability of each of ``languages`` by characters alone: equal without a model."""
    try:
        ranked = dict(_identifier().rank(text))
    except OSError:  # it unpacks its model into a temporary folder
        ranked = {}
    probabilities = {language: float(ranked.get(_CODES[language], 0.0)) for language in languages}
    # The total is 0 for a text that is certainly in a language that is not asked for.
    total = sum(probabilities.values())
    return {language: p / total if total else 1 / len(languages) for language, p in probabilities.items()}


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """Return the model for :data:`LANGUAGES`; loading it takes longer than a thousand calls."""
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(tuple(_CODES.values()))
    return identifier
