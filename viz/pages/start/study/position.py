"""The sinusoidal encoding: turns of its pairs, and the matrix that moves it on."""

import numpy as np
import torch
from jaxtyping import Float, Float32

from model.positional.angles import geometric_frequencies
from model.positional.sinusoidal import sinusoidal_encoding

_BASE = 10000.0


def encode(d_model: int, length: int) -> Float32[np.ndarray, "position d_model"]:
    """Return PE(p, ·) for p from 0 to ``length`` − 1."""
    return sinusoidal_encoding(torch.arange(length), d_model, _BASE).numpy()


def angles(d_model: int, k: int) -> Float[np.ndarray, " pair"]:
    """Return by how many radians each pair of dimensions turns in ``k`` positions."""
    return k * geometric_frequencies(d_model, _BASE).numpy()


def n_full_turns(d_model: int, k: int) -> int:
    """Count the pairs that go round their circle at least once in ``k`` positions."""
    return int((angles(d_model, k) >= 2 * np.pi).sum())


def move_on(d_model: int, k: int) -> Float[np.ndarray, "d_model d_model"]:
    """Return the matrix M of PE(p + k) = M PE(p), whatever p: a rotation of every pair."""
    matrix = np.zeros((d_model, d_model))
    for pair, angle in enumerate(angles(d_model, k)):
        sine, cosine = 2 * pair, 2 * pair + 1
        matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
        matrix[sine, cosine], matrix[cosine, sine] = np.sin(angle), -np.sin(angle)
    return matrix


def largest_miss(d_model: int, k: int, n_positions: int) -> float:
    """Return the largest |PE(p + k) − M PE(p)| over the first ``n_positions`` positions."""
    encoding = encode(d_model, n_positions + k)
    moved = encoding[:n_positions] @ move_on(d_model, k).T
    return float(np.abs(encoding[k:] - moved).max())
