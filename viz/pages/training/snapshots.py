"""The shipped snapshots, loaded once, and the last sentence with a result."""

from dataclasses import dataclass

from model.decoding.translator import SourceTextError, Translator
from model.device import use_one_thread
from model.text.languages import SCRIPTS
from model.text.scripts import main_script
from pretrained.snapshots import SNAPSHOTS, Learned, files_of, load_snapshot, read_snapshots
from pretrained.translators import METRICS
from viz.base.words import page_text
from viz.pages.training.study.learned import SnapshotResults, as_learned
from viz.shared.shipped import cached_while_unchanged
from viz.shared.translation import why_untranslated
from viz.shell.state import keep_in_session, kept

TEXT = page_text("pages/training/snapshots")
_LANGUAGE = "English"
_MOST_SNAPSHOTS = 16


@dataclass(frozen=True)
class LastSentence:
    """The last sentence that was translated."""

    text: str


@cached_while_unchanged(lambda: [SNAPSHOTS / METRICS], max_entries=1)
def learned() -> Learned:
    """Return the snapshots that ship; raises DamagedWeightsError."""
    return read_snapshots()


@cached_while_unchanged(files_of, max_entries=_MOST_SNAPSHOTS)
def _snapshot(step: int) -> Translator:
    use_one_thread()
    return load_snapshot(step)


@cached_while_unchanged(lambda _: [SNAPSHOTS / METRICS], max_entries=32)
def seen(text: str) -> SnapshotResults:
    """Return every snapshot's result for ``text``, not to be changed.

    Raises:
        SourceTextError: ``text`` cannot be translated.
        DamagedWeightsError: a snapshot cannot be loaded.
    """
    return as_learned(text, [_snapshot(one.step) for one in learned().snapshots])


def shown(text: str, opening: str) -> tuple[SnapshotResults, str | None]:
    """Return the result for ``text``, and None; else that of the last sentence, and the problem."""
    trouble = None if main_script(text) in (None, *SCRIPTS[_LANGUAGE]) else TEXT["other script"]
    if trouble is None:
        try:
            result = seen(text)
        except SourceTextError as error:
            trouble = why_untranslated(error)
        else:
            keep_in_session(LastSentence(text))
            return result, None
    last = kept(LastSentence)
    return seen(last.text if last else opening), trouble
