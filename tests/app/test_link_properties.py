"""Links drawn at random: whatever any parameter of any page says, the page lives, and nothing of it is markup.

``LINK_DRAWS=2000 pytest tests/app/test_link_properties.py`` draws so many links a page; three without it.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from tests.app.running import ROOT
from viz.shell.navigation import Page, sections

DRAWS = int(os.environ.get("LINK_DRAWS", "3"))
PAGES = [page for pages in sections().values() for page in pages]
HOST = "e.example"
HOSTILE = (
    *("1e400", "-1e400", "inf", "-Infinity", "NaN", "-0", "1_0", "0x10", "٣", "\N{FULLWIDTH DIGIT SEVEN}", "", " "),
    *("9" * 5_000, f"-{'9' * 5_000}", f"{'0' * 5_000}1", f"1.{'9' * 5_000}", f"1e{'9' * 400}", "a" * 5_000),
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
    """What a page takes from a link: the names, values that open all of it, and how much it then warns of."""

    names: tuple[str, ...]
    opening: Mapping[str, str]
    n_warnings: int


def opened(page: Page, link: Mapping[str, list[str]]) -> AppTest:
    """Open the app with ``page`` as its first; alone, a page cannot lead to the others."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=300)
    for name, values in link.items():
        # A browser writes half of a surrogate pair like this.
        app.query_params[name] = [value.encode("utf-8", "surrogatepass") for value in values]
    others = [other for other in PAGES if other is not page]
    with patch("viz.shell.navigation.sections", lambda: {page.section: [page, *others]}):
        return app.run()


def elements(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield from elements(child)
    if hasattr(node, "proto") and hasattr(node.proto, "ListFields"):
        yield node.proto


@cache
def linkable(page: Page) -> Linkable:
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

    to_dict = QueryParamsProxy.to_dict
    opening: dict[str, str] = {}
    with (
        spied("get"),
        spied("get_all"),
        spied("__getitem__"),
        spied("__contains__"),
        patch.object(QueryParamsProxy, "to_dict", lambda proxy: Spied(to_dict(proxy))),
    ):
        for _ in range(2):
            app = opened(page, {name: [value] for name, value in opening.items()})
            for proto in elements(app._tree):
                if name := getattr(proto, "query_param_key", ""):
                    asked.add(name)
                    opening[name] = last_value(proto)
    assert not app.exception
    return Linkable(tuple(sorted(asked)), opening, len(app.warning))


def last_value(proto: Any) -> str:
    options = getattr(proto, "options", ())
    if len(options):
        return str(getattr(options[-1], "content", options[-1]))
    return "true" if type(proto).__name__ == "Checkbox" else str(getattr(proto, "default", ""))


VALUES = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(), max_size=40),
    st.integers(-(10**30), 10**30).map(str),
    st.floats().map(str),
)


def links(names: tuple[str, ...]) -> st.SearchStrategy[dict[str, list[str]]]:
    hostile = st.lists(VALUES, min_size=1, max_size=3)
    return st.dictionaries(st.sampled_from(names), hostile, min_size=min(3, len(names)), max_size=8)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path.stem)
def test_no_link_ends_a_page_or_becomes_markup(page: Page) -> None:
    takes = linkable(page)
    if not takes.names:
        return

    @settings(
        max_examples=DRAWS,
        deadline=None,
        database=None,
        derandomize=DRAWS < 100,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(link=links(takes.names), is_open=st.booleans())
    def hold(link: dict[str, list[str]], is_open: bool) -> None:
        opening = {name: [value] for name, value in takes.opening.items()} if is_open else {}
        app = opened(page, opening | link)
        assert [error.stack_trace for error in app.exception] == []
        shown = [proto for proto in elements(app._tree) if type(proto).__name__ != "Alert"]
        assert len(shown) > 3
        warnings = Counter(entry.value for entry in app.warning)
        assert not [text for text, times in warnings.items() if times > 1]
        assert warnings.total() <= takes.n_warnings + len(opening | link)
        assert markup(app) == []

    hold()


def markup(app: AppTest) -> list[str]:
    """Return what Streamlit would make a link, a picture or an element of what the link says."""
    found = []
    for proto in elements(app._tree):
        kind = type(proto).__name__
        for field in ("body", "label", "help", "text"):
            text = getattr(proto, field, "")
            if not isinstance(text, str) or HOST not in text:
                continue
            is_html = kind == "Html"
            rendered = text if is_html else without_code(text)
            rule = rf"<\w[^>&]*{HOST}" if is_html else rf"(?<!\\)\]\((?:\w+:)?//{HOST}|(?:://|www\.|@){HOST}"
            found += [f"{kind}.{field}: {match[0]}" for match in re.finditer(rule, rendered.replace("\\.", "."))]
    return found


def without_code(markdown: str) -> str:
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", markdown)


def test_markup_would_be_seen() -> None:
    app = AppTest.from_string(
        f"""
import streamlit as st
st.warning("[a](https://{HOST}) `[b](https://{HOST})` a@{HOST}")
st.html("<img src=//{HOST}> &lt;img src=//{HOST}>")
st.markdown("see www.{HOST}")
"""
    ).run()
    assert len(markup(app)) == 4


def test_the_parameters_of_a_page_are_found() -> None:
    (page,) = [page for page in PAGES if page.path.stem == "why_self_attention"]
    assert linkable(page).names == ("d", "k", "n", "r")
