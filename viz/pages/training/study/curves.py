"""Curves of a recorded run: a value for each of its frames."""

import numpy as np
from jaxtyping import Float32

from model.zoo.recording import TrainingRecording

Curve = Float32[np.ndarray, " frame"]


def best_head(recording: TrainingRecording) -> Curve:
    """Return the induction score of the head that has the highest in each frame; NaN where no token is repeated."""
    best: Curve = recording.induction.max(axis=(1, 2))
    return best


def curves_of(recording: TrainingRecording) -> dict[str, Curve]:
    """Return what is measured of each frame: losses, accuracies, the highest induction score, confidence, norms.

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
