"""Word alignment, in a real Chromium without a network."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest


def test_a_step_is_in_the_link_which_reopens_it_and_links_are_saved(
    page: Page, app_url: str, open_page: Callable[..., Page]
) -> None:
    page.goto(f"{app_url}/word-alignment")
    # The first page of a server loads PyTorch and the model.
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=90_000)
    at_rest(page)
    told = page.get_by_text("links are among those of people")
    before = told.inner_text()
    page.get_by_role("radio", name="writes the word").click()
    at_rest(page)
    assert parse_qs(urlsplit(page.url).query)["at"] == ["output"]
    after = told.inner_text()
    assert after != before
    assert saved(page.locator(".st-key-picture-pair-map"), "Weights and links (CSV)").suggested_filename == "pair.csv"
    assert page.errors == []
    again = open_page()
    again.goto(page.url)
    expect(again.get_by_text("links are among those of people")).to_have_text(after, timeout=60_000)
