"""Browser code that components share, and how a component's code and numbers reach the browser.

The scripts are ordinary ES modules, one concern each; a component of Streamlit takes its JavaScript as one string,
which :func:`bundle` makes of an entry and its imports. A component's numbers travel as one run of bytes, which
:func:`pack` makes and ``unpack`` in ``payload.js`` reads.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import numpy as np
import streamlit as st
from jaxtyping import Float32, UInt8

from viz.base.languages import language
from viz.base.words import page_text
from viz.components.browser.bundling import bundle as bundle

_ALIGNMENT = 4
MENU_STYLE = Path(__file__).with_name("menu.css").read_text(encoding="utf-8")
"""The style sheet of the menu that every picture has."""
Sent = TypeVar("Sent")


def style(path: Path) -> str:
    """Return the style sheet ``path`` of a component, followed by that of its pictures' menu."""
    return f"{path.read_text(encoding='utf-8')}\n{MENU_STYLE}"


def sent(key: str, name: str, kind: type[Sent]) -> Sent | None:
    """Return what the widget ``key`` has sent as ``name``; None where that is nothing, or no ``kind``."""
    state = st.session_state.get(key)
    value = state.get(name) if state else None
    return value if isinstance(value, kind) else None


class MenuHeader(TypedDict):
    """Header of a picture's menu (``menu.js``): its labels, and the files that Python makes."""

    labels: Mapping[str, str]
    served: Sequence[Mapping[str, str]]


def with_lists(words: Mapping[str, str]) -> dict[str, str]:
    """Return ``words`` with those that the script's ``listed`` and ``sentences`` need."""
    return {**page_text("base/lists"), **words}


def menu_header(served: Iterable[Mapping[str, str]] = ()) -> MenuHeader:
    """Return what ``menu.js`` needs for a picture's menu: its labels, and the files that Python makes.

    Each of ``served`` is a label, and the class of the button out of sight that is pressed.
    """
    return {"labels": dict(page_text("components/menu")), "served": [*served]}


def pack(
    header: Mapping[str, Any], blocks: Mapping[str, Float32[np.ndarray, "..."] | UInt8[np.ndarray, "..."]]
) -> bytes:
    """Return ``header``, which :func:`as_json` takes, and the named ``blocks`` of numbers as bytes.

    Layout: the length of the header as uint32; the header in UTF-8, with each block's name and shape under ``blocks``,
    with its type where that is not float32, and padded with spaces to a multiple of four; the blocks as float32 or
    uint8. All little-endian. The header begins with the ``language`` of its words, so that it is
    read without the rest.
    """
    types = {name: "uint8" for name, block in blocks.items() if block.dtype == np.uint8}
    listed = [
        {"name": name, "shape": block.shape, **({"type": types[name]} if name in types else {})}
        for name, block in blocks.items()
    ]
    head = as_json({"language": language(), **header, "blocks": listed}).encode()
    head += b" " * (-len(head) % _ALIGNMENT)
    return b"".join(
        [
            len(head).to_bytes(4, "little"),
            head,
            *(np.ascontiguousarray(block, types.get(name, "<f4")).tobytes() for name, block in blocks.items()),
        ]
    )


def header_of(packed: bytes) -> dict[str, Any]:
    """Return the header of what :func:`pack` returned."""
    header: dict[str, Any] = json.loads(packed[4 : 4 + int.from_bytes(packed[:4], "little")])
    return header


def with_less_header(packed: bytes, names: Collection[str]) -> bytes:
    """Return ``packed`` with only the entries ``names`` of its header, and what unpacks its blocks."""
    size = int.from_bytes(packed[:4], "little")
    head = as_json({name: value for name, value in header_of(packed).items() if name in {*names, "blocks"}}).encode()
    head += b" " * (-len(head) % _ALIGNMENT)
    return len(head).to_bytes(4, "little") + head + packed[4 + size :]


def as_json(value: Any) -> str:
    """Return ``value`` as JSON, a dataclass in it as an object of its fields."""
    return json.dumps(value, default=_fields_of, ensure_ascii=False, separators=(",", ":"))


def _fields_of(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}
