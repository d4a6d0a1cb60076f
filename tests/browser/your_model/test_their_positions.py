"""Their positions, in a real Chromium without a network."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest


def test_a_table_stands_beside_one_of_ours_and_is_saved(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/their-positions?ours=alibi")
    # The first page of a server loads PyTorch.
    expect(page.locator(".js-plotly-plot")).to_have_count(3, timeout=90_000)
    at_rest(page)
    expect(page.get_by_text("ALiBi: what is added to a score")).to_be_visible()
    page.get_by_role("slider").press("End")
    at_rest(page)
    assert parse_qs(urlsplit(page.url).query)["positions"] == ["512"]
    assert (
        saved(page.locator(".st-key-picture-map-theirs"), "This map (CSV)").suggested_filename == "positions-theirs.csv"
    )
    assert page.errors == []
