"""Which of some languages a text is in, guessed from its characters by py3langid (Lui and Baldwin 2012)."""

from collections.abc import Iterable
from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

_CODES = {"English": "en", "French": "fr", "German": "de", "Japanese": "ja"}
LANGUAGES = tuple(_CODES)
"""Those that can be told from each other."""
SURE = 0.9
"""The probability from which on a guess can be said to someone's face."""


def guessed_language(text: str, languages: Iterable[str], *, at_least: float = 0.75) -> str | None:
    """Return the one of ``languages`` that ``text`` is most probably in.

    None where it is less probable than ``at_least``, or where there is no letter to tell by. A language that is none of
    :data:`LANGUAGES` is left out of the guess.
    """
    known = {_CODES[language]: language for language in set(languages) if language in _CODES}
    if not known or not any(character.isalpha() for character in text):
        return None
    found = {code: probability for code, probability in _identifier().rank(text) if code in known}
    best, total = max(found, key=found.__getitem__), sum(found.values())
    # Of a text that is surely in another language, nothing is left to share among these.
    return known[best] if total and found[best] / total >= at_least else None


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """Return what tells all of :data:`LANGUAGES` apart; to read it takes longer than a thousand guesses."""
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(tuple(_CODES.values()))
    return identifier
