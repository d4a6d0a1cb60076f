"""The shipped recordings of small runs, and what their curves say."""

from pathlib import Path

from model.zoo.recording import Recording, load_recording
from viz.pages.training.study.curves import best_head

_FOLDER = Path(__file__).parents[1] / "data"
FILES = tuple(_FOLDER / f"{name}.safetensors" for name in ("one_layer", "two_layers"))
"""Two runs that differ in the number of layers alone."""


def shipped_recordings() -> tuple[Recording, ...]:
    """Return the recordings of :data:`FILES`; raises ValueError where one is damaged."""
    return tuple(map(load_recording, FILES))


def shipped_weights() -> tuple[bytes, ...]:
    """Return what the runs of :data:`FILES` came to, as safetensors files; nothing where one of them is missing."""
    paths = [path.with_stem(f"{path.stem}_weights") for path in FILES]
    return tuple(path.read_bytes() for path in paths) if all(path.is_file() for path in paths) else ()


def first_above(recording: Recording, share: float) -> int | None:
    """Return the first recorded step at which more than ``share`` of the held-out answer is right; None if never."""
    steps = recording.steps[recording.held_out > share]
    return int(steps[0]) if len(steps) else None


def formed(recording: Recording, score: float = 0.5) -> int | None:
    """Return the first recorded step at which a head's induction score is above ``score``; None if never."""
    steps = recording.steps[best_head(recording) > score]
    return int(steps[0]) if len(steps) else None
