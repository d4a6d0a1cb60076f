"""The snapshots that ship, as the page about them sees them: loaded once; and the last sentence that had a result."""

from dataclasses import dataclass

from model.decoding.translator import SourceTextError, Translator
from model.device import use_one_thread
from model.text.languages import SCRIPTS
from model.text.scripts import main_script
from pretrained.snapshots import SNAPSHOTS, Learned, files_of, load_snapshot, read_snapshots
from pretrained.translators import METRICS
from viz.base.words import page_text
from viz.pages.training.study.learned import AsLearned, as_learned
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
def seen(text: str) -> AsLearned:
    """Return what every snapshot makes of ``text``, not to be changed; raises SourceTextError, DamagedWeightsError."""
    return as_learned(text, [_snapshot(one.step) for one in learned().snapshots])


def shown(text: str, opening: str) -> tuple[AsLearned, str | None]:
    """Return what is made of ``text``, and None; or else of the last sentence, and why ``text`` has no result."""
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
