"""Direct attribution, in a real Chromium without a network."""

from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest, visit_page

visit = partial(visit_page, shows=".js-plotly-plot")
SENTENCE = "The dog chases the cat."


@pytest.fixture
def opened(page: Page, app_url: str) -> Page:
    return visit(page, f"{app_url}/direct-attribution?text={SENTENCE}")


def told(page: Page) -> str:
    return page.get_by_text("was written with probability").inner_text()


def test_a_chosen_word_is_in_the_link_which_reopens_it(opened: Page, open_page: Callable[..., Page]) -> None:
    page = opened
    page.get_by_role("radio", name="2 ").first.click()
    at_rest(page)
    assert parse_qs(urlsplit(page.url).query)["step"] == ["2"]
    first = told(page)
    assert told(visit(open_page(), page.url)) == first
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    at_rest(page)
    assert told(page) != first


def test_the_strongest_head_is_switched_off_on_its_own_page(opened: Page) -> None:
    page = opened
    page.get_by_role("link", name="Switch this head off").click()
    expect(page.locator("[data-code]").first).to_be_visible()
    at_rest(page)
    (off,) = parse_qs(urlsplit(page.url).query)["off"]
    assert page.locator(f'[data-code="{off}"][aria-pressed=true]').count() == 1
    expect(page.get_by_label("English sentence")).to_have_value(SENTENCE)


def test_the_picture_and_its_numbers_are_saved_and_nothing_is_wrong_in_the_console(opened: Page) -> None:
    assert saved(opened.locator("[class*=st-key-picture-]"), "Picture (SVG)").suggested_filename == "attribution.svg"
    assert saved(opened.locator("[class*=st-key-picture-]"), "Numbers (CSV)").suggested_filename == "attribution.csv"
    assert opened.errors == []
