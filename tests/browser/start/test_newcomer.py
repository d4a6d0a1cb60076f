"""A newcomer comes from the entrance to each of the findings by at most three clicks, by mouse or by keyboard alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from viz.pages.start.findings import FINDINGS, Finding
from viz.shell.navigation import place_at

WIDTHS = (360, 430, 768, 1097, 1280, 1440, 1920)
MOST_TABS = 150
# The focused element may lie inside a component.
_FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node?.getAttribute("href");
}"""


@pytest.mark.parametrize(
    ("width", "by_mouse", "by_keyboard"), [*zip(WIDTHS, FINDINGS[::2], FINDINGS[1::2], strict=True)]
)
def test_a_finding_is_one_click_or_one_enter_away(
    app_url: str, open_page: Callable[..., Page], width: int, by_mouse: Finding, by_keyboard: Finding
) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    for reach, finding in ((click, by_mouse), (go_by_keys, by_keyboard)):
        page.goto(app_url)
        expect(page.locator(".cards a")).to_have_count(len(FINDINGS))
        addresses = page.locator(".cards a").evaluate_all("cards => cards.map(card => card.getAttribute('href'))")
        assert addresses == [each.address for each in FINDINGS]
        reach(page, finding.address)
        expect(page.get_by_role("heading", level=1)).to_have_text(place_at(finding.page).part.question)
        assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth")


def click(page: Page, address: str) -> None:
    page.locator(f'.cards a[href="{address}"]').click()


def go_by_keys(page: Page, address: str) -> None:
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(_FOCUSED) == address:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{address} is not among the first {MOST_TABS} stops of the Tab key")
