"""Types of headers for the browser are those of Python."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

import pytest

from viz.components.browser.header_types import declaration, declarations


@pytest.mark.parametrize(
    ("path", "content"), [pytest.param(*one, id=one[0].parent.name) for one in declarations().items()]
)
def test_types_are_up_to_date(path: Any, content: str) -> None:
    assert path.read_text(encoding="utf-8") == content, "run: python -m viz.components.browser.header_types"


@dataclass(frozen=True)
class Inner:
    pair: tuple[int, float | None]
    kind: Literal["one", "two"]


class Header(TypedDict):
    inner: Sequence[Inner]
    words: Mapping[str, str]
    is_on: NotRequired[bool]


def test_a_header_becomes_an_interface_after_those_that_it_uses() -> None:
    inner = 'export interface Inner {\n  pair: [number, number | null];\n  kind: "one" | "two";\n}\n'
    header = (
        "export interface Header {\n  inner: Array<Inner>;\n  words: Record<string, string>;\n  is_on?: boolean;\n}\n"
    )
    assert declaration(Header).endswith(f"\n{inner}\n{header}")


class Unknown(TypedDict):
    size: complex


def test_a_type_that_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="complex"):
        declaration(Unknown)
