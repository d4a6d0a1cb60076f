"""The menu of all pages on a phone: it closes on a choice, and what closes it presses nothing below it."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.waiting import at_rest
from viz.base.words import page_text
from viz.shell.navigation import sections

TEXT = page_text("shell/page")
PHONE = {"width": 390, "height": 844}
LEAST_TARGET = 40
_PRESSED = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
    [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
  const isSet = (node) => node.matches("[aria-pressed=true], [aria-checked=true]") || node.matches(":checked");
  const name = (node) => node.getAttribute("aria-label") ?? node.parentElement.textContent;
  return all(document.querySelector("[data-testid=stMain]")).filter(isSet).map(name);
}"""


@pytest.fixture
def phone(app_url: str, open_page: Callable[..., Page]) -> Callable[[str], Page]:
    """Open a page on a phone."""

    def opened(address: str = "") -> Page:
        page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
        page.goto(f"{app_url}/{address}")
        expect(page.locator(".picture-menu").first).to_be_visible()
        at_rest(page)
        return page

    return opened


def menu(page: Page) -> Locator:
    return page.locator(".st-key-menu-pages")


def open_menu(page: Page) -> Locator:
    page.locator(".st-key-menu button").tap()
    expect(menu(page)).to_be_visible()
    return menu(page)


def test_each_page_is_reached_by_the_menu_which_closes(phone: Callable[[str], Page]) -> None:
    page = phone("")
    for section, pages in sections().items():
        for shown in pages:
            opened = open_menu(page)
            if len(pages) == 1:
                opened.get_by_role("link", name=TEXT[f"section {section}"], exact=True).tap()
            else:
                heading = page.locator("summary").get_by_text(TEXT[f"section {section}"], exact=True)
                fold = opened.locator("details", has=heading)
                if fold.get_attribute("open") is None:
                    fold.locator("summary").tap()
                fold.get_by_role("link", name=shown.title, exact=True).tap()
            expect(menu(page)).to_have_count(0)
            # What the page before it showed may stand beside it until its own run ends.
            heading = page.get_by_role("heading", level=1).filter(has_text=shown.first.question)
            expect(heading).to_be_visible(timeout=60_000)
    assert page.errors == []


def test_the_menu_shows_the_pages_of_the_open_section_as_targets_for_a_finger(phone: Callable[[str], Page]) -> None:
    page = phone("switch-heads-off")
    opened = open_menu(page)
    expect(opened.locator("details[open]")).to_have_count(1)
    heads = sections()["heads"]
    for shown in heads:
        expect(opened.get_by_role("link", name=shown.title, exact=True)).to_be_in_viewport()
    tops = opened.locator("a:visible, summary").evaluate_all(
        "(nodes) => nodes.map((node) => node.getBoundingClientRect().top)"
    )
    assert len(tops) >= len(heads) + len(sections()) - 1
    assert min(after - before for before, after in pairwise(tops)) >= LEAST_TARGET
    assert accessibility_faults(page) == []


@pytest.mark.parametrize("address", ["switch-heads-off", "translate"])
def test_a_tap_that_closes_the_menu_presses_nothing_below_it(phone: Callable[[str], Page], address: str) -> None:
    page = phone(address)
    before = page.url, page.evaluate(_PRESSED)
    for y in (300, 460, 620, 800):
        open_menu(page)
        page.touchscreen.tap(PHONE["width"] - 14, y)
        expect(menu(page)).to_have_count(0)
        at_rest(page)
        assert (page.url, page.evaluate(_PRESSED)) == before


def test_the_page_is_worked_again_once_the_menu_is_closed(phone: Callable[[str], Page]) -> None:
    page = phone("switch-heads-off")
    open_menu(page)
    page.touchscreen.tap(PHONE["width"] - 14, 800)
    expect(menu(page)).to_have_count(0)
    at_rest(page)
    before = page.evaluate(_PRESSED)
    page.locator(".head-grid [data-code]").nth(3).tap()
    at_rest(page)
    assert page.evaluate(_PRESSED) != before
