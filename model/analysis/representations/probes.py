"""Linear probes that predict a token's position from the residual stream.

Haviv et al. 2022 (arXiv:2203.16634, §4) probe models without positional encoding by a small network; a linear probe
finds only what is linearly encoded.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.hooks import record
from model.tasks import Row
from model.zoo.evaluate import equal_batches, forward

_RIDGE = 1.0


@dataclass(frozen=True)
class Probe:
    """A linear map from a residual stream to a number, after ``mean`` and ``scale`` of the features."""

    mean: Float[Tensor, " d_model"]
    scale: Float[Tensor, " d_model"]
    weights: Float[Tensor, " d_model"]
    intercept: float

    def __call__(self, x: Float[Tensor, "token d_model"]) -> Float[Tensor, " token"]:
        """Return the prediction for each row of ``x``."""
        return ((x.double() - self.mean) / self.scale) @ self.weights + self.intercept


@dataclass(frozen=True)
class ProbeScore:
    """R² of a probe (1 at best, 0 for the mean), its mean absolute error, and the number of tokens."""

    r2: float
    mean_absolute_error: float
    n_tokens: int


@dataclass(frozen=True)
class Streams:
    """The residual stream and the position of every token; ``layers[0]`` is the input of the first layer."""

    layers: tuple[Float[Tensor, "token d_model"], ...]
    positions: Float[Tensor, " token"]


def fit_probe(x: Float[Tensor, "token d_model"], y: Float[Tensor, " token"]) -> Probe:
    """Return the ridge regression of ``y`` on ``x``, in closed form, over features of unit variance.

    Raises:
        ValueError: fewer than two tokens.
    """
    if len(x) < 2:
        raise ValueError(f"a probe was given {len(x)} tokens to fit; it takes at least two")
    x, y = x.double(), y.double()
    mean, scale = x.mean(0), x.std(0)
    scale = torch.where(scale > 1e-9, scale, torch.ones_like(scale))  # a constant feature stays 0
    features = (x - mean) / scale
    normal = features.T @ features + _RIDGE * torch.eye(x.shape[1], dtype=x.dtype)
    weights = torch.linalg.solve(normal, features.T @ (y - y.mean()))
    return Probe(mean, scale, weights, float(y.mean()))


def score_probe(probe: Probe, x: Float[Tensor, "token d_model"], y: Float[Tensor, " token"]) -> ProbeScore:
    """Return how well ``probe`` predicts ``y``, which must not be constant, from ``x``."""
    error = probe(x) - y
    r2 = 1 - error.square().sum() / (y - y.mean()).square().sum()
    return ProbeScore(float(r2), float(error.abs().mean()), len(y))


@torch.inference_mode()
def residual_streams(model: DecoderOnly, rows: Sequence[Row]) -> Streams:
    """Return the residual streams of ``rows`` in ``model``, in evaluation mode.

    BOS is left out, because it is the same token at the same position in every row. The last token of a row is left out
    because it is never an input.
    """
    names = (
        "decoder.input",
        *(f"decoder.{layer}.feed_forward.residual_after" for layer in range(len(model.layers))),
    )
    streams: list[list[Tensor]] = [[] for _ in names]
    positions = []
    for batch in equal_batches(rows):
        with record(*names) as recording:
            forward(model, batch)
        for stream, name in zip(streams, names, strict=True):
            stream.append(recording[name][:, 1:].flatten(0, 1))  # [token, D]
        n_rows, n_tokens = batch.tokens.shape
        positions.append(torch.arange(1, n_tokens - 1, dtype=torch.float64).repeat(n_rows))  # [token]
    return Streams(tuple(torch.cat(stream) for stream in streams), torch.cat(positions))
