"""Texts in a script that none of the offered models reads: they are not translated, which would be nonsense."""

from model.text.languages import SCRIPTS
from model.text.scripts import main_script
from viz.base.words import page_text
from viz.pages.translate.translators import offered

TEXT = page_text("pages/translate/unread")


def why_unread(text: str) -> str | None:
    """Return the sentence about the script of ``text``; None where a model reads it, or ``text`` has no letters."""
    languages = tuple(dict.fromkeys(model.source_language for model in offered().values()))
    read = frozenset[str]().union(*(SCRIPTS[language] for language in languages))
    script = main_script(text)
    if script is None or script in read:
        return None
    *others, last = languages
    listed = TEXT["list"].format(others=", ".join(others), last=last) if others else last
    name = TEXT[f"script {script}"] if f"script {script}" in TEXT else TEXT["another script"]
    return TEXT["unread"].format(script=name, languages=listed)
