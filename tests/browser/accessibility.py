"""What axe-core finds wrong in a page that has come to rest."""

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.waiting import at_rest

CONTRAST = ("color-contrast", "link-in-text-block")
"""The rules of axe on which a theme bears."""


def accessibility_faults(page: Page, context: str | None = None, rules: Sequence[str] = ()) -> list[str]:
    """Return a line for each fault, in the whole page or in what the selector ``context`` names.

    Only faults against ``rules``, by axe's names, where any are given.
    """
    # A run that begins late fades what is there, and half faded text has little contrast: a fault is one that stays.
    return _faults(page, context, rules) and _faults(page, context, rules)


def _faults(page: Page, context: str | None, rules: Sequence[str]) -> list[str]:
    # Streamlit fades new elements in.
    at_rest(page)
    page.wait_for_function("!document.getAnimations().some(({ timeline }) => timeline instanceof DocumentTimeline)")
    options = {"resultTypes": ["violations"]} | ({"runOnly": [*rules]} if rules else {})
    found: Any = Axe().run(page, context=context, options=options)
    return [
        f"{fault['id']} ({fault['impact']}): {node['target']} {node['html'][:200]}"
        for fault in found.response["violations"]
        for node in fault["nodes"]
    ]
