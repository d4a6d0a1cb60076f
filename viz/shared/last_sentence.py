"""The last English sentence with a result, on pages whose models are not those of the translators."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from model.decoding.translator import SourceTextError
from model.text.languages import SCRIPTS
from model.text.scripts import main_script
from viz.base.words import page_text
from viz.shared.translation import why_untranslated
from viz.shell.state import keep_in_session, kept

TEXT = page_text("shared/last_sentence")
Result = TypeVar("Result")


@dataclass(frozen=True)
class LastSentence:
    """The last sentence that was translated on a page."""

    text: str


def of_last(page: str, text: str, opening: str, translate: Callable[[str], Result]) -> tuple[Result, str | None]:
    """Return the result for ``text``, and None; else that of the last sentence on ``page``, and a message.

    That is ``opening`` where none had a result.
    """
    trouble = None if main_script(text) in (None, *SCRIPTS["English"]) else TEXT["other script"]
    if trouble is None:
        try:
            result = translate(text)
        except SourceTextError as error:
            trouble = why_untranslated(error)
        else:
            keep_in_session(LastSentence(text), page)
            return result, None
    last = kept(LastSentence, page)
    return translate(last.text if last else opening), TEXT["still shown"].format(trouble=trouble)
