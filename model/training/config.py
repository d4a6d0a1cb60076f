"""Configurations of training runs: nested frozen dataclasses, read from TOML."""

import dataclasses
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

Precision = Literal["float32", "bfloat16"]
"""What matrix products are computed in while training; weights and their updates are float32."""

Section = TypeVar("Section")


@dataclass(frozen=True)
class Validation:
    """The intervals, in steps, of validation, saving and logging, and the selection of weights.

    The selected weights are those of the best score from ``select_from_step`` on. With
    ``average_checkpoints`` above 1, the mean of so many last validated weights is validated as well (Vaswani et al.
    2017, §6.1).
    """

    validate_every: int
    log_every: int = 50
    average_checkpoints: int = 1
    select_from_step: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError for a count that is too low."""
        require_at_least(self, 1, ("validate_every", "log_every", "average_checkpoints"))
        require_at_least(self, 0, ["select_from_step"])


@dataclass(frozen=True, kw_only=True)
class TrainingRun:
    """Configuration that runs of every kind share."""

    validation: Validation
    precision: Precision = "float32"
    seed: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError for a negative seed."""
        require_at_least(self, 0, ["seed"])


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of the TOML file ``path``; raises ValueError if it is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no TOML: {error}") from error


def from_entries(section: type[Section], entries: Any, name: str = "") -> Section:
    """Return the dataclass ``section`` with ``entries``, a table with tables for its nested sections.

    An entry may already be what its field holds. ``name`` is that of the table in its file, "" for the whole file.

    Raises:
        ValueError: an entry is missing, unknown or of another type, or the section refuses its value.
    """
    if not isinstance(entries, Mapping):
        raise ValueError(f"{name} is {entries!r}; it must be a table")
    known = {field.name: field for field in dataclasses.fields(section)}  # type: ignore[arg-type]  # of a dataclass
    prefix = f"{name}." if name else ""
    if unknown := sorted(entries.keys() - known.keys()):
        raise ValueError(f"the configuration has {prefix}{unknown[0]}; the entries there are {', '.join(known)}")
    if missing := [entry for entry, field in known.items() if entry not in entries and _is_required(field)]:
        raise ValueError(f"the configuration lacks {prefix}{missing[0]}")
    hints = get_type_hints(section)
    return section(**{entry: _converted(value, hints[entry], f"{prefix}{entry}") for entry, value in entries.items()})


def require(section: Any, holds: Callable[[float], bool], names: Iterable[str], rule: str) -> None:
    """Raise ValueError, with the ``rule``, for the first field of ``names`` whose value does not hold."""
    for name in names:
        if not holds(getattr(section, name)):
            raise ValueError(f"{name} is {getattr(section, name)}; it {rule}")


def require_at_least(section: Any, lowest: float, names: Iterable[str]) -> None:
    """Raise ValueError for the first field of ``names`` whose value is below ``lowest``."""
    require(section, lambda value: value >= lowest, names, f"must be at least {lowest}")


def require_selection(validation: Validation, n_steps: int) -> None:
    """Raise ValueError if ``validation`` selects no weights in ``n_steps``."""
    rule = f"lies between 0 and n_steps, {n_steps}"
    require(validation, lambda value: value <= n_steps, ["select_from_step"], rule)


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _converted(value: Any, hint: Any, name: str) -> Any:
    """Return ``value``, as read from TOML or JSON, as the type that ``hint`` names."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return value if isinstance(value, hint) else from_entries(hint, value, name)
    options = get_args(hint) if get_origin(hint) in (UnionType, Literal) else (hint,)
    items = [get_args(option)[0] for option in options if get_origin(option) is tuple]
    if items and isinstance(value, list | tuple):
        return tuple(_converted(item, items[0], name) for item in value)
    if float in options and type(value) is int:
        return float(value)
    if value not in options if get_origin(hint) is Literal else type(value) not in map(_plain, options):
        expected = " or ".join(getattr(_plain(option), "__name__", str(option)) for option in options)
        raise ValueError(f"{name} is {value!r}; it must be {expected}")
    return value


def _plain(option: Any) -> Any:
    return get_origin(option) or option
