"""Browser code that components share, and how a component's code and numbers reach the browser.

The scripts are ordinary ES modules, one concern each; a component of Streamlit takes its JavaScript as one string,
which :func:`bundle` makes of an entry and its imports. A component's numbers travel as one run of bytes, which
:func:`pack` makes and ``unpack`` in ``payload.js`` reads.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float32, UInt8

from viz.base.words import page_text

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
_ALIGNMENT = 4
MENU_STYLE = Path(__file__).with_name("menu.css").read_text(encoding="utf-8")
"""The style sheet of the menu that every picture has."""
# For V8: nearly every function runs at the first picture, and compiling each when it is called would hold that up.
_COMPILED_AT_ONCE = "//# allFunctionsCalledOnLoad"


def bundle(entry: Path) -> str:
    """Return ``entry`` and the modules it imports, each once and after what it needs, as one ES module.

    Each imported module keeps a scope of its own, so two may use the same name for different things. Understood are
    imports of the form ``import { a, b } from "./file.js";`` without renaming, and ``export`` before a declaration.

    Raises:
        ValueError: modules that import each other in a circle.
    """
    *imported, last = _in_order(entry.resolve(), ())
    names = {path: f"module{index}" for index, path in enumerate(imported)}
    parts = [_scoped(path, names) for path in imported]
    return "\n".join([_COMPILED_AT_ONCE, *parts, _with_imports_named(last, names)])


def style(path: Path) -> str:
    """Return the style sheet ``path`` of a component, and after it that of the menu that its pictures have."""
    return f"{path.read_text(encoding='utf-8')}\n{MENU_STYLE}"


def menu_header(served: Iterable[Mapping[str, str]] = ()) -> dict[str, Any]:
    """Return what ``menu.js`` needs for a picture's menu: its labels, and the files that Python makes.

    Each of ``served`` is a label, and the class of the button out of sight that is pressed.
    """
    return {"labels": dict(page_text("components/menu")), "served": [*served]}


def pack(
    header: Mapping[str, Any], blocks: Mapping[str, Float32[np.ndarray, "..."] | UInt8[np.ndarray, "..."]]
) -> bytes:
    """Return ``header``, which must be JSON, and the named ``blocks`` of numbers as one run of bytes.

    Layout: the length of the header as uint32; the header in UTF-8, with each block's name and shape under ``blocks``,
    with its type where that is not float32, and padded with spaces to a multiple of four; the blocks as float32 or
    uint8. All little-endian.
    """
    types = {name: "uint8" for name, block in blocks.items() if block.dtype == np.uint8}
    listed = [
        {"name": name, "shape": block.shape, **({"type": types[name]} if name in types else {})}
        for name, block in blocks.items()
    ]
    head = json.dumps({**header, "blocks": listed}, ensure_ascii=False, separators=(",", ":")).encode()
    head += b" " * (-len(head) % _ALIGNMENT)
    return b"".join(
        [
            len(head).to_bytes(4, "little"),
            head,
            *(np.ascontiguousarray(block, types.get(name, "<f4")).tobytes() for name, block in blocks.items()),
        ]
    )


def _in_order(path: Path, importers: tuple[Path, ...]) -> list[Path]:
    if path in importers:
        raise ValueError(f"{path.name} imports itself, by way of {', '.join(importer.name for importer in importers)}")
    needed: dict[Path, None] = {}
    for _, source in _IMPORT.findall(path.read_text(encoding="utf-8")):
        needed |= dict.fromkeys(_in_order((path.parent / source).resolve(), (*importers, path)))
    return [*needed, path]


def _scoped(path: Path, names: Mapping[Path, str]) -> str:
    source = _with_imports_named(path, names)
    exported = ", ".join(name for _, name in _EXPORT.findall(source))
    body = _EXPORT.sub(r"\1", source)
    return f"// {path.name}\nconst {names[path]} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


def _with_imports_named(path: Path, names: Mapping[Path, str]) -> str:
    def named(match: re.Match[str]) -> str:
        return f"const {{{match[1]}}} = {names[(path.parent / match[2]).resolve()]};"

    return _IMPORT.sub(named, path.read_text(encoding="utf-8"))
