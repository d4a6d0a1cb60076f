"""Running a page without a browser."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.testing.v1 import AppTest

from viz.shared.shipped import examples
from viz.shell.navigation import place_at

ROOT = Path(__file__).parents[2]
EXAMPLES = examples("English", "everyday")
_APP = """
import streamlit as st

from viz.shell.language import keep_language
from viz.shell.link import begin_run
from viz.shell.navigation import places
from viz.shell.page import renew_link, run_part

keep_language()
listed = places()
shown = [
    st.Page(
        place.part.path,
        title=place.part.question,
        url_path=place.part.url_path or "start",
        default=place.part.path.stem == "{name}",
    )
    for place in listed
]
opened = st.navigation(shown)
begin_run(opened.url_path)
place = listed[shown.index(opened)]
renew_link(place.page)
run_part(opened, place.page, place.part)
"""


def page_file(name: str) -> Path:
    """Return where the code of the page ``name`` lies."""
    (path,) = (ROOT / "viz" / "pages").glob(f"*/{name}.py")
    return path


def open_page(name: str, **url: str | list[str]) -> AppTest:
    """Run the page ``name``, or the part of a page, by itself, with these parameters in its link."""
    place = place_at("" if name == "start" else name.replace("_", "-"))
    if place.part == place.page.first:
        return open_script(place.part.path, **url)
    return open_source(f"from {place.part.module} import show\n\nshow()\n", **url)


def open_script(path: Path, **url: str | list[str]) -> AppTest:
    """Run the script at ``path`` with these parameters in its link."""
    return _run_with(AppTest.from_file(path, default_timeout=120), url)


def open_source(source: str, **url: str | list[str]) -> AppTest:
    """Run the text of a script with these parameters in its link."""
    return _run_with(AppTest.from_string(source, default_timeout=120), url)


def _run_with(app: AppTest, url: Mapping[str, str | list[str]]) -> AppTest:
    for key, value in url.items():
        app.query_params[key] = value
    return run(app)


def run(app: AppTest) -> AppTest:
    """Run the page again; whatever it shows, it is no traceback."""
    app.run()
    assert not app.exception
    return app


def end_visit() -> None:
    """Do what a server does when a visitor leaves; all visits of AppTest have one name."""
    clear_session_cache("test session id")


def charts(app: AppTest) -> dict[str, Any]:
    """Return the charts of the page by their keys."""
    return {chart.key: chart.proto for chart in app.get("plotly_chart")}


def markdown(app: AppTest) -> str:
    """Return all Markdown of the page."""
    return "\n".join(entry.value for entry in app.markdown)


def alts(app: AppTest) -> list[str]:
    """Return what the charts of the page say to those who do not see them."""
    return [chart.proto.alt for chart in app.get("plotly_chart")]


def alt(app: AppTest) -> str:
    """Return what its only chart says."""
    (only,) = alts(app)
    return only


def translations(app: AppTest) -> list[str]:
    """Return the lines above a picture, each of them a translation."""
    (shown,) = re.findall(r'class="two-lines".*?</div>', written(app), re.DOTALL)
    return [re.sub("<[^>]+>", "", line) for line in re.findall(r"<span class='words'>(.*?)</span>", shown)]


def warnings(app: AppTest) -> list[str]:
    """Return the warnings of the page."""
    return [entry.value for entry in app.warning]


def written(app: AppTest) -> str:
    """Return all HTML, Markdown and captions of the page, without the places where a long name may break."""
    html = (element.proto.body.replace("<wbr>", "") for element in app.get("html"))
    return "\n".join([*html, *(entry.value for entry in (*app.markdown, *app.caption))])


def saved_files(monkeypatch: pytest.MonkeyPatch, *modules: str) -> dict[str, Any]:
    """Return what the buttons of ``modules`` offer to save, by file, as soon as a page is run."""
    saved: dict[str, Any] = {}
    for module in modules:
        monkeypatch.setattr(f"{module}.download", lambda _, content, file, **_of: saved.update({file: content()}))
    return saved


def open_in_app(name: str, **url: str | list[str]) -> AppTest:
    """Run the page ``name`` among all others, to which it leads; with these parameters in its link."""
    return open_source(_APP.format(name=name), **url)
