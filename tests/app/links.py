"""Links that carry what is not there, and what each page of the app takes from its link."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from tests.app.running import ROOT
from viz.base.link_parameters import Choice, Lines, LinkParameter, Text
from viz.shell.navigation import PART, Place, places
from viz.shell.state import hold

PAGES = places()


def each_page(argument: str) -> pytest.MarkDecorator:
    """Return a mark that gives a test every page as ``argument``; tests of one page stay in one process."""
    marks = {page: pytest.mark.xdist_group(f"page {page.part.path.stem}") for page in PAGES}
    return pytest.mark.parametrize(
        argument, [pytest.param(page, id=page.part.path.stem, marks=mark) for page, mark in marks.items()]
    )


HOST = "e.example"
NOWHERE = "no such"
# What a key only names.
STATELESS = {"Block", "PlotlyChart"}
HOSTILE = (
    *("1e400", "-1e400", "inf", "-inf", "-Infinity", "NaN", "-0", "1_0", "0x10"),
    *("٣", "\N{FULLWIDTH DIGIT SEVEN}", "", " "),
    *("9" * 400, "9" * 5_000, f"-{'9' * 5_000}", f"{'0' * 5_000}1", f"1.{'9' * 5_000}", f"1e{'9' * 400}", "a" * 5_000),
    *("\ud800", "\udfff\ud800", "\x00", "\r\n", "\N{RIGHT-TO-LEFT OVERRIDE}a", "\N{COMBINING ACUTE ACCENT}" * 300),
    *("[]", "{}", '{"a": 1}', "[[1e400]]", "null", "true", "1.1.1.1", "1-2-3", "0.0.0", ",,,;;", "%00", "\\", "$x^2$"),
    f"![](https://{HOST}/i.png)",
    f"![](//{HOST}/i.png) [a](//{HOST})",
    f"[a](https://{HOST}) `code` [b](https://{HOST})",
    f"` ![](https://{HOST}/i.png)",
    f"\n\n![](https://{HOST}/i.png)\n\n# Heading\n\n- [a](https://{HOST})",
    f"https://{HOST}/x www.{HOST} a@{HOST}",
    f"<img src=//{HOST}/i.png onerror=alert(1)>",
    f"<script src=https://{HOST}></script>",
    f"</div><iframe src=https://{HOST}>",
    f":material/home: :red[a] [a]: https://{HOST}",
)


@dataclass(frozen=True)
class Linkable:
    """What a page takes from a link: the names, values that open all of it, and how much it then warns of.

    ``controls`` are the names that choices and numbers take, of which there is a right and a wrong value. ``widgets``
    are the keys of those that keep a state, with what each is.
    """

    names: tuple[str, ...]
    controls: frozenset[str]
    opening: Mapping[str, str]
    n_warnings: int
    widgets: frozenset[tuple[str, str]]


def opened(page: Place, link: Mapping[str, list[str]]) -> AppTest:
    """Open the app with ``page`` as its first; alone, a page cannot lead to the others."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=300)
    for name, values in {**link, **{name: [value] for name, value in page.query.items()}}.items():
        # A browser writes half of a surrogate pair like this.
        app.query_params[name] = [value.encode("utf-8", "surrogatepass") for value in values]
    entrance = patch("viz.shell.navigation._ENTRANCE", page.page.path.stem)
    # At the app's own address, some parameters lead to Translate.
    with entrance, patch("viz.shell.page.lead_on", lambda *_: None):
        return app.run()


def elements(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield from elements(child)
    if hasattr(node, "proto") and hasattr(node.proto, "ListFields"):
        yield node.proto


def widget_key(proto: Any) -> str:
    """Return the key of a widget, which its identifier ends with; empty where it has none."""
    key = str(getattr(proto, "id", "")).partition("-")[2].partition("-")[2]
    return "" if key == "None" else key


def view_of(app: AppTest) -> tuple[dict[str, Any], list[str], dict[str, Any], list[tuple[str, str]]]:
    """Return what tells two views apart: the link, the warnings, the controls with their values, and what is drawn."""
    kinds = (app.button_group, app.multiselect, app.number_input, app.select_slider, app.selectbox, app.toggle)
    values = {widget.key: widget.value for of_kind in kinds for widget in of_kind}
    drawn = [(type(proto).__name__, widget_key(proto)) for proto in elements(app._tree)]
    return {**app.query_params}, [warning.value for warning in app.warning], values, drawn


@cache
def linkable(page: Place) -> Linkable:
    """Return what ``page`` asks its link for, by itself and where every choice is its last."""
    asked: set[str] = set()

    class Spied(dict[str, str]):
        def __contains__(self, name: object) -> bool:
            asked.add(str(name))
            return super().__contains__(name)

    def spied(name: str) -> Any:
        method = getattr(QueryParamsProxy, name)

        def call(proxy: QueryParamsProxy, key: str, *rest: Any) -> Any:
            asked.add(key)
            return method(proxy, key, *rest)

        return patch.object(QueryParamsProxy, name, call)

    drawn: dict[str, LinkParameter[Any]] = {}

    def held(field: LinkParameter[Any], key: str = "") -> None:
        drawn[field.key] = field
        hold(field, key)

    to_dict = QueryParamsProxy.to_dict
    opening: dict[str, str] = {}
    widgets: set[tuple[str, str]] = set()
    with (
        spied("get"),
        spied("get_all"),
        spied("__getitem__"),
        spied("__contains__"),
        patch.object(QueryParamsProxy, "to_dict", lambda proxy: Spied(to_dict(proxy))),
        patch("viz.shell.controls.hold", held),
    ):
        for _ in range(2):
            app = opened(page, {name: [value] for name, value in opening.items()})
            for proto in elements(app._tree):
                kind = type(proto).__name__
                if (key := widget_key(proto)) and kind not in STATELESS:
                    widgets.add((key, kind))
            opening = {name: last_value(field) for name, field in drawn.items() if name != PART}
    assert not app.exception
    controls = frozenset(name for name, field in drawn.items() if not isinstance(field, Text))
    # Another part has parameters of its own.
    names = asked - {*page.query}
    return Linkable(tuple(sorted(names)), controls - {*page.query}, opening, len(app.warning), frozenset(widgets))


@cache
def parameters_read(page: Place) -> tuple[LinkParameter[Any], ...]:
    """Return what reads the values of a link with all that ``page`` takes."""
    read: dict[tuple[type, str, str], LinkParameter[Any]] = {}

    def spied(kind: type[LinkParameter[Any]]) -> Any:
        method = kind.read

        def call(parameter: LinkParameter[Any], text: str) -> Any:
            read[kind, parameter.key, parameter.allowed] = parameter
            return method(parameter, text)

        return patch.object(kind, "read", call)

    takes = linkable(page)
    link = dict.fromkeys(takes.names, NOWHERE) | takes.opening
    with ExitStack() as patched:
        for kind in (*LinkParameter.__subclasses__(), Lines):
            patched.enter_context(spied(kind))
        opened(page, {name: [value] for name, value in link.items()})
    return tuple(read.values())


def last_value(field: LinkParameter[Any]) -> str:
    """Return what a link carries for the last option of ``field``, or for its default."""
    return field.write(field.options[-1] if isinstance(field, Choice) else field.default)
