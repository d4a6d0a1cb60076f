"""Links of others in a real Chromium: nothing that one says is asked for, and no script of it runs.

``LINKS=200 pytest tests/browser/test_hostile_links.py`` opens so many links of one parameter each; without it, one link
a page that gives every parameter of the page.
"""

import os
from collections.abc import Callable
from itertools import cycle
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.app.links import HOST, HOSTILE, PAGES, linkable
from tests.browser.waiting import at_rest

N_LINKS = int(os.environ.get("LINKS", "0"))
# A link to another page of the app may carry what this one's does.
LEADS_TO = """host => [...document.querySelectorAll("[href], [src]")]
  .map(element => element.getAttribute("href") ?? element.getAttribute("src"))
  .filter(address => new URL(address, location).hostname.endsWith(host))"""
MARKUP = [value for value in HOSTILE if HOST in value]


def links() -> list[str]:
    """Return as many links as are asked for, of all pages and parameters in turn, or a link a page with all of them."""
    values = cycle(MARKUP)
    names = {page: linkable(page).names for page in PAGES}
    if not N_LINKS:
        return [f"{page.url_path}?{urlencode({name: next(values) for name in names[page]})}" for page in PAGES]
    single = [(page.url_path, name) for page in PAGES for name in names[page]]
    return [
        f"{path}?{urlencode({name: value})}" for (path, name), value, _ in zip(cycle(single), values, range(N_LINKS))
    ]


def test_no_link_makes_the_browser_ask_elsewhere_or_run_a_script(app_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for link in links():
        page.goto(f"{app_url}/{link}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        at_rest(page)
        assert page.evaluate(LEADS_TO, HOST) == [], link
        assert page.get_by_test_id("stException").count() == 0, link
    assert dialogs == []
