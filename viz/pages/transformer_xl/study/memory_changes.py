"""Effects of changes far back in the sample text, from ``python -m benchmarks.memory_changes``."""

import json
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from viz.base.claims import Claim, Claims
from viz.base.markdown import plain
from viz.base.numbers import scientific
from viz.pages.transformer_xl.study.microscope import FAR

_FILE = Path(__file__).parents[1] / "data" / "memory_changes.json"


@dataclass(frozen=True)
class MemoryChanges:
    """The change that did most to a prediction, and what others as far back did, in bits.

    Attributes:
        sha256: of the weights that were measured.
        place: the character from which the change did most.
        source: the one that was changed.
        bits: what that did.
        n: all changes that were measured.
        farthest: how far back the farthest of them was.
        median: what half of them exceed.
        of_thousand: what one of a thousand exceeds.
    """

    sha256: str
    place: int
    source: int
    bits: float
    n: int
    farthest: int
    median: float
    of_thousand: float


@cache
def memory_changes() -> MemoryChanges:
    """Return what was measured."""
    numbers = json.loads(_FILE.read_text(encoding="utf-8"))
    return MemoryChanges(**{field.name: numbers[field.name] for field in fields(MemoryChanges)})


def typical() -> Claim:
    """Look whether the change that the page opens on does far more than others do."""
    changes = memory_changes()
    values: dict[str, object] = {"n": changes.n, "nearest": FAR, "farthest": changes.farthest, "bits": changes.bits}
    values |= {"median": plain(scientific(changes.median)), "of_thousand": plain(scientific(changes.of_thousand))}
    return Claim(changes.bits > 10 * changes.of_thousand > 10 * changes.median, values)


COMPUTED_CLAIMS: Claims = {("pages/transformer_xl/change", "claim typical"): typical}
