"""The search as a tree, on the page Beam search, in a real Chromium without a network."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from pretrained import load_translator
from tests.browser.accessibility import accessibility_faults
from tests.browser.translate.translate_page import settled

SENTENCE = "The dog chases the cat."


def visit(page: Page, url: str) -> Page:
    page.goto(url)
    # The first page of a server loads PyTorch and the model.
    expect(nodes(page).first).to_be_visible(timeout=90_000)
    expect(page.locator(".line-token").first).to_be_visible()
    # Streamlit looks for its server below the page's own address first, and the browser says that it is not there.
    page.errors.clear()
    return settled(page)


def nodes(page: Page) -> Locator:
    return page.locator(".beam-tree [data-number]")


def written(page: Page) -> str:
    return "".join(page.locator(".line-token").evaluate_all("all => all.map(one => one.firstChild.textContent)"))


def test_a_click_on_what_was_left_has_the_sentence_written_on_from_there(
    page: Page, open_page: Callable[..., Page], app_url: str
) -> None:
    visit(page, f"{app_url}/beam-search?text={SENTENCE}")
    before = written(page)
    left = page.locator(".beam-tree [data-standing=left]").first
    label = left.locator("text").text_content()
    left.click()
    begun = page.get_by_text(f"Continued from “{label}”")
    expect(begun).to_be_visible()
    settled(page)
    after = written(page)
    assert after.startswith(label)
    assert after != before
    tokenizer = load_translator("translation-en-de", "cpu").tokenizer
    (begin,) = parse_qs(urlsplit(page.url).query)["begin"]
    assert tokenizer.decode([int(token) for token in begin.split(".")]) == label

    again = visit(open_page(), page.url)
    assert written(again) == after
    again.get_by_role("button", name="Start over").click()
    expect(again.get_by_text("Continued from “")).to_have_count(0)
    assert written(settled(again)) == before
    assert "begin" not in again.url
    assert page.errors == again.errors == []


def test_a_beginning_belongs_to_its_sentence(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/beam-search?text={SENTENCE}")
    page.locator(".beam-tree [data-standing=left]").first.click()
    expect(page.get_by_text("Continued from “")).to_be_visible()
    settled(page).get_by_role("button", name="The cat chases the dog.").click()
    expect(page.get_by_text("Continued from “")).to_have_count(0)
    assert "begin" not in settled(page).url
    assert page.errors == []


def test_the_tree_grows_with_the_slider_and_is_walked_by_keys(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/beam-search?text={SENTENCE}&search=Greedy")
    slider = page.locator(".beam-tree input")
    total = nodes(page).count()
    slider.fill("2")
    expect(page.locator(".beam-tree .said")).to_contain_text("Step 2 of")
    assert 0 < nodes(page).count() < total
    page.locator(".beam-tree").get_by_role("button", name="Play", exact=True).click()
    # A busy machine looks seldom: any step from the fourth on is two steps played.
    expect(page.locator(".beam-tree .said")).to_have_text(re.compile(r"^Step ([4-9]|\d\d) of"))
    slider.fill(slider.get_attribute("max"))
    expect(nodes(page)).to_have_count(total)
    first = page.locator(".beam-tree [data-number='0']")
    first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".beam-tree [data-number='1']")).to_be_focused()
    label = page.locator(".beam-tree [data-number='1'] text").text_content()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Continued from “{label}”")).to_be_visible()
    assert page.errors == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chosen_beginning_has_no_accessibility_fault(
    app_url: str, open_page: Callable[..., Page], theme: str
) -> None:
    page = visit(open_page(color_scheme=theme), f"{app_url}/beam-search?text={SENTENCE}&begin=57")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    assert accessibility_faults(page) == []
