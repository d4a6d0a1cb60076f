"""Difference of two JSON objects, so that shared values are written once."""

from collections.abc import Mapping, Sequence
from typing import Any


def changes(before: Any, after: Any) -> Any:
    """Return what makes ``after`` of ``before``, as ``changed`` in ``browser/changes.js`` puts it in.

    Of objects those keys that differ, with null for one that is no longer there; of equally long lists of objects their
    places; all else as a whole.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        differing = {
            key: changes(before.get(key), value)
            for key, value in after.items()
            if key not in before or before[key] != value
        }
        return differing | dict.fromkeys(key for key in before if key not in after)
    if _are_objects(before) and _are_objects(after) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return {str(place): changes(one, other) for place, (one, other) in pairs if one != other}
    return after


def shared(objects: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what all ``objects`` have alike: ``changes`` from it to each is what is left of that one."""
    first, *others = objects
    alike: dict[str, Any] = {}
    for key, value in first.items():
        if not all(key in other for other in others):
            continue
        values = [value, *(other[key] for other in others)]
        if all(other == value for other in values):
            alike[key] = value
        elif all(isinstance(other, dict) for other in values):
            alike[key] = shared(values)
    return alike


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)
