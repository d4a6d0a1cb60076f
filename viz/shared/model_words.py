"""What ``model`` and published data say, as people read it: titles of tasks and encodings, units, languages, sources.

There it is English. A words file has it in other languages, under the English; what is new shows as it is.
"""

from model.tasks import find
from viz.base.words import page_text

_WORDS = page_text("shared/model_words")


def model_words(text: str) -> str:
    """Return ``text`` in the language of whoever reads; as it is where nobody has put it into that language."""
    return _WORDS.get(text, text)


def task_title(name: str) -> str:
    """Return the title of the task ``name``."""
    return model_words(find(name).description.title)
