"""The site's style sheet on a phone, where it changes what comes from the app's."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from viz.site.parts import site_style

WIDTH = 390
TOKENS = "".join(
    f"""<span class="line-token" tabindex="0">token{place} <span class="alternatives">
    <span class="alternative"><span class="label">anothertoken</span> <span class="bar"></span>
    <span class="percent">{place} %</span></span></span></span>"""
    for place in range(12)
)
LINE = '<p><b>Switched off</b> <span class="words">Mein Bruder</span> <small>−1.00</small></p>'
BODY = f'<main><div class="token-line">{TOKENS}</div><div class="two-lines">{LINE}</div></main>'


@pytest.fixture
def phone(open_page: Callable[..., Page]) -> Page:
    page = open_page(viewport={"width": WIDTH, "height": 844})
    page.set_content(f"<!doctype html><style>{site_style()}</style>{BODY}")
    return page


@pytest.mark.parametrize("place", [0, 2, 3, 11])
def test_alternatives_of_a_token_stay_on_the_screen(phone: Page, place: int) -> None:
    phone.locator(".line-token").nth(place).focus()
    shown = phone.locator(".alternatives").nth(place)
    expect(shown).to_be_visible()
    box = shown.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDTH
    assert phone.evaluate("document.documentElement.scrollWidth") <= WIDTH


def test_a_translation_has_a_line_below_its_title(phone: Page) -> None:
    title, words = (phone.locator(f".two-lines {part}").bounding_box() for part in ("b", ".words"))
    assert title
    assert words
    assert words["y"] >= title["y"] + title["height"] - 1
