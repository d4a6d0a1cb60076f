"""A component alone on a page, as Streamlit mounts it but without Streamlit: it is there in a tenth of the time.

What it tells Python is kept in the page, by name: ``window.told``.
"""

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Page

from viz.components.browser import bundle, style

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A component</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<main data-testid="stMain"><h1>A component</h1><div data-testid="stBidiComponentIsolated"></div></main></html>"""
_MOUNT = """async ({ css, js, data }) => {
  const parentElement = document.querySelector("[data-testid=stBidiComponentIsolated]");
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const module = await import(URL.createObjectURL(new Blob([js], { type: "text/javascript" })));
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  window.told = {};
  const keep = (name, value) => (window.told[name] = value);
  module.default({ data: bytes, parentElement, setStateValue: keep, setTriggerValue: keep });
}"""


def show_alone(page: Page, component: ModuleType, draw: Callable[[], object], *, surface: str) -> Page:
    """Have ``page`` show what ``draw`` hands to the browser's side of ``component``, a package with one style sheet.

    ``surface`` is the colour of the page under it.
    """
    folder, taken = Path(component.__path__[0]), dict[str, Any]()
    with patch.object(component, "_mount", lambda **parts: taken.update(parts)):
        draw()
    (css,) = folder.glob("*.css")
    page.set_content(_PAGE)
    data = b64encode(taken["data"]).decode()
    page.evaluate(
        _MOUNT,
        {"css": f"body {{ background: {surface} }} {style(css)}", "js": bundle(folder / "main.js"), "data": data},
    )
    return page
