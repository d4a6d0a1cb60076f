"""axe-core finds no fault in any page, as it opens."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import accessibility_faults
from viz.shell.navigation import sections

PAGES = [page.url_path for found in sections().values() for page in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_accessibility_fault(app_url: str, open_page: Callable[..., Page], name: str, theme: str) -> None:
    page = open_page(color_scheme=theme)
    page.goto(f"{app_url}/{name}")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    assert accessibility_faults(page) == []
