"""Translations of the English words of ``model`` and of published data.

These are titles of tasks and encodings, units, languages and sources. A words file has them in other languages, under
the English; a new one is shown in English.
"""

from model.tasks import find
from viz.base.languages import ENGLISH, language
from viz.base.words import page_text, paragraph

_WORDS = page_text("shared/model_words")
_HUNDRED_MILLION, _TEN_THOUSAND = "{n} hundred million", "{n} ten thousand"


def model_words(text: str) -> str:
    """Return ``text`` in the reader's language; unchanged where there is no translation."""
    return _WORDS.get(text, text)


def is_left_in_english(text: str) -> bool:
    """Return whether a reader of another language gets ``text`` in English, for want of a translation."""
    return language() != ENGLISH and text not in _WORDS


def in_millions(number: float, english: str, places: int = 0) -> str:
    """Return ``number`` in millions by ``english``, such as "{n} million", or in ten thousands.

    ``places`` are those of a million.
    """
    millions = round(number / 1e6, places)
    if _TEN_THOUSAND not in _WORDS:
        return english.format(n=f"{millions:.{places}f}")
    counts = zip((_HUNDRED_MILLION, _TEN_THOUSAND), divmod(round(millions * 100), 10_000), strict=True)
    return paragraph(_WORDS[unit].format(n=f"{count:,}") for unit, count in counts if count)


def task_title(name: str) -> str:
    """Return the title of the task ``name``."""
    return model_words(find(name).description.title)
