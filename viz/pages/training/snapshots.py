"""The shipped snapshots, loaded once."""

from model.decoding.translator import Translator
from model.device import use_one_thread
from pretrained.snapshots import SNAPSHOTS, Learned, files_of, load_snapshot, read_snapshots
from pretrained.translators import METRICS
from viz.pages.training.study.learned import SnapshotResults, as_learned
from viz.shared.last_sentence import of_last
from viz.shared.shipped import cached_while_unchanged

_MOST_SNAPSHOTS = 16


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
    """Return the result for ``text``, and None; else that of the last sentence, and a message."""
    return of_last("as_it_learned", text, opening, seen)
