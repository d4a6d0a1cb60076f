"""The entrance, opened in a browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.waiting import at_rest

VIEW = ".architecture"


@pytest.fixture
def start(app_url: str, open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Open the entrance with a query, by Playwright's context options; its picture is there, and the page at rest."""

    def opened(query: str = "", **options: object) -> Page:
        page = open_page(**options)
        page.goto(f"{app_url}/{query}")
        expect(page.locator(f"{VIEW} svg .head").first).to_be_visible()
        at_rest(page)
        return page

    return opened


def part(page: Page, name: str) -> Locator:
    """Return the part ``name`` of the picture."""
    return page.locator(f'{VIEW} svg .part[data-part="{name}"]')
