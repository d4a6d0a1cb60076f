"""Language identification from the characters of a text, by py3langid (Lui and Baldwin 2012)."""

from collections.abc import Iterable
from functools import lru_cache

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


def identify_language(text: str, languages: Iterable[str], *, at_least: float = 0.75) -> str | None:
    """Return the most probable of ``languages`` for ``text``.

    None if its probability among them is below ``at_least``, if none of them is written in the script of ``text``, or
    if the model that tells languages cannot be unpacked.
    Languages that are not in :data:`LANGUAGES` are ignored.
    """
    known = {_CODES[language]: language for language in set(languages) if language in _CODES}
    if main_script(text) not in frozenset[str]().union(*map(SCRIPTS.__getitem__, known.values())):
        return None
    try:
        identifier = _identifier()
    except OSError:  # it unpacks its model into a temporary folder
        return None
    probabilities = {code: probability for code, probability in identifier.rank(text) if code in known}
    best, total = max(probabilities, key=probabilities.__getitem__), sum(probabilities.values())
    # The total is 0 for a text that is certainly in a language that is not asked for.
    return known[best] if total and probabilities[best] / total >= at_least else None


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """Return the model for :data:`LANGUAGES`; loading it takes longer than a thousand calls."""
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(tuple(_CODES.values()))
    return identifier
