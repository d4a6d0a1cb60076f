"""Reach into a trained model: multiply its scores, move its start, put another positional encoding in its place.

Nothing is trained anew, and the model that is given stays as it is. What is returned is measured as any other model of
the zoo, for instance by :func:`model.zoo.evaluate.measure`.
"""

import copy
import dataclasses
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.architectures.stack import build_positional
from model.config import DecoderOnlyConfig
from model.hooks import intervene
from model.positional import PositionalConfig, PositionalEncoding, registered
from model.positional.rotary import RotaryEncoding

_ATTENTION = "decoder.*.self_attention"


class ShiftedStart(PositionalEncoding):
    """Say that every token stands ``shift`` later than another encoding places it."""

    def __init__(self, inner: PositionalEncoding, shift: int) -> None:
        """Wrap ``inner``, whose weights are shared and not copied.

        Raises:
            ValueError: ``shift`` is below 0.
        """
        if shift < 0:
            raise ValueError(f"the start was moved by {shift}; it can be moved by 0 or more positions")
        super().__init__()
        self.description = inner.description
        self.inner = inner
        self.shift = shift

    def map_positions(self, positions: Int[Tensor, " position"]) -> Int[Tensor, " position"]:
        """Return the places of the inner encoding, each moved."""
        return self.inner.map_positions(positions) + self.shift

    def test_positions(self, n_tokens: int) -> Int[Tensor, " position"]:
        """Return what the inner encoding asks for."""
        return self.inner.test_positions(n_tokens)

    def additive_encoding(self, positions: Int[Tensor, " position"]) -> Float[Tensor, "position d_model"] | None:
        """Return what the inner encoding adds to the embeddings."""
        return self.inner.additive_encoding(positions)

    def at_layer(self, layer: int) -> PositionalEncoding:
        """Return the inner encoding's part in ``layer``, which is given the moved places."""
        return self.inner.at_layer(layer)


@contextmanager
def scaled_logits(tau: float) -> Iterator[None]:
    """Multiply all that the attention's softmax is given by ``tau``, in models that run inside the ``with``.

    Queries and the encoding's own term are multiplied, not their sum: that is the same, and the fused kernel may stay.

    Raises:
        ValueError: ``tau`` is not a finite number above 0.
    """
    if not (math.isfinite(tau) and tau > 0):
        raise ValueError(f"tau is {tau:g}; it must be a finite number above 0")
    parts = ("q", "position_bias")
    edits = {f"{_ATTENTION}.{part}": lambda tensor: tensor * tau for part in parts}
    with nullcontext() if tau == 1 else intervene(edits):
        yield


def log_length_factor(length: int, longest_trained: int) -> float:
    """Return what to multiply the logits by so that attention over a longer input stays as sharp as in training.

    It is log ``length`` over log ``longest_trained``, and 1 up to that: the logarithm that Chiang and Cholak (2022,
    arXiv:2202.12172) multiply by at every length, without the change that this would be where the model was trained.

    Raises:
        ValueError: lengths that have no such ratio, for the longest trained one is below 2.
    """
    if longest_trained < 2:
        raise ValueError(f"the longest trained length is {longest_trained}; it must be at least 2")
    return max(1.0, math.log(max(1, length)) / math.log(longest_trained))


def with_shifted_start(model: DecoderOnly, shift: int) -> DecoderOnly:
    """Return a copy of ``model`` whose tokens are all said to stand ``shift`` later; raises ValueError below 0.

    To change the encoding as well, change it first.
    """
    return _with_positional(model, ShiftedStart(model.positional, shift))


def with_encoding(model: DecoderOnly, encoding: PositionalConfig) -> DecoderOnly:
    """Return a copy of ``model`` that reads positions by ``encoding``, with its other weights.

    Its own encoding keeps the weights it has.

    Raises:
        ValueError: another encoding that has weights, which would be untrained, or one that cannot be built.
    """
    if encoding == model.config.positional:
        return copy.deepcopy(model)
    built = _build(model.config, encoding)
    if next(built.parameters(), None) is not None:
        raise ValueError(
            f"{built.description.title} has weights of its own, which no training has set; "
            "put in one without weights, for example alibi or none"
        )
    changed = _with_positional(model, built)
    changed.config = dataclasses.replace(model.config, positional=encoding)
    return changed


def has_no_weights(model: DecoderOnly, encoding: PositionalConfig) -> bool:
    """Whether ``encoding`` can take the place of the one of ``model``: it has nothing that must be trained."""
    return next(_build(model.config, encoding).parameters(), None) is None


def rotary_part(encoding: PositionalConfig) -> PositionalConfig | None:
    """Return what rotates in ``encoding``: itself, what it wraps, or None if nothing does."""
    kind = registered()[encoding.name]
    if issubclass(kind, RotaryEncoding):
        return encoding
    wrapped = encoding.inner or (PositionalConfig(kind.description.inner) if kind.description.inner else None)
    return None if wrapped is None else rotary_part(wrapped)


def with_rotary(encoding: PositionalConfig, name: str, changes: Mapping[str, float]) -> PositionalConfig:
    """Return ``encoding`` with the rotary variant ``name`` as what rotates in it.

    Args:
        encoding: rotary, or one that wraps it.
        name: a registered rotary encoding: rotary, rotary_interpolation (PI), rotary_ntk or rotary_yarn.
        changes: to its parameters; those not named stay as they were, or are the variant's usual ones.

    Raises:
        ValueError: nothing rotates in ``encoding``.
    """
    part = rotary_part(encoding)
    if part is None:
        raise ValueError(f"{encoding.name} rotates nothing; only rotary encodings have a base and a scaling")
    changed = PositionalConfig(name, {**part.parameters, **changes})
    return changed if part == encoding else dataclasses.replace(encoding, inner=changed)


def _build(config: DecoderOnlyConfig, encoding: PositionalConfig) -> PositionalEncoding:
    # An encoding with weights draws them when it is built; no one else's random numbers may change by that.
    with torch.random.fork_rng(devices=()):
        return build_positional(dataclasses.replace(config, positional=encoding), config.n_layers, causal=True)


def _with_positional(model: DecoderOnly, positional: PositionalEncoding) -> DecoderOnly:
    changed = copy.deepcopy(model)
    changed.positional = positional
    return changed.train(model.training)
