"""Claims about the recorded runs, one for each question."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from model.zoo.recording import TrainingRecording
from viz.base.claims import Claim, Claims
from viz.pages.training.study.curves import LAYER, circuits_of
from viz.pages.training.study.shipped import KNOWN, first_known, formed, shipped_recordings

_HALF = 0.5
_EARLY = 0.25
"""In at most such a share of the frames before the head has formed may the circuit be half of what it comes to."""
_LATER = 2
"""New pairs are right later where they take at least so many times as many steps."""


def of_layers(runs: Sequence[TrainingRecording]) -> Claim:
    """Return whether two layers learn to go on with a repeated word, and one does not."""
    one, two = runs
    learned = first_known(two)
    values = {
        "one": float(one.held_out.max()),
        "steps": int(one.steps[-1]),
        "two": float(two.held_out[-1]),
        "learned": learned,
        "formed": formed(two),
        "known": KNOWN,
    }
    return Claim(learned is not None and values["formed"] is not None and float(one.held_out.max()) < _HALF, values)


def of_circuit(runs: Sequence[TrainingRecording]) -> Claim:
    """Return whether the induction head finds its key through the previous-token head, once it has formed."""
    *_, two = runs
    circuits, step = circuits_of(two), formed(two)
    if not circuits or step is None:
        return Claim(False, {})
    frame, end = two.steps.tolist().index(step), circuits[-1]
    before = [circuit for circuit in circuits[:frame] if circuit.composed > end.composed * _HALF]
    is_known = end.head == two.induction[-1, 1].argmax() and end.first == two.previous[-1, 0].argmax()
    values = {
        "layer": LAYER,
        "below": LAYER - 1,
        "start": int(two.steps[0]),
        "head": end.head + 1,
        "writes": end.writes,
        "score": end.score,
        "first": end.first + 1,
        "composed": end.composed,
        "at_first": round(circuits[0].composed, 1) + 0.0,
        "formed": step,
    }
    is_late = len(before) <= _EARLY * frame
    return Claim(bool(is_known) and is_late and end.composed > end.score * _HALF, values)


def of_grokking(runs: Sequence[TrainingRecording]) -> Claim:
    """Return whether new pairs are right later than the trained ones with weight decay, and never without."""
    without, with_decay = runs
    trained, learned = first_known(with_decay, "accuracy"), first_known(with_decay)
    values = {
        "trained": trained,
        "learned": learned,
        "without": float(without.held_out[-1]),
        "by_heart": first_known(without, "accuracy"),
        "decay": with_decay.watched.weight_decay,
        "n": int(without.steps[-1]),
        "known": KNOWN,
    }
    is_late = trained is not None and learned is not None and learned >= _LATER * trained
    return Claim(is_late and values["by_heart"] is not None and float(without.held_out.max()) < _HALF, values)


def of_norms(runs: Sequence[TrainingRecording]) -> Claim:
    """Return whether weight decay lowers the weight norm, and learning new pairs raises it again."""
    without, with_decay = runs
    norms, steps = with_decay.weight_norm, with_decay.steps
    learned = first_known(with_decay)
    end = len(steps) - 1 if learned is None else int(np.searchsorted(steps, learned))
    lowest = int(norms[: end + 1].argmin())
    at_learned = float(norms[end])
    values = {
        "without": float(without.weight_norm[-1]),
        "lowest": float(norms[lowest]),
        "lowest_step": int(steps[lowest]),
        "learned": learned,
        "at_learned": at_learned,
        "end": float(norms[-1]),
    }
    return Claim(learned is not None and at_learned > 1.1 * float(norms[lowest]), values)


def of_positions(runs: Sequence[TrainingRecording]) -> Claim:
    """Return whether the learned table and KERPLE are learned in time, and T5's bias is not."""
    table, t5, kerple = runs
    values = {
        "table": first_known(table),
        "kerple": first_known(kerple),
        "t5": float(t5.held_out[-1]),
        "n": int(t5.steps[-1]),
        "known": KNOWN,
    }
    return Claim(None not in (values["table"], values["kerple"]) and float(t5.held_out.max()) < KNOWN, values)


ANSWERS = {
    "layers": {"claim layers": of_layers, "claim circuit": of_circuit},
    "grokking": {"claim grokking": of_grokking, "claim norms": of_norms},
    "positions": {"claim positions": of_positions},
}
"""The claims of each question, by their headings."""


def _of_shipped(question: str, heading: str) -> Claim:
    return ANSWERS[question][heading](shipped_recordings(question))


COMPUTED_CLAIMS: Claims = {
    ("pages/training/train", heading): partial(_of_shipped, question, heading)
    for question, claims in ANSWERS.items()
    for heading in claims
}
