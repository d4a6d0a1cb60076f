"""What a visitor does on the page Length generalization, in a real Chromium, on a small zoo."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import accessibility_faults


def visit(page: Page, zoo_url: str, query: str = "") -> Page:
    page.goto(f"{zoo_url}/race{query}")
    expect(page.get_by_text(re.compile(r"of 2 encodings are exactly right"))).to_be_visible()
    return page


def answer_of(page: Page, encoding: str) -> Locator:
    return page.locator(".answer-line").filter(has=page.locator(".answer-name", has_text=encoding))


def test_from_an_input_to_an_answer_and_its_attention_and_by_the_link_again(
    zoo_url: str, page: Page, open_page: Callable[..., Page]
) -> None:
    visit(page, zoo_url)
    field = page.get_by_label("Input: the letters a to z")
    field.fill("kkkk")
    field.press("Enter")
    expect(page.get_by_text("Length of this input: 4 letters")).to_be_visible()
    expect(answer_of(page, "ALiBi").locator(".answer-token.first")).to_have_count(1)
    expect(answer_of(page, "Right answer")).to_contain_text("kkkk⟨end⟩")
    page.get_by_test_id("stButtonGroup").get_by_text("ALiBi").click()
    expect(page.get_by_text("Every head of ALiBi")).to_be_visible()
    expect(page.get_by_role("heading", name="Every head")).to_be_visible()
    page.wait_for_url(re.compile("pin=alibi"))
    page.wait_for_url(re.compile("input=kkkk"))
    again = visit(open_page(), zoo_url, "?" + page.url.partition("?")[2])
    expect(again.get_by_text("Length of this input: 4 letters")).to_be_visible()
    expect(again.get_by_text("Every head of ALiBi")).to_be_visible()


def test_a_mistake_is_said_and_the_answers_stay(zoo_url: str, page: Page) -> None:
    visit(page, zoo_url)
    field = page.get_by_label("Input: the letters a to z")
    field.fill("k" * 10_000)
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("10,000 letters were given")
    expect(page.get_by_text("Length of this input: 30 letters")).to_be_visible()


def test_a_click_in_the_legend_shows_an_encoding_alone(zoo_url: str, page: Page) -> None:
    page.goto(f"{zoo_url}/cliff?encodings=none&encodings=alibi")
    legend = page.locator(".st-key-cliff-copy_repeat .legend")
    expect(legend.locator(".traces")).to_have_count(2)
    legend.locator(".legendtoggle").first.click()
    expect(legend.locator(".traces").nth(1)).to_have_css("opacity", "0.5")
    expect(legend.locator(".traces").nth(0)).to_have_css("opacity", "1")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_race_and_attention_have_no_accessibility_fault(
    zoo_url: str, open_page: Callable[..., Page], theme: str
) -> None:
    page = visit(open_page(color_scheme=theme), zoo_url, "?pin=alibi")
    expect(page.get_by_text("Every head of ALiBi")).to_be_visible()
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    assert accessibility_faults(page) == []
