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
    known = {_CODES[language]: language for language in sorted(set(languages)) if language in _CODES}
    if not known or not any(character.isalpha() for character in text):
        return None
    code, probability = _identifier(tuple(known)).classify(text)
    return known[code] if probability >= at_least else None


@lru_cache(maxsize=8)
def _identifier(codes: tuple[str, ...]) -> LanguageIdentifier:
    """Return what tells ``codes`` apart; its languages are set once, since every session asks the same one."""
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(codes)
    return identifier
