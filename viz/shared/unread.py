"""Texts in a script that no offered model reads: they are not translated."""

from model.text.languages import SCRIPTS
from model.text.scripts import main_script
from viz.base.words import listed, page_text
from viz.shared.model_words import model_words
from viz.shared.shipped import offered

TEXT = page_text("shared/unread")


def languages_read() -> str:
    """Return the languages that the offered models read, as a list in words."""
    *others, last = map(model_words, _languages())
    return TEXT["list"].format(others=listed(others), last=last) if others else last


def why_unread(text: str) -> str | None:
    """Return the message about the script of ``text``; None if a model reads it, or without letters."""
    read = frozenset[str]().union(*(SCRIPTS[language] for language in _languages()))
    script = main_script(text)
    if script is None or script in read:
        return None
    name = TEXT[f"script {script}"] if f"script {script}" in TEXT else TEXT["another script"]
    return TEXT["unread"].format(script=name, languages=languages_read())


def _languages() -> tuple[str, ...]:
    return tuple(dict.fromkeys(model.source_language for model in offered().values()))
