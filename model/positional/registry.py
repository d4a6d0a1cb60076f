"""Find every positional encoding in this folder, and build one from its configuration."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from model.positional.base import LayerwiseEncoding, PositionalConfig, PositionalEncoding, StackSpec

_registry: dict[str, type[PositionalEncoding]] = {}

Encoding = TypeVar("Encoding", bound=type[PositionalEncoding])


def register(encoding: Encoding) -> Encoding:
    """Class decorator: register ``encoding`` under ``encoding.description.name``."""
    _registry[encoding.description.name] = encoding
    return encoding


def registered() -> dict[str, type[PositionalEncoding]]:
    """Return every registered encoding by name, in alphabetical order."""
    _import_folder()
    return dict(sorted(_registry.items()))


def build(config: PositionalConfig, stack: StackSpec) -> PositionalEncoding:
    """Return the encoding that ``config`` names, built for ``stack``.

    Raises:
        ValueError: an unknown encoding or parameter, a value out of range, or an inner encoding for one that wraps
            none.
    """
    known = registered()
    if config.name not in known:
        raise ValueError(f"{config.name!r} is no positional encoding; there are {', '.join(known)}")
    encoding = known[config.name]
    parameters = {parameter.name: parameter for parameter in encoding.description.parameters}
    for name, value in config.parameters.items():
        if name not in parameters:
            allowed = ", ".join(parameters) or "none"
            raise ValueError(f"{config.name} was given the parameter {name!r}; its parameters are: {allowed}")
        parameters[name].check(config.name, value)
    values = {name: parameter.default for name, parameter in parameters.items()} | config.parameters
    arguments: dict[str, Any] = {
        name: int(value) if parameters[name].integer else float(value) for name, value in values.items()
    }
    if encoding.description.inner is not None:
        arguments["inner"] = build(config.inner or PositionalConfig(encoding.description.inner), stack)
    elif config.inner is not None:
        raise ValueError(f"{config.name} was given {config.inner.name!r} to wrap; it wraps no other encoding")
    if encoding.per_layer:
        return LayerwiseEncoding(encoding(stack, **arguments) for _ in range(stack.n_layers))
    return encoding(stack, **arguments)


@cache
def _import_folder() -> None:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"{__package__}.{module.name}")
