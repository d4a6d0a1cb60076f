"""Configurations: frozen, validated, and stored as JSON beside the weights."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from model.positional.base import PositionalConfig


@dataclass(frozen=True)
class EncoderDecoderConfig:
    """Sizes and parts of an encoder–decoder (Vaswani et al. 2017, §3; the defaults are its base model).

    ``score_scale`` is what q·k is multiplied by, None for 1/√d_key; what a positional encoding adds to the scores has a
    scale of its own, unless its paper divides it by √d_key, too. With ``residual`` "add" the output of a block is added
    to its input, with "none" it takes its place.

    Raises:
        ValueError: a size below 1, an id outside the vocabulary or given twice, a dropout outside [0, 1), a scale that
            is not above 0 and finite, or an unknown ``norm`` or ``residual``.
    """

    vocabulary_size: int
    d_model: int = 512
    n_heads: int = 8
    d_key: int = 64
    d_value: int = 64
    d_ff: int = 2048
    n_encoder_layers: int = 6
    n_decoder_layers: int = 6
    dropout: float = 0.1
    norm: Literal["post", "pre"] = "post"
    residual: Literal["add", "none"] = "add"
    score_scale: float | None = None
    positional: PositionalConfig = field(default_factory=lambda: PositionalConfig("sinusoidal"))
    pad_id: int = 0
    bos_id: int = 2
    eos_id: int = 3

    def __post_init__(self) -> None:
        """Check every value."""
        _check_sizes(self, "n_encoder_layers", "n_decoder_layers")
        if self.residual not in ("add", "none"):
            raise ValueError(f"residual is {self.residual!r}; it is 'add' (as published) or 'none'")
        if len({self.pad_id, self.bos_id, self.eos_id}) < 3:
            raise ValueError(
                f"pad_id, bos_id and eos_id are {self.pad_id}, {self.bos_id} and {self.eos_id}; they must differ"
            )
        if self.score_scale is not None and not (_is_number(self.score_scale) and 0 < self.score_scale <= 1e4):
            raise ValueError(
                f"score_scale is {self.score_scale!r}; it must be above 0, at most 10,000, or left out for 1/√d_key"
            )


@dataclass(frozen=True)
class DecoderOnlyConfig:
    """Sizes and parts of a causal decoder without an encoder; the defaults are those of the trained zoo.

    With ``d_ff`` 0 its layers are attention alone. ``tied`` says whether the embedding table is also the output
    projection. A tied model begins by predicting the token that it reads, which an attention-only one unlearns slowly.

    Raises:
        ValueError: as for :class:`EncoderDecoderConfig`; but one id may be given twice.
    """

    vocabulary_size: int
    d_model: int = 64
    n_heads: int = 4
    d_key: int = 16
    d_value: int = 16
    d_ff: int = 256
    n_layers: int = 4
    dropout: float = 0.0
    norm: Literal["post", "pre"] = "pre"
    positional: PositionalConfig = field(default_factory=lambda: PositionalConfig("none"))
    tied: bool = True
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2

    def __post_init__(self) -> None:
        """Check every value."""
        _check_sizes(self, "n_layers", smallest={"d_ff": 0})
        if type(self.tied) is not bool:
            raise ValueError(f"tied is {self.tied!r}; it is true or false")


AnyConfig = EncoderDecoderConfig | DecoderOnlyConfig
Config = TypeVar("Config", EncoderDecoderConfig, DecoderOnlyConfig)


def config_to_json(config: AnyConfig) -> str:
    """Return ``config`` as JSON text that :func:`config_from_json` reads back."""
    return json.dumps(dataclasses.asdict(config), indent=2) + "\n"


def config_from_json(text: str) -> EncoderDecoderConfig:
    """Return the configuration of an encoder–decoder stored in ``text``.

    Raises:
        ValueError: an unknown entry, or a value that the configuration does not allow.
    """
    return config_from_dict(json.loads(text))


def config_from_dict(values: dict[str, Any]) -> EncoderDecoderConfig:
    """Return the encoder–decoder configuration of ``values``; raises as :func:`config_from_json` does."""
    return _from_dict(values, EncoderDecoderConfig)


def decoder_only_from_dict(values: dict[str, Any]) -> DecoderOnlyConfig:
    """Return the decoder-only configuration of ``values``; raises as :func:`config_from_json` does."""
    return _from_dict(values, DecoderOnlyConfig)


def load_config(path: Path) -> EncoderDecoderConfig:
    """Return the configuration of an encoder–decoder stored in the file ``path``."""
    return config_from_json(path.read_text(encoding="utf-8"))


def _from_dict(values: dict[str, Any], kind: type[Config]) -> Config:
    if not isinstance(values, dict):
        raise ValueError(f"the configuration is {values!r}; it must be a table of entries")
    _check_entries("the configuration", values, kind)
    if "positional" not in values:
        return kind(**values)
    if not isinstance(values["positional"], dict):
        raise ValueError(f"positional is {values['positional']!r}; it must be a table with a name")
    return kind(**{**values, "positional": PositionalConfig.from_dict(values["positional"])})


def _check_sizes(config: AnyConfig, *layers: str, smallest: Mapping[str, int] = MappingProxyType({})) -> None:
    for name in ("vocabulary_size", "d_model", "n_heads", "d_key", "d_value", "d_ff", *layers):
        size, least = getattr(config, name), smallest.get(name, 1)
        if type(size) is not int or size < least:
            raise ValueError(f"{name} is {size!r}; it must be a whole number, at least {least}")
    for name in ("pad_id", "bos_id", "eos_id"):
        number = getattr(config, name)
        if type(number) is not int or not 0 <= number < config.vocabulary_size:
            raise ValueError(
                f"{name} is {number!r}; it must be a whole number below vocabulary_size, {config.vocabulary_size}"
            )
    if not _is_number(config.dropout) or not 0 <= config.dropout < 1:
        raise ValueError(f"dropout is {config.dropout!r}; it is a probability, from 0 up to but not including 1")
    if config.norm not in ("post", "pre"):
        raise ValueError(f"norm is {config.norm!r}; it is 'post' (as published) or 'pre'")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_entries(what: str, values: dict[str, Any], kind: type) -> None:
    fields = dataclasses.fields(kind)
    known = {entry.name for entry in fields}
    unknown = sorted(values.keys() - known)
    if unknown:
        raise ValueError(f"{what} has {', '.join(unknown)}; its entries are {', '.join(sorted(known))}")
    for entry in fields:
        is_required = entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING
        if is_required and entry.name not in values:
            raise ValueError(f"{what} lacks {entry.name}")
