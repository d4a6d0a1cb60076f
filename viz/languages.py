"""Which of some languages a text is in, guessed from its characters by py3langid (Lui and Baldwin 2012)."""

from collections.abc import Iterable
from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

_CODES = {"English": "en", "French": "fr", "German": "de", "Japanese": "ja"}


def guessed_language(text: str, languages: Iterable[str]) -> str | None:
    """Return the one of ``languages`` that ``text`` is most probably in; None where there is no letter to tell by.

    A language that cannot be told from others is left out of the guess.
    """
    known = {_CODES[language]: language for language in sorted(set(languages)) if language in _CODES}
    if not known or not any(character.isalpha() for character in text):
        return None
    code, _ = _identifier(tuple(known)).classify(text)
    return known[code]


@lru_cache(maxsize=8)
def _identifier(codes: tuple[str, ...]) -> LanguageIdentifier:
    """Return what tells ``codes`` apart; its languages are set once, since every session asks the same one."""
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(codes)
    return identifier
