"""How many heads are needed, in a real Chromium without a network."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest


def test_the_loss_is_in_the_link_and_everything_measured_is_saved(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/heads-needed")
    # The first page of a server loads PyTorch.
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=90_000)
    at_rest(page)
    page.get_by_role("radio", name="Loss").click()
    at_rest(page)
    assert parse_qs(urlsplit(page.url).query)["of-measure"] == ["loss"]
    picture = page.locator(".st-key-picture-pruning")
    assert saved(picture, "Picture (SVG)").suggested_filename == "pruning.svg"
    assert saved(picture, "Everything measured (CSV)").suggested_filename == "pruning.csv"
    assert page.errors == []
