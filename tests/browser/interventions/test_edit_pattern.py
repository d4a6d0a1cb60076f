"""Edit a pattern, in a real Chromium without a network."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest


def visit(page: Page, url: str) -> Page:
    page.goto(url)
    # The first page of a server loads PyTorch and the model.
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=90_000)
    at_rest(page)
    return page


def translations(page: Page) -> list[str]:
    return page.locator(".two-lines .words").all_inner_texts()


def test_a_chosen_edit_is_in_the_link_which_reopens_it(
    page: Page, app_url: str, open_page: Callable[..., Page]
) -> None:
    visit(page, f"{app_url}/edit-pattern")
    before = translations(page)
    assert before[0] != before[1]
    page.get_by_role("radio", name="What they choose").click()
    at_rest(page)
    assert parse_qs(urlsplit(page.url).query)["look"] == ["What they choose"]
    assert translations(page) == [before[0], before[0]]
    assert translations(visit(open_page(), page.url)) == [before[0], before[0]]
    picture = page.locator("[class*=st-key-picture-]").last
    assert saved(picture, "Picture (SVG)").suggested_filename == "pattern-after.svg"
    assert page.errors == []
