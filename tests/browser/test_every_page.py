"""Every page as it opens: short, a picture in the first screen, no text under 13 px, and nothing that axe minds."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.waiting import at_rest
from viz.shell.navigation import sections

PAGES = [page.url_path for found in sections().values() for page in found]
LAPTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
TALLEST = 2_000
SMALLEST_TEXT = 13
# Definitions and tables of names are searched, not looked at: a picture above them would only be in the way.
WITHOUT_PICTURE = {"glossary", "models", "hooks"}

_ALL = """const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
  [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);"""
# Icons are pictures too: what is meant is at least 100 by 60 pixels of the screen. The race draws with coloured tokens,
# and Generation writes a text.
_PICTURES = f"""() => {{
  {_ALL}
  return all(document.querySelector("[data-testid=stMain]")).filter((node) => {{
    if (!node.matches("canvas, svg, .st-key-race-answers, .written")) return false;
    const {{ left, right, top, bottom }} = node.getBoundingClientRect();
    const width = Math.min(right, innerWidth) - Math.max(left, 0);
    return width >= 100 && Math.min(bottom, innerHeight) - Math.max(top, 0) >= 60;
  }}).length;
}}"""
# Exponents, indices and fractions are smaller than the text that they belong to, in formulas and at Plotly's axes.
_SMALL_TEXTS = f"""(smallest) => {{
  {_ALL}
  const size = (node) => parseFloat(getComputedStyle(node).fontSize);
  const isExponent = (node, text) => node.localName === "tspan" && size(node) < size(text) && size(text) >= smallest;
  const inFormula = (node) => node.closest(".katex-mathml, .katex :is(.mtight, .mfrac)") !== null;
  const isRaised = (node) => inFormula(node) || isExponent(node, node.closest("text"));
  return all(document.querySelector("[data-testid=stMain]")).filter((node) => {{
    const texts = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
    const hasText = texts.some((child) => child.data.replace(/[\\s\\u200b-\\u200d\\u2060\\ufeff]/g, ""));
    if (!hasText || ["style", "script"].includes(node.localName)) return false;
    if (isRaised(node)) return false;
    const {{ width, height }} = node.getBoundingClientRect();
    return width > 1 && height > 1 && size(node) < smallest - 0.01;
  }}).map((node) => `${{getComputedStyle(node).fontSize}} ${{node.textContent.trim().slice(0, 60)}}`);
}}"""


def opened(open_page: Callable[..., Page], url: str, **options: object) -> Page:
    page = open_page(viewport=LAPTOP, reduced_motion="reduce", **options)
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    at_rest(page)
    return page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_short_and_opens_on_a_picture_on_a_laptop_and_a_phone(
    app_url: str, open_page: Callable[..., Page], name: str
) -> None:
    page = opened(open_page, f"{app_url}/{name}", color_scheme="light")
    height = page.get_by_test_id("stMainBlockContainer").evaluate("node => node.scrollHeight")
    assert height <= TALLEST
    assert page.evaluate(_PICTURES) or name in WITHOUT_PICTURE
    assert page.evaluate(_SMALL_TEXTS, SMALLEST_TEXT) == []
    assert accessibility_faults(page) == []
    page.set_viewport_size(PHONE)
    at_rest(page)
    assert page.evaluate(_PICTURES) or name in WITHOUT_PICTURE
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_accessibility_fault_in_the_dark(app_url: str, open_page: Callable[..., Page], name: str) -> None:
    assert accessibility_faults(opened(open_page, f"{app_url}/{name}", color_scheme="dark")) == []
