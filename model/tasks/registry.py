"""Find every task in this folder."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import TypeVar

from model.tasks.base import Task

_registry: dict[str, Task] = {}

Kind = TypeVar("Kind", bound=type[Task])


def register(kind: Kind) -> Kind:
    """Class decorator: register a task under ``kind.description.name``."""
    _registry[kind.description.name] = kind()
    return kind


def registered() -> dict[str, Task]:
    """Return every registered task by name, in alphabetical order."""
    _import_folder()
    return dict(sorted(_registry.items()))


def length_tasks() -> dict[str, Task]:
    """Return those of :func:`registered` that are measured on longer inputs than any trained one."""
    return {name: task for name, task in registered().items() if task.description.has_longer_inputs}


def find(name: str) -> Task:
    """Return the task ``name``.

    Raises:
        ValueError: an unknown name.
    """
    known = registered()
    if name not in known:
        raise ValueError(f"{name!r} is no task; there are {', '.join(known)}")
    return known[name]


@cache
def _import_folder() -> None:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"{__package__}.{module.name}")
