"""One sentence at every snapshot of a translator: each translation, and attention on the last one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from model.decoding.options import GREEDY
from model.decoding.translator import Translation, Translator
from pretrained.snapshots import TranslatorSnapshot

_MAPS = "decoder.*.cross_attention.pattern"


@dataclass(frozen=True)
class SnapshotResults:
    """Results of the snapshots on one sentence.

    Attributes:
        written: the greedy translation of each snapshot.
        last: that of the last one, with its tokens.
        patterns: the cross-attention of every snapshot where it is given ``last`` to write, so that all maps have the
            same rows.
    """

    written: tuple[str, ...]
    last: Translation
    patterns: Float32[np.ndarray, "frame layer head query key"]


def as_learned(text: str, snapshots: Sequence[Translator]) -> SnapshotResults:
    """Return the results for ``text`` of ``snapshots`` of one run, the last one last.

    Raises:
        SourceTextError: ``text`` cannot be translated.
    """
    translations = [snapshot.translate(text, GREEDY) for snapshot in snapshots]
    last = translations[-1]
    maps = [np.stack([*snapshot.look_inside(last, _MAPS).values()]) for snapshot in snapshots]
    return SnapshotResults(tuple(one.text for one in translations), last, np.stack(maps))


def curves_of(snapshots: Sequence[TranslatorSnapshot]) -> dict[str, Float32[np.ndarray, " frame"]]:
    """Return the loss, BLEU and the best head's alignment of every snapshot."""
    curves = {
        "loss": [one.loss for one in snapshots],
        "bleu": [one.bleu for one in snapshots],
        "alignment": [best_alignment(one) for one in snapshots],
    }
    return {name: np.array(values, np.float32) for name, values in curves.items()}


def best_alignment(snapshot: TranslatorSnapshot) -> float:
    """Return the alignment of the head that aligns best."""
    return max(map(max, snapshot.alignment))


def best_head(snapshot: TranslatorSnapshot) -> tuple[int, int]:
    """Return the layer and the head, from 0, that align best."""
    layer, head = np.unravel_index(np.argmax(snapshot.alignment), np.shape(snapshot.alignment))
    return int(layer), int(head)
