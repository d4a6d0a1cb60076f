"""Swap positions, in a real Chromium without a network."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest, translations


def test_a_side_is_in_the_link_and_everything_measured_is_saved(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/swap-positions")
    # The first page of a server loads PyTorch and the model.
    expect(page.locator(".js-plotly-plot")).to_have_count(3, timeout=90_000)
    at_rest(page)
    before = translations(page)
    page.get_by_role("radio", name="Decoder").click()
    at_rest(page)
    assert parse_qs(urlsplit(page.url).query)["side"] == ["decoder"]
    assert translations(page)[0] == before[0]
    picture = page.locator(".st-key-picture-cost")
    assert saved(picture, "BLEU of all changes (CSV)").suggested_filename == "swapped-positions.csv"
    assert page.errors == []
