"""The recording of a run: curves at every step, and frames with every head's pattern."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float32, Int32, UInt8
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from model.tasks import Tokens
from model.zoo.watched_runs import WatchedRun

_CURVES = (
    *("loss", "accuracy", "gradient_norm", "steps", "held_out", "longer", "held_out_loss", "confidence"),
    "weight_norm",
    *("previous", "induction", "patterns"),
)
_LEARNED = ("distance_bias", "position_similarity")
_TRACED = ("circuit_writes", "circuit_scores", "circuit_composed")
_OPTIONAL = (*_LEARNED, *_TRACED)


@dataclass(frozen=True)
class Frame:
    """A model after ``step`` steps.

    Attributes:
        step: 0 before the first one.
        loss: of the batch of each step since the frame before.
        accuracy: of each of these batches, the share of answer tokens that were right.
        gradient_norm: of each of these steps, before the gradients are clipped.
        rate_factor: what the rate of the last of them was multiplied by.
        held_out: the same share on inputs that are not trained on, as long as the one that is shown.
        longer: the same share on the longest test inputs of the task.
        held_out_loss: cross-entropy of an answer token on the inputs of ``held_out``, without any smoothing.
        confidence: the mean of the largest probability on them.
        weight_norm: the square root of the sum of all squared weights.
        previous: each head's score as a previous-token head.
        induction: each head's score as an induction head.
        patterns: each head's pattern on the shown input, in 255ths.
        distance_bias: what each head adds to a score by the distance of the key alone, where that is learned.
        position_similarity: cosines between the vectors of the shown positions, where these are learned.
        circuit_writes: what each head of the second layer adds to the right token, where the circuit is traced.
        circuit_scores: each such head's score of the right key above its others.
        circuit_composed: what each head of the first layer adds to these scores by the key.
    """

    step: int
    loss: tuple[float, ...]
    accuracy: tuple[float, ...]
    gradient_norm: tuple[float, ...]
    rate_factor: float
    held_out: float
    longer: float
    held_out_loss: float
    confidence: float
    weight_norm: float
    previous: Float32[np.ndarray, "layer head"]
    induction: Float32[np.ndarray, "layer head"]
    patterns: UInt8[np.ndarray, "layer head query key"]
    distance_bias: Float32[np.ndarray, "layer head distance"] | None = None
    position_similarity: Float32[np.ndarray, "position position"] | None = None
    circuit_writes: Float32[np.ndarray, " head"] | None = None
    circuit_scores: Float32[np.ndarray, " head"] | None = None
    circuit_composed: Float32[np.ndarray, "head first_head"] | None = None


@dataclass(frozen=True)
class TrainingRecording:
    """The frames of one run as arrays; ``tokens`` is what the model reads where its patterns are shown.

    ``command`` and ``commit`` say what made it.
    """

    watched: WatchedRun
    tokens: Tokens
    command: str
    commit: str
    loss: Float32[np.ndarray, " step"]
    accuracy: Float32[np.ndarray, " step"]
    gradient_norm: Float32[np.ndarray, " step"]
    steps: Int32[np.ndarray, " frame"]
    held_out: Float32[np.ndarray, " frame"]
    longer: Float32[np.ndarray, " frame"]
    held_out_loss: Float32[np.ndarray, " frame"]
    confidence: Float32[np.ndarray, " frame"]
    weight_norm: Float32[np.ndarray, " frame"]
    previous: Float32[np.ndarray, "frame layer head"]
    induction: Float32[np.ndarray, "frame layer head"]
    patterns: UInt8[np.ndarray, "frame layer head query key"]
    distance_bias: Float32[np.ndarray, "frame layer head distance"] | None = None
    position_similarity: Float32[np.ndarray, "frame position position"] | None = None
    circuit_writes: Float32[np.ndarray, "frame head"] | None = None
    circuit_scores: Float32[np.ndarray, "frame head"] | None = None
    circuit_composed: Float32[np.ndarray, "frame head first_head"] | None = None

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all that was seen, by name; what is not learned or traced is left out."""
        return {name: array for name in (*_CURVES, *_OPTIONAL) if (array := getattr(self, name)) is not None}

    def save(self, path: Path) -> None:
        """Write it to the safetensors file ``path``."""
        metadata = {"watched": json.dumps(dataclasses.asdict(self.watched)), "tokens": json.dumps(self.tokens)}
        save_file(
            {name: np.ascontiguousarray(array) for name, array in self.arrays().items()},
            path,
            {**metadata, "command": self.command, "commit": self.commit},
        )


def as_seen(watched: WatchedRun, frames: Sequence[Frame]) -> WatchedRun:
    """Return ``watched`` with the rate factors that ``frames`` were trained with, from the first on."""
    pairs = pairwise(frames)
    changes = ((old.step + 1, new.rate_factor) for old, new in pairs if new.rate_factor != old.rate_factor)
    return replace(watched, rate_factors=tuple(changes))


def recording_of(
    watched: WatchedRun, tokens: Tokens, frames: Sequence[Frame], *, command: str, commit: str
) -> TrainingRecording:
    """Return the recording that ``frames``, from the first one on, make."""

    def joined(name: str) -> Float32[np.ndarray, " step"]:
        return np.array([value for frame in frames for value in getattr(frame, name)], np.float32)

    def stacked(name: str, kind: Any = np.float32) -> Any:
        return np.stack([np.asarray(getattr(frame, name), kind) for frame in frames])

    return TrainingRecording(
        watched,
        tokens,
        command,
        commit,
        loss=joined("loss"),
        accuracy=joined("accuracy"),
        gradient_norm=joined("gradient_norm"),
        steps=stacked("step", np.int32),
        held_out=stacked("held_out"),
        longer=stacked("longer"),
        held_out_loss=stacked("held_out_loss"),
        confidence=stacked("confidence"),
        weight_norm=stacked("weight_norm"),
        previous=stacked("previous"),
        induction=stacked("induction"),
        patterns=stacked("patterns", np.uint8),
        **{name: stacked(name) for name in _OPTIONAL if getattr(frames[0], name) is not None},
    )


def load_recording(path: Path) -> TrainingRecording:
    """Return the recording in ``path``.

    Raises:
        ValueError: there is no such file, or it is no recording.
    """
    try:
        with safe_open(path, "numpy") as file:
            names = (*_CURVES, *(name for name in _OPTIONAL if name in file.keys()))  # noqa: SIM118  # no mapping
            metadata, arrays = file.metadata() or {}, {name: file.get_tensor(name) for name in names}
        watched, tokens = WatchedRun.from_dict(json.loads(metadata["watched"])), tuple(json.loads(metadata["tokens"]))
        return TrainingRecording(watched, tokens, metadata["command"], metadata["commit"], **arrays)
    except (OSError, SafetensorError, KeyError, TypeError) as error:
        raise ValueError(f"{path.name} is no recording of a run: {error}") from error
