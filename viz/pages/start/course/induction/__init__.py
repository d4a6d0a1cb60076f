"""Lab: watch induction form, then predict which of two trainings generalizes."""

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

import numpy as np
from jaxtyping import Bool

import viz
from model.decoding.options import GREEDY
from model.device import use_one_thread
from model.tasks.modular_addition import MODULUS
from model.zoo.recording import TrainingRecording, load_recording
from pretrained.snapshots import load_snapshot, read_snapshots
from viz.base.words import page_text
from viz.pages.start.course.lab import Lab, LabStep
from viz.pages.start.stops import Answer

# The page Watch a model learn shows these.
_RECORDINGS = Path(viz.__file__).parent / "pages" / "training" / "data"
_HALF, _KNOWN = 0.5, 0.99
# A step at which the trained pairs are known by heart, and no new ones.
_BY_HEART = 1050
# What stands between a word and its repetition; and how much of that the example has.
_AGAIN, _N_BEGUN = ">", 3
# The sentence that the page of the translator that learns opens with, and the step at which it is looked at.
_CAPTION, _SNAPSHOT = page_text("pages/training/as_it_learned")["opening caption"], 400
_POSITIONS = {"table": "learned_positions", "t5": "t5_positions", "kerple": "kerple_positions"}


@cache
def _recording(name: str) -> TrainingRecording:
    return load_recording(_RECORDINGS / f"{name}.safetensors")


def _first(recording: TrainingRecording, is_reached: Bool[np.ndarray, " frame"]) -> int:
    return int(recording.steps[is_reached][0])


def _accuracy(recording: TrainingRecording) -> np.ndarray:
    """Return for each frame the mean accuracy on trained inputs since the frame before."""
    sums = np.add.reduceat(recording.accuracy, recording.steps[:-1])
    return np.concatenate((recording.accuracy[:1], sums / np.diff(recording.steps)))


def _layers() -> Mapping[str, object]:
    formed, learned = _steps_of_two_layers()
    _, *letters = _recording("two_layers").tokens
    word = "".join(letters).partition(_AGAIN)[0]
    parts = {"word": word, "begun": word[:_N_BEGUN], "next": word[_N_BEGUN]}
    return {**parts, "again": _AGAIN, "formed": formed, "learned": learned}


def _steps_of_two_layers() -> tuple[int, int]:
    """Return the steps at which the induction head has formed and nearly all letters are right."""
    run = _recording("two_layers")
    return _first(run, run.induction.max(axis=(1, 2)) > _HALF), _first(run, run.held_out > _KNOWN)


def _formed_first() -> Mapping[str, int]:
    """Return the layer and the head that induction forms in first, both from 1."""
    formed, _ = _steps_of_two_layers()
    run = _recording("two_layers")
    layer, head = np.unravel_index(run.induction[_frame(run, formed)].argmax(), run.induction.shape[1:])
    return {"layer": int(layer) + 1, "first": int(head) + 1}


def _frame(run: TrainingRecording, step: int) -> int:
    return [*run.steps].index(step)


def _formed(_: None) -> Answer:
    run = _recording("two_layers")
    formed, learned = _steps_of_two_layers()
    places = _formed_first()
    layer = places["layer"] - 1
    head = int(run.induction[_frame(run, formed), layer].argmin())
    right = _first(run, run.induction[:, layer, head] > _HALF)
    previous = run.previous[:, 0]  # [frame, head]
    strongest = int(previous[-1].argmax())
    scores = {
        name: f"{previous[_frame(run, step), strongest]:.2f}" for name, step in (("before", formed), ("after", learned))
    }
    values = {"head": head + 1, "formed": formed, "known": f"{_KNOWN:.0%}", "learned": learned}
    return Answer(right, {**places, **values, **scores, "previous": strongest + 1}, mistakes=(formed, learned))


def _one_layer(_: None) -> Answer:
    one, two = (_recording(name) for name in ("one_layer", "two_layers"))
    ends = [float(run.induction[-1].max()) for run in (one, two)]
    values = {"steps": int(one.steps[-1]), "two": f"{ends[1]:.2f}", "most": f"{one.held_out.max():.0%}"}
    # Half of the last digit that the page shows.
    return Answer(ends[0], values, within=0.005 / ends[0], mistakes=(ends[1], float(one.previous[-1].max())))


def _guessing(_: None) -> Answer:
    runs = [_recording(name) for name in ("no_weight_decay", "weight_decay")]
    place = list(runs[0].steps).index(_BY_HEART)
    shares = [f"{run.held_out[place]:.1%}" for run in runs]
    ends = [f"{run.held_out[-1]:.0%}" for run in runs]
    values = {"modulus": MODULUS, "step": f"{_BY_HEART:,}", "without": shares[0], "with": shares[1]}
    values |= {
        "n": f"{int(runs[0].steps[-1]):,}",
        "end_without": ends[0],
        "end_with": ends[1],
    }
    return Answer(100 / MODULUS, values, within=0.06, mistakes=(50, 0))


def _later(_: None) -> Answer:
    run = _recording("weight_decay")
    trained, learned = _first(run, _accuracy(run) > _HALF), _first(run, run.held_out > _HALF)
    values = {"trained": f"{trained:,}", "times": f"{learned / trained:.2g}", "lowest": _norms()["lowest"]}
    return Answer(learned, values, within=0.03, mistakes=(trained, _first(run, run.held_out > _KNOWN)))


def _norms() -> Mapping[str, object]:
    run = _recording("weight_decay")
    trained, learned = (_first(run, accuracy > _KNOWN) for accuracy in (_accuracy(run), run.held_out))
    lowest = int(run.weight_norm.argmin())
    values = {"lowest": f"{int(run.steps[lowest]):,}", "trained": f"{trained:,}", "learned": f"{learned:,}"}
    ends = {"with": f"{run.weight_norm[-1]:.1f}", "without": f"{_recording('no_weight_decay').weight_norm[-1]:.1f}"}
    return values | ends | {"known": f"{_KNOWN:.0%}", "at_lowest": f"{run.held_out[lowest]:.1%}"}


def _previous() -> Mapping[str, object]:
    """Return each learned encoding's best score for the previous token, and T5's learned bias."""
    runs = {name: _recording(recording) for name, recording in _POSITIONS.items()}
    scores = {name: f"{run.previous[-1].max():.2f}" for name, run in runs.items()}
    return scores | {"steps": int(runs["t5"].steps[-1]), "t5_right": f"{runs['t5'].held_out[-1]:.0%}"}


@cache
def _translated() -> Mapping[str, object]:
    """Return the translator's tokens at the link's step and at the last one, and its measurements."""
    use_one_thread()
    by_step = {one.step: one for one in read_snapshots().snapshots}
    values: dict[str, object] = {}
    for name, step in (("then", _SNAPSHOT), ("last", max(by_step))):
        values |= {f"{name}_step": f"{step:,}", name: load_snapshot(step).translate(_CAPTION, GREEDY).text}
        values[f"{name}_bleu"] = f"{by_step[step].bleu:.1f}"
        values[f"{name}_aligned"] = f"{max(map(max, by_step[step].alignment)):.0%}"
    return values


_step = partial(LabStep, "induction")
_LAYERS, _GROKKING = {"question": "layers"}, {"question": "grokking"}
_YOURS = {"train-task": "induction", "models": "2", "train-steps": "400", "train-seed": "1"}
LAB = Lab(
    "induction",
    5,
    (
        _step("start", "train", _LAYERS | {"step": "0"}, 5, facts=_layers),
        _step("before", "train", _LAYERS | {"step": "60"}, 4),
        _step("formed", "train", _LAYERS | {"step": "104"}, 6, _formed, facts=_formed_first),
        _step("one-layer", "train", _LAYERS | {"step": "120"}, 5, _one_layer),
        _step("yours", "train-yourself", _YOURS, 7, facts=_layers),
        _step("positions", "train", {"question": "positions", "positions-step": "400"}, 4, facts=_previous),
        _step("predict", "train", _GROKKING | {"grokking-step": str(_BY_HEART)}, 6, _guessing),
        _step("later", "train", _GROKKING | {"grokking-step": "1200"}, 5, _later),
        _step("norm", "train", _GROKKING | {"grokking-step": "900"}, 4, facts=_norms),
        _step(
            "translator", "as-it-learned", {"learned-caption": _CAPTION, "step": str(_SNAPSHOT)}, 4, facts=_translated
        ),
    ),
)
