"""Edits of a trained model: scaled attention logits, shifted positions, another encoding.

The given model is unchanged. The result can be measured like any model of the zoo, for example by
:func:`model.zoo.evaluate.measure`.
"""

import copy
import dataclasses
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext

import torch
from jaxtyping import Int
from torch import Tensor

from model.architectures.decoder_only import DecoderOnly
from model.architectures.stack import build_positional
from model.config import DecoderOnlyConfig
from model.hooks import intervene
from model.positional import PositionalConfig, PositionalEncoding, registered
from model.positional.base import WrappingEncoding
from model.positional.rotary import RotaryEncoding

_ATTENTION = "decoder.*.self_attention"


class ShiftedStart(WrappingEncoding):
    """Add ``shift`` to the positions of another encoding."""

    def __init__(self, inner: PositionalEncoding, shift: int) -> None:
        """Wrap ``inner``, whose weights are shared, not copied.

        Raises:
            ValueError: ``shift`` is below 0.
        """
        if shift < 0:
            raise ValueError(f"shift is {shift}; it must be at least 0")
        super().__init__(inner)
        self.description = inner.description
        self.shift = shift

    def map_positions(self, positions: Int[Tensor, " position"]) -> Int[Tensor, " position"]:
        """Return the positions of the inner encoding, shifted."""
        return self.inner.map_positions(positions) + self.shift


@contextmanager
def scaled_logits(tau: float) -> Iterator[None]:
    """Multiply the attention logits by ``tau`` in models that run inside the ``with``.

    Queries and the position bias are multiplied instead of the scores: the result is equal, and attention stays fused.

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
    """Return the factor of the logits that keeps attention over a longer input as sharp as in training.

    It is log ``length`` / log ``longest_trained``, and 1 up to ``longest_trained``. Chiang and Cholak (2022,
    arXiv:2202.12172) multiply by log ``length`` at every length; this form leaves trained lengths unchanged.

    Raises:
        ValueError: ``longest_trained`` is below 2.
    """
    if longest_trained < 2:
        raise ValueError(f"the longest trained length is {longest_trained}; it must be at least 2")
    return max(1.0, math.log(max(1, length)) / math.log(longest_trained))


def with_shifted_start(model: DecoderOnly, shift: int) -> DecoderOnly:
    """Return a copy of ``model`` with ``shift`` added to all positions; raises ValueError below 0.

    To replace the encoding as well, replace it first.
    """
    return _with_positional(model, ShiftedStart(model.positional, shift))


def _has_weights_inside(encoding: PositionalEncoding) -> bool:
    return any(name.startswith("inner.") for name, _ in encoding.named_parameters())


def with_encoding(model: DecoderOnly, encoding: PositionalConfig) -> DecoderOnly:
    """Return a copy of ``model`` with another positional ``encoding`` and all other weights unchanged.

    If ``encoding`` is the model's own, its weights are kept; of a wrapper with another encoding inside that has none,
    those of the wrapper.

    Raises:
        ValueError: another encoding with weights, which would be untrained, or one that cannot be built.
    """
    if encoding == model.config.positional:
        return copy.deepcopy(model)
    built = _build(model.config, encoding)
    own, kept = model.config.positional, model.positional.state_dict()
    differs_inside = encoding == dataclasses.replace(own, inner=encoding.inner)
    if differs_inside and built.state_dict().keys() == kept.keys() and not _has_weights_inside(built):
        built.load_state_dict(kept)
    elif next(built.parameters(), None) is not None:
        raise ValueError(
            f"{encoding.name} has weights, which would be untrained; "
            "use an encoding without weights, for example alibi or none"
        )
    changed = _with_positional(model, built)
    changed.config = dataclasses.replace(model.config, positional=encoding)
    return changed


def has_no_weights(model: DecoderOnly, encoding: PositionalConfig) -> bool:
    """Whether ``encoding`` can replace that of ``model``, because nothing of it depends on training."""
    built = _build(model.config, encoding)
    return next(built.parameters(), None) is None and not built.changes_in_training


def rotary_part(encoding: PositionalConfig) -> PositionalConfig | None:
    """Return the rotary encoding in ``encoding``: itself or the one it wraps; None if there is none."""
    kind = registered()[encoding.name]
    if issubclass(kind, RotaryEncoding):
        return encoding
    wrapped = encoding.inner or (PositionalConfig(kind.description.inner) if kind.description.inner else None)
    return None if wrapped is None else rotary_part(wrapped)


def with_rotary(encoding: PositionalConfig, name: str, changes: Mapping[str, float]) -> PositionalConfig:
    """Return ``encoding`` with its rotary part replaced by the variant ``name``.

    Args:
        encoding: a rotary encoding, or one that wraps it.
        name: a registered rotary encoding: rotary, rotary_interpolation (PI), rotary_ntk or rotary_yarn.
        changes: new values of parameters; all others that the variant has keep their values, or have its defaults.

    Raises:
        ValueError: ``encoding`` has no rotary part.
    """
    part = rotary_part(encoding)
    if part is None:
        raise ValueError(f"{encoding.name} has no rotary part; only rotary encodings have a base and a scaling")
    known = {parameter.name for parameter in registered()[name].description.parameters}
    kept = {key: value for key, value in part.parameters.items() if key in known}
    changed = PositionalConfig(name, {**kept, **changes})
    return changed if part == encoding else dataclasses.replace(encoding, inner=changed)


def _build(config: DecoderOnlyConfig, encoding: PositionalConfig) -> PositionalEncoding:
    # An encoding with weights initialises them here; the caller's random numbers must not change.
    with torch.random.fork_rng(devices=()):
        return build_positional(dataclasses.replace(config, positional=encoding), config.n_layers, causal=True)


def _with_positional(model: DecoderOnly, positional: PositionalEncoding) -> DecoderOnly:
    changed = copy.deepcopy(model)
    changed.positional = positional
    return changed.train(model.training)
