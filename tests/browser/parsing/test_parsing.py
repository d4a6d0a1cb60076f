"""Parsing, in a real Chromium without a network."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.waiting import at_rest


def test_a_step_is_chosen_on_the_line_and_kept_in_the_link(
    page: Page, app_url: str, open_page: Callable[..., Page]
) -> None:
    page.goto(f"{app_url}/parsing")
    expect(page.locator(".st-key-parse-tree .js-plotly-plot")).to_contain_text("telescope", timeout=90_000)
    at_rest(page)
    page.get_by_role("radio", name="1 (S", exact=True).click()
    expect(page.get_by_text("Step 1 of")).to_be_visible()
    # The picture of the step before may stay beside the new one for a moment.
    expect(page.locator(".st-key-parse-tree .js-plotly-plot").filter(has_text="[S]")).to_be_visible()
    expect(page).to_have_url(re.compile("parse-step=1$"))
    again = open_page()
    again.goto(page.url)
    expect(again.get_by_text("Step 1 of")).to_be_visible(timeout=90_000)
    assert page.errors == []


def test_another_sentence_gets_its_own_tree(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/parsing")
    box = page.get_by_role("textbox", name="English sentence")
    expect(box).to_be_visible(timeout=90_000)
    at_rest(page)
    box.fill("Dogs that bark don't bite!")
    box.press("Enter")
    expect(page.locator(".st-key-parse-tree .js-plotly-plot").filter(has_text="n't")).to_be_visible(timeout=30_000)
    assert page.errors == []
