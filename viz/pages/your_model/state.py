"""What the page holds: the recording that is looked at, and what the owner of the server allows."""

import os
from dataclasses import dataclass
from pathlib import Path

from viz.base.attention_files import kinds_of_file
from viz.base.attention_maps import AttentionKind
from viz.shell.shipped import cached_while_unchanged

FOLDER_VARIABLE, GIGABYTES_VARIABLE = "OWN_MODELS_FOLDER", "OWN_MODELS_GIGABYTES"
EXAMPLE = Path(__file__).parent / "data" / "all-MiniLM-L6-v2.npz"
"""Made by ``python -m viz.notebook``, of the model of that name and the sentence that the page opens with."""
_GIGABYTES = 2.0

Kinds = tuple[AttentionKind, ...]


@dataclass(frozen=True)
class Allowed:
    """What the owner of the server allows: models below ``folder``, with weights of up to ``most_bytes``."""

    folder: Path
    most_bytes: int


@dataclass(frozen=True)
class Recorded:
    """What was read last: the attention of ``text`` in the model ``name``, and the target that was forced."""

    name: str
    text: str
    target: str
    kinds: Kinds


def allowed() -> Allowed | None:
    """Return what the owner of the server allows by the environment; None where no folder is named, or none is there.

    A size that is no number counts as not given.
    """
    named = os.environ.get(FOLDER_VARIABLE, "")
    if not named or not Path(named).is_dir():
        return None
    try:
        gigabytes = float(os.environ.get(GIGABYTES_VARIABLE, _GIGABYTES))
        return Allowed(Path(named), int(gigabytes * 10**9))
    except (OverflowError, ValueError):
        return Allowed(Path(named), int(_GIGABYTES * 10**9))


@cached_while_unchanged(lambda: [EXAMPLE], max_entries=1)
def example() -> Kinds:
    """Return the recording that is shipped."""
    return kinds_of_file(EXAMPLE.name, EXAMPLE.read_bytes())
