"""Pairs of a task and an encoding in the values of a claim."""

from collections.abc import Iterable

from viz.base.claims import Names

_SEPARATOR = "/"


def pair_names(pairs: Iterable[tuple[str, str]]) -> Names:
    """Return ``pairs`` of task and encoding as names of the kind "pair"."""
    return Names("pair", tuple(f"{task}{_SEPARATOR}{encoding}" for task, encoding in pairs))


def pair_of(name: str) -> tuple[str, str]:
    """Return the task and the encoding of a name from :func:`pair_names`."""
    task, _, encoding = name.partition(_SEPARATOR)
    return task, encoding
