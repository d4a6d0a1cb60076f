"""What ``model`` and published data say, as people read it: titles of tasks and encodings, units, languages, sources.

There it is English. A words file has it in other languages, under the English; what is new shows as it is.
"""

from model.tasks import find
from viz.base.languages import ENGLISH, language
from viz.base.words import page_text, paragraph

_WORDS = page_text("shared/model_words")
_HUNDRED_MILLION, _TEN_THOUSAND = "{n} hundred million", "{n} ten thousand"


def model_words(text: str) -> str:
    """Return ``text`` in the language of whoever reads; as it is where nobody has put it into that language."""
    return _WORDS.get(text, text)


def is_left_in_english(text: str) -> bool:
    """Whether somebody who reads another language gets ``text`` in English, since nobody has put it into that."""
    return language() != ENGLISH and text not in _WORDS


def in_millions(number: float, english: str, places: int = 0) -> str:
    """Return ``number``, to ``places`` of a million: in ``english``, such as "{n} million", or by ten thousands."""
    millions = round(number / 1e6, places)
    if _TEN_THOUSAND not in _WORDS:
        return english.format(n=f"{millions:.{places}f}")
    counts = zip((_HUNDRED_MILLION, _TEN_THOUSAND), divmod(round(millions * 100), 10_000), strict=True)
    return paragraph(_WORDS[unit].format(n=f"{count:,}") for unit, count in counts if count)


def task_title(name: str) -> str:
    """Return the title of the task ``name``."""
    return model_words(find(name).description.title)
