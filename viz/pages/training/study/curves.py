"""Curves of a recorded run: a value for each of its frames."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from model.zoo.recording import TrainingRecording

Curve = Float32[np.ndarray, " frame"]


def best_head(recording: TrainingRecording) -> Curve:
    """Return the highest induction score of a head in each frame; NaN without a repeated token."""
    best: Curve = recording.induction.max(axis=(1, 2))
    return best


LAYER = 2
"""That of the induction head, counted from 1."""


@dataclass(frozen=True)
class FrameCircuit:
    """Explanation of the letter after a repeated one, for the model of one frame; heads count from 0.

    Attributes:
        head: the one of layer 2 that adds most to the right letter.
        writes: what it adds, in logits above the strongest other letter.
        score: its score of the right place above its other keys.
        first: the head of layer 1 through which most of that score comes.
        composed: how much of it does.
    """

    head: int
    writes: float
    score: float
    first: int
    composed: float


def circuits_of(recording: TrainingRecording) -> list[FrameCircuit]:
    """Return the circuit of each frame; none of a run in which it was not traced."""
    writes, scores, composed = recording.circuit_writes, recording.circuit_scores, recording.circuit_composed
    if writes is None or scores is None or composed is None:
        return []
    circuits = []
    for frame, head in enumerate(writes.argmax(1).tolist()):
        first = int(composed[frame, head].argmax())
        values = (writes[frame, head], scores[frame, head], composed[frame, head, first])
        circuits.append(FrameCircuit(head, float(values[0]), float(values[1]), first, float(values[2])))
    return circuits


def curves_of(recording: TrainingRecording) -> dict[str, Curve]:
    """Return the measures of each frame: losses, accuracies, best induction score, confidence, norms.

    Loss, norm, and accuracy on trained inputs are means over the steps since the frame before; those of the first frame
    are the first step's, and NaN where none was taken yet. A score that no frame has is left out.
    """
    curves = {
        "loss": _means(recording.loss, recording.steps),
        "accuracy": _means(recording.accuracy, recording.steps),
        "held out": recording.held_out,
        "longer": recording.longer,
        "induction": best_head(recording),
        "gradient norm": _means(recording.gradient_norm, recording.steps),
        "held out loss": recording.held_out_loss,
        "confidence": recording.confidence,
        "weight norm": recording.weight_norm,
    }
    return {name: curve for name, curve in curves.items() if name != "induction" or np.isfinite(curve).any()}


def _means(values: Float32[np.ndarray, " step"], steps: np.ndarray) -> Curve:
    first = values[:1] if len(values) else [np.nan]
    sums = np.add.reduceat(values, steps[:-1]) if len(steps) > 1 else np.zeros(0)
    return np.concatenate((first, sums / np.diff(steps))).astype(np.float32)
