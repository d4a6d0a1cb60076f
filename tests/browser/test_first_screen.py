"""Every page as it opens: short, with a picture in the first screen, and no text smaller than 13 px."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import at_rest
from viz.shell.navigation import sections

PAGES = [page.url_path for found in sections().values() for page in found]
LAPTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
TALLEST = 2_000
SMALLEST_TEXT = 13

_ALL = """const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
  [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);"""
# Icons are pictures too: what is meant is at least 100 by 60 pixels of the screen.
_PICTURES = f"""() => {{
  {_ALL}
  return all(document.querySelector("[data-testid=stMain]")).filter((node) => {{
    if (!["canvas", "svg"].includes(node.localName)) return false;
    const {{ left, right, top, bottom }} = node.getBoundingClientRect();
    const width = Math.min(right, innerWidth) - Math.max(left, 0);
    return width >= 100 && Math.min(bottom, innerHeight) - Math.max(top, 0) >= 60;
  }}).length;
}}"""
_SMALL_TEXTS = f"""(smallest) => {{
  {_ALL}
  return all(document.querySelector("[data-testid=stMain]")).filter((node) => {{
    const hasText = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if (!hasText || ["style", "script"].includes(node.localName)) return false;
    const {{ width, height }} = node.getBoundingClientRect();
    return width > 1 && height > 1 && parseFloat(getComputedStyle(node).fontSize) < smallest - 0.01;
  }}).map((node) => `${{getComputedStyle(node).fontSize}} ${{node.textContent.trim().slice(0, 60)}}`);
}}"""


@pytest.fixture
def opened(app_url: str, open_page: Callable[..., Page]) -> Callable[..., Page]:
    def open_at(name: str, size: dict[str, int]) -> Page:
        page = open_page(viewport=size, reduced_motion="reduce")
        page.goto(f"{app_url}/{name}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        at_rest(page)
        return page

    return open_at


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_short_and_opens_on_a_picture(opened: Callable[..., Page], name: str) -> None:
    page = opened(name, LAPTOP)
    height = page.get_by_test_id("stMainBlockContainer").evaluate("node => node.scrollHeight")
    assert height <= TALLEST
    assert page.evaluate(_PICTURES)
    assert page.evaluate(_SMALL_TEXTS, SMALLEST_TEXT) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_opens_on_a_picture_and_needs_no_sideways(opened: Callable[..., Page], name: str) -> None:
    page = opened(name, PHONE)
    assert page.evaluate(_PICTURES)
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth")
