"""TypeScript types of headers for the browser, made from Python's dataclasses and typed dictionaries.

A component whose folder holds ``header.py`` packs the one class in it that is named so, as ``PlayerHeader``;
``header.d.ts`` beside it is made of that:

    python -m viz.components.browser.header_types
"""

import json
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NotRequired, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

_ROOT = Path(__file__).parents[3]
_NAMES = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "any"}
_FIRST_LINE = "// Made of header.py by `python -m viz.components.browser.header_types`.\n"


def declarations() -> dict[Path, str]:
    """Return the content of every ``header.d.ts``, by its path."""
    sources = sorted((_ROOT / "viz").rglob("header.py"))
    modules = {path: ".".join(path.relative_to(_ROOT).with_suffix("").parts) for path in sources}
    return {path.with_suffix(".d.ts"): declaration(_header_in(name)) for path, name in modules.items()}


def _header_in(name: str) -> type:
    """Return the one class of a header that the module ``name`` defines."""
    defined = [cls for cls in vars(import_module(name)).values() if getattr(cls, "__module__", None) == name]
    (header,) = (cls for cls in defined if isinstance(cls, type) and cls.__name__.endswith("Header"))
    return header


def declaration(header: type) -> str:
    """Return interfaces for ``header`` and for every class that its fields are made of.

    Raises:
        TypeError: a field of a type that JSON does not have.
    """
    return _FIRST_LINE + "".join(f"\n{_interface(one)}" for one in dict.fromkeys(_classes(header)))


def _classes(hint: Any) -> Iterator[type]:
    """Yield every class with fields in ``hint``, each after those that it uses."""
    if _has_fields(hint):
        for inner, _ in _fields(hint).values():
            yield from _classes(inner)
        yield hint
    else:
        for inner in get_args(hint):
            yield from _classes(inner)


def _has_fields(hint: Any) -> bool:
    return isinstance(hint, type) and (is_dataclass(hint) or is_typeddict(hint))


def _fields(cls: type) -> dict[str, tuple[Any, bool]]:
    """Return the type of each field, and whether it may be missing."""
    names = [field.name for field in fields(cls)] if is_dataclass(cls) else None
    hints = get_type_hints(cls, include_extras=True)
    optional = {name: get_origin(hint) is NotRequired for name, hint in hints.items()}
    return {
        name: (get_args(hint)[0] if optional[name] else hint, optional[name])
        for name, hint in hints.items()
        if names is None or name in names
    }


def _interface(cls: type) -> str:
    lines = [f"  {name}{'?' if optional else ''}: {_type(hint)};" for name, (hint, optional) in _fields(cls).items()]
    return "\n".join([f"export interface {cls.__name__} {{", *lines, "}\n"])


def _type(hint: Any) -> str:
    hint = Any if isinstance(hint, TypeVar) else hint
    name = hint.__name__ if _has_fields(hint) else _NAMES.get(hint)
    if name:
        return str(name)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(map(_type, arguments))
    if origin is tuple and arguments[-1] is not Ellipsis:
        return f"[{', '.join(map(_type, arguments))}]"
    if origin in (tuple, list, Sequence):
        return f"Array<{_type(arguments[0])}>"
    if origin in (dict, Mapping):
        return f"Record<string, {_type(arguments[1])}>"
    raise TypeError(f"{hint} has no counterpart in JSON")


if __name__ == "__main__":
    for path, content in declarations().items():
        path.write_text(content, encoding="utf-8")
