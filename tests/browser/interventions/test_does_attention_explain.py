"""Does attention explain, in a real Chromium without a network."""

from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page

from tests.browser.saving import saved
from tests.browser.waiting import at_rest, visit_page

visit = partial(visit_page, shows=".js-plotly-plot")
SENTENCE = "The dog chases the cat."


def test_a_chosen_word_is_in_the_link_and_its_picture_and_numbers_are_saved(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/does-attention-explain?text={SENTENCE}")
    page.get_by_role("radio", name="2 ").first.click()
    at_rest(page)
    assert parse_qs(urlsplit(page.url).query)["step"] == ["2"]
    picture = page.locator("[class*=st-key-picture-]")
    assert saved(picture, "Picture (SVG)").suggested_filename == "source-words.svg"
    assert saved(picture, "All rows (CSV)").suggested_filename == "source-words.csv"
    assert page.errors == []


def test_on_a_phone_only_the_picture_scrolls_sideways(open_page: Callable[..., Page], app_url: str) -> None:
    page = visit(open_page(viewport={"width": 360, "height": 740}), f"{app_url}/does-attention-explain")
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth")
