"""The shipped recordings of small runs, by the question that they answer, and what their curves say."""

from pathlib import Path

from jaxtyping import Float32
from numpy import ndarray

from model.zoo.recording import TrainingRecording, load_recording
from viz.pages.training.study.curves import best_head, curves_of

_FOLDER = Path(__file__).parents[1] / "data"
RECORDED = {
    "layers": ("one_layer", "two_layers"),
    "grokking": ("no_weight_decay", "weight_decay"),
    "positions": ("learned_positions", "t5_positions", "kerple_positions"),
}
"""The names of the files of each question, whose runs differ in one thing; the last one is the one to look at."""
KNOWN = 0.99
"""A share of right answers above which a run knows its task."""


def files(question: str = "layers") -> tuple[Path, ...]:
    """Return the files of the recordings that answer ``question``."""
    return tuple(_FOLDER / f"{name}.safetensors" for name in RECORDED[question])


def shipped_recordings(question: str = "layers") -> tuple[TrainingRecording, ...]:
    """Return the recordings that answer ``question``; raises ValueError where one is damaged."""
    return tuple(map(load_recording, files(question)))


def shipped_weights(question: str = "layers") -> tuple[bytes, ...]:
    """Return the final weights of the runs of ``question``, as safetensors; empty if a file is missing."""
    paths = [path.with_stem(f"{path.stem}_weights") for path in files(question)]
    return tuple(path.read_bytes() for path in paths) if all(path.is_file() for path in paths) else ()


def first_known(recording: TrainingRecording, curve: str = "held out") -> int | None:
    """Return the first recorded step at which ``curve`` is above :data:`KNOWN`; None if never."""
    return _first(recording, curves_of(recording)[curve], KNOWN)


def formed(recording: TrainingRecording) -> int | None:
    """Return the first recorded step at which a head's induction score is above 0.5; None if never."""
    return _first(recording, best_head(recording), 0.5)


def _first(recording: TrainingRecording, curve: Float32[ndarray, " frame"], value: float) -> int | None:
    steps = recording.steps[curve > value]
    return int(steps[0]) if len(steps) else None
