"""The page Glossary in a real Chromium."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import at_rest
from viz.base.glossary import find_term, terms

IDS = "[...document.querySelectorAll('[data-testid=stMainBlockContainer] h2')].map((heading) => heading.id)"


@pytest.mark.parametrize("name", ["beam search", "query, key and value"])
def test_a_link_to_a_term_leads_to_it(app_url: str, open_page: Callable[..., Page], name: str) -> None:
    page = open_page(viewport={"width": 390, "height": 600})
    page.goto(f"{app_url}/glossary#{find_term(name).anchor}")
    expect(page.get_by_role("heading", level=2, name=name)).to_be_in_viewport()


def test_every_term_has_its_anchor_and_the_page_its_height(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/glossary")
    expect(page.get_by_role("heading", level=2)).to_have_count(len(terms()))
    at_rest(page)
    assert page.evaluate(IDS) == [term.anchor for term in terms()]
    assert page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight") <= 2000


def test_a_term_leads_to_where_it_is_seen_in_the_same_tab(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/glossary")
    page.get_by_role("link", name="See it: What can be recorded (hooks)").first.click()
    page.wait_for_url("**/models?*part=hooks*")
