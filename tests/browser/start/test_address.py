"""The address of what is open in Start's picture: wherever a visitor comes, it opens the same."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.start.conftest import VIEW, part
from viz.base.words import page_text

WORDS = page_text("pages/start/architecture")
CHOSEN = f"{VIEW} .row-token[aria-pressed=true]"
HEAD, PART = (re.compile(rf"^decoder\.cross\.\d{rest}$") for rest in (r"\.\d", ""))


def test_each_way_back_leaves_an_address_that_opens_the_same_row(start: Callable[..., Page]) -> None:
    page = start()
    up = page.get_by_role("navigation", name=WORDS["you are here"]).get_by_role("button").last
    part(page, "cross").locator(".title").click()
    row_of_a_head(page)
    for go_back in (page.go_back, lambda: page.keyboard.press("Escape"), up.click):
        page.locator(f"{VIEW} .row-token[aria-pressed=false]").first.click()
        go_back()
        expect(page.locator(VIEW)).to_have_attribute("data-open", PART)
        address, row = page.url, row_of_a_head(page)
        again = start(address.rpartition("/")[2])
        assert row == row_of_a_head(again)
        again.close()


def row_of_a_head(page: Page) -> str:
    """Open the first of the heads that are shown, and return the row that it shows."""
    page.locator(f"{VIEW} .head-tile").first.click()
    expect(page.locator(VIEW)).to_have_attribute("data-open", HEAD)
    return page.locator(CHOSEN).text_content() or ""
