"""What a visitor does on the page Compare encodings, in a real Chromium."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect


def visit(page: Page, app_url: str, query: str = "") -> Page:
    page.goto(f"{app_url}/compare-encodings{query}")
    expect(page.locator(".plain-table")).to_be_visible()
    return page


def maps(page: Page) -> Locator:
    return page.get_by_label(re.compile("what position adds to the score"))


def choose(page: Page, slot: int, title: str) -> None:
    box = page.get_by_label(f"Variant {slot}", exact=True)
    box.click()
    box.fill(title)
    page.get_by_role("option", name=title, exact=True).click()


def test_a_chosen_variant_is_drawn_and_the_url_reopens_it(
    app_url: str, page: Page, open_page: Callable[..., Page]
) -> None:
    visit(page, app_url, "?count=2")
    expect(maps(page)).to_have_count(2)
    choose(page, 2, "Relative (Shaw)")
    expect(page.get_by_label(re.compile(r"^Relative \(Shaw\): what position adds"))).to_be_visible()
    page.get_by_role("slider", name="Tokens").press("ArrowLeft")
    expect(page.get_by_label(re.compile(r"^Relative \(Shaw\): what position adds.*32 tokens"))).to_be_visible()
    page.wait_for_url(re.compile(r"v2=Relative.*length=32|length=32.*v2=Relative"))
    again = visit(open_page(), app_url, "?" + page.url.partition("?")[2])
    expect(again.get_by_label(re.compile(r"^Relative \(Shaw\): what position adds.*32 tokens"))).to_be_visible()
    expect(maps(again)).to_have_count(2)


def test_a_parameter_is_set_in_its_column(app_url: str, page: Page) -> None:
    visit(page, app_url, "?count=2&v1=Rotary+(RoPE)&v2=Rotary+(RoPE)&length=16")
    page.get_by_role("button", name="Parameters").nth(1).click()
    field = page.get_by_label(re.compile("^base:"))
    field.fill("5")
    field.press("Enter")
    page.wait_for_url(re.compile(r"v2\.base=5"))
    expect(maps(page)).to_have_count(2)
