"""Links of others in a real Chromium: nothing that one says is asked for, and no script of it runs.

``LINKS=200 pytest tests/browser/test_hostile_links.py`` opens about so many links, of one parameter each; without
it, one link a page that gives every parameter of the page.
"""

import os
from collections.abc import Callable
from itertools import cycle, islice, product
from math import ceil
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.app.links import HOST, HOSTILE, PAGES, each_page, linkable
from tests.browser.waiting import at_rest
from viz.shell.navigation import Page as AppPage

N_LINKS = int(os.environ.get("LINKS", "0"))
# A link to another page of the app may carry what this one's does.
LEADS_TO = """host => [...document.querySelectorAll("[href], [src]")]
  .map(element => element.getAttribute("href") ?? element.getAttribute("src"))
  .filter(address => new URL(address, location).hostname.endsWith(host))"""
MARKUP = [value for value in HOSTILE if HOST in value]


def links(shown: AppPage) -> list[str]:
    """Return this page's share of the links asked for, or a link with all of its parameters."""
    names, first = linkable(shown).names, PAGES.index(shown)
    values = [*MARKUP[first % len(MARKUP) :], *MARKUP[: first % len(MARKUP)]]
    if N_LINKS:
        given = [{name: value} for value, name in islice(product(values, names), ceil(N_LINKS / len(PAGES)))]
    else:
        given = [dict(zip(names, cycle(values), strict=False))] if names else []
    return [f"{shown.url_path}?{urlencode(link)}" for link in given]


@each_page("shown")
def test_no_link_makes_the_browser_ask_elsewhere_or_run_a_script(
    app_url: str, open_page: Callable[..., Page], shown: AppPage
) -> None:
    page = open_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for link in links(shown):
        page.goto(f"{app_url}/{link}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        at_rest(page)
        assert page.evaluate(LEADS_TO, HOST) == [], link
        assert page.get_by_test_id("stException").count() == 0, link
    assert dialogs == []
