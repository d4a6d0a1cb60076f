"""Lab: watch induction form, then predict which of two trainings generalizes."""

from functools import cache, partial
from pathlib import Path

import numpy as np
from jaxtyping import Bool

import viz
from model.zoo.recording import TrainingRecording, load_recording
from viz.pages.start.course.lab import Lab, Step, words_of
from viz.pages.start.stops import Answer, Question, parts_of

# The page Watch a model learn shows these.
_RECORDINGS = Path(viz.__file__).parent / "pages" / "training" / "data"
_HALF, _KNOWN = 0.5, 0.99


@cache
def _recording(name: str) -> TrainingRecording:
    return load_recording(_RECORDINGS / f"{name}.safetensors")


def _first(recording: TrainingRecording, is_reached: Bool[np.ndarray, " frame"]) -> int:
    return int(recording.steps[is_reached][0])


def _accuracy(recording: TrainingRecording) -> np.ndarray:
    """Return for each frame the mean accuracy on trained inputs since the frame before."""
    sums = np.add.reduceat(recording.accuracy, recording.steps[:-1])
    return np.concatenate((recording.accuracy[:1], sums / np.diff(recording.steps)))


def _formed(_: None) -> Answer:
    run = _recording("two_layers")
    formed = _first(run, run.induction.max(axis=(1, 2)) > _HALF)
    learned = _first(run, run.held_out > _KNOWN)
    return Answer(formed, {"known": f"{_KNOWN:.0%}", "learned": learned}, mistakes=(learned,))


def _one_layer(_: None) -> Answer:
    one, two = (100 * float(_recording(name).held_out.max()) for name in ("one_layer", "two_layers"))
    return Answer(one, {"steps": int(_recording("one_layer").steps[-1])}, within=0.02, mistakes=(two, 0))


def _generalizes(_: None) -> Answer:
    runs = [_recording(name) for name in ("no_weight_decay", "weight_decay")]
    names = tuple(parts_of("", words_of("induction"), "step predict").lines("options"))
    ends = [float(run.held_out[-1]) for run in runs]
    best = int(np.argmax(ends))
    values = {"n": int(runs[0].steps[-1]), "best": f"{ends[best]:.0%}", "other": f"{ends[1 - best]:.0%}"}
    return Answer(names[best], values, names, mistakes=(names[1 - best],))


def _later(_: None) -> Answer:
    run = _recording("weight_decay")
    trained, learned = _first(run, _accuracy(run) > _KNOWN), _first(run, run.held_out > _KNOWN)
    values = {"known": f"{_KNOWN:.0%}", "trained": f"{trained:,}", "times": f"{learned / trained:.2g}"}
    return Answer(learned, values, mistakes=(trained,))


_step = partial(Step, "induction")
_LAYERS, _GROKKING = {"question": "layers"}, {"question": "grokking"}
_YOURS = {"train-task": "induction", "models": "2", "train-steps": "400", "train-seed": "1"}
LAB = Lab(
    "induction",
    5,
    (
        _step("start", "train", _LAYERS | {"step": "0"}, 5),
        _step("before", "train", _LAYERS | {"step": "60"}, 4),
        _step("formed", "train", _LAYERS | {"step": "104"}, 6, Question(_formed)),
        _step("one-layer", "train", _LAYERS | {"step": "400"}, 5, Question(_one_layer)),
        _step("yours", "train-yourself", _YOURS, 7),
        _step("positions", "train", {"question": "positions", "positions-step": "400"}, 4),
        _step("predict", "train", _GROKKING | {"grokking-step": "1050"}, 6, Question(_generalizes)),
        _step("later", "train", _GROKKING | {"grokking-step": "2400"}, 5, Question(_later)),
        _step("norm", "train", _GROKKING | {"grokking-step": "900"}, 4),
        _step("translator", "as-it-learned", {"step": "800"}, 4),
    ),
)
