"""Translate beside the other pages, on other screens, and with texts of every length."""

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.translate.explorer_page import caption
from tests.browser.translate.translate_page import (
    FOOTBALL,
    choose,
    open_head,
    sentence,
    settled,
    taken_apart,
    tokens,
    translate_anew,
    type_sentence,
    visit,
    wait_for_url,
)
from tests.browser.waiting import at_rest

# Nine bytes in a URL, as many as a character that can be typed ever takes.
LONGEST = "語" * 1000


def test_the_view_survives_a_visit_to_the_other_page(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    translate_anew(page, FOOTBALL)
    expect(page).to_have_url(re.compile("football"))
    choose(page, "Decoder")
    open_head(page, 1, 2)
    wait_for_url(page, text=FOOTBALL, kind="decoder", heads="1.2")
    good = settled(page).locator(".line-token").all_text_contents()
    page.get_by_role("link", name="About", exact=True).click()
    page.get_by_role("radio", name="What can be recorded (hooks)").click()
    expect(page.get_by_text("encoder.{layer}.self_attention.pattern").first).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Attention", exact=True).click()
    page.get_by_role("link", name="Attention in a translation", exact=True).click()
    expect(caption(page)).to_have_text("Decoder · Layer 1, head 2")
    expect(sentence(page)).to_have_value(FOOTBALL)
    expect(tokens(page)).to_have_text(good)
    wait_for_url(page, text=FOOTBALL, kind="decoder", heads="1.2")
    assert page.errors == []


def test_sentence_model_and_search_go_along_to_the_other_page_and_back(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    translate_anew(page, "The dog sleeps. The cat is red.")
    page.get_by_role("combobox", name="Sentence to look at").click()
    page.get_by_role("option", name="The cat is red.").click()
    expect(tokens(page).nth(1)).to_have_text(re.compile("^Katze"))
    settled(page).get_by_role("link", name="Attention", exact=True).click()
    page.get_by_role("link", name="Beam search", exact=True).click()
    expect(page.locator(".beam-tree")).to_be_visible()
    expect(tokens(page).nth(1)).to_have_text(re.compile("^Katze"))
    page.get_by_role("radio", name="Greedy").click()
    settled(page).get_by_label("Translator:").click()
    page.get_by_role("option", name="English to French", exact=True).click()
    expect(tokens(page).nth(1)).to_have_text(re.compile("^chat"))
    wait_for_url(
        page, text="The dog sleeps. The cat is red.", number="2", search="greedy", translator="translation-en-fr"
    )
    settled(page).get_by_role("link", name="Attention", exact=True).click()
    page.get_by_role("link", name="Attention in a translation", exact=True).click()
    expect(caption(page)).to_be_visible()
    expect(tokens(page).nth(1)).to_have_text(re.compile("^chat"))
    wait_for_url(
        page, text="The dog sleeps. The cat is red.", number="2", search="greedy", translator="translation-en-fr"
    )
    assert page.errors == []


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
@pytest.mark.parametrize(
    ("address", "picture"), [("translate", ".explorer .mosaic"), ("beam-search", ".beam-tree .box svg")]
)
def test_the_picture_is_in_the_first_screen(
    open_page: Callable[..., Page], app_url: str, address: str, picture: str, size: tuple[int, int]
) -> None:
    width, height = size
    page = open_page(viewport={"width": width, "height": height})
    page.goto(f"{app_url}/{address}")
    expect(page.locator(picture).first).to_be_visible()
    at_rest(page)
    box = settled(page).locator(picture).first.bounding_box()
    assert box["y"] + min(box["height"], 150) <= height
    if width == 1440:
        tall = "element => element.getBoundingClientRect().height"
        assert page.get_by_test_id("stMainBlockContainer").evaluate(tall) <= 2000


def test_the_longest_text_can_be_typed_and_reloaded(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    type_sentence(page, LONGEST)
    which = page.get_by_role("combobox", name="Sentence to look at, of ")
    expect(which).to_be_visible()
    expect(page).to_have_url(re.compile("text="))
    assert page.reload().ok
    expect(which).to_be_visible()
    expect(page.get_by_label(re.compile(r"^(English|Japanese) sentence$"))).to_have_value(LONGEST)
    assert page.errors == []


def test_a_link_with_a_text_that_is_too_long_opens(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/?text={quote('I am. ' * 1666)}")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("at most 1,000 are read")
    assert page.errors == []


def test_many_sentences_can_be_looked_at_before_all_are_translated(page: Page, app_url: str) -> None:
    # Each takes four tokens: six sentences of as many as one may have, so that a slow machine ends with them too.
    different = "".join(chr(ord("😀") + n % 70) for n in range(400))
    page.goto(f"{app_url}/?text={quote(different)}")
    tile = page.locator(".explorer .tile").first
    expect(tile).to_be_visible()
    rest = page.get_by_role("button", name=re.compile(r"Translate the other \d+ as well"))
    expect(page.locator("p.whole")).to_be_visible()
    # A fast machine has translated all by now, and never offers it.
    page.add_locator_handler(rest, lambda button: button.click())
    # What is left may be translated before a busy browser has shown how far it is.
    expect(page.get_by_text("Translating sentence ").or_(rest)).to_have_count(0)
    expect(tile).to_be_visible()
    assert page.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_scrolls_passes_behind_the_menu(open_page: Callable[..., Page], app_url: str, scheme: str) -> None:
    page = visit(open_page(viewport={"width": 1440, "height": 500}, color_scheme=scheme), f"{app_url}/translate")
    colour = "node => getComputedStyle(node).backgroundColor"
    assert page.locator("[data-testid=stLayoutWrapper]:has(> .st-key-navigation)").evaluate(
        colour
    ) == page.get_by_test_id("stApp").evaluate(colour)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 300)")
    expect(page.get_by_role("heading", level=1)).not_to_be_in_viewport()
    top = "([x, y]) => document.elementFromPoint(x, y).closest('.st-key-navigation') !== null"
    assert page.evaluate(top, [700, 15])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(open_page: Callable[..., Page], app_url: str, scheme: str) -> None:
    page = visit(open_page(viewport={"width": 390, "height": 844}, color_scheme=scheme), f"{app_url}/?pins=2.2")
    expect(taken_apart(page)).to_be_visible()
    expect_no_wider_than_the_screen(page)
    for name, content in (("beam-search", ".beam-tree"), ("models", ".plain-table"), ("hooks", ".plain-table")):
        page.goto(f"{app_url}/{name}")
        expect(page.locator(content).first).to_be_visible()
        expect_no_wider_than_the_screen(settled(page))


def expect_no_wider_than_the_screen(page: Page) -> None:
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")


def test_a_translation_of_long_words_stays_on_a_narrow_screen(open_page: Callable[..., Page], app_url: str) -> None:
    text = quote("A dog sleeps. " + "\u03a9" * 200)
    page = visit(open_page(viewport={"width": 390, "height": 844}), f"{app_url}/?text={text}")
    whole = page.locator("p.whole")
    expect(whole).to_be_visible()
    # Whatever the weights make of the letters, a word longer than the line must be broken.
    whole.evaluate("element => { element.textContent = 'W'.repeat(300); }")
    assert whole.evaluate("element => element.scrollWidth <= element.clientWidth")
    # However much there is, the picture is not pushed off the screen, and the keyboard reaches all of it.
    whole.evaluate("element => { element.textContent = 'W'.repeat(5000); }")
    height = whole.evaluate("element => element.clientHeight")
    assert height <= 844 / 2
    assert whole.evaluate("element => element.scrollHeight") > height
    whole.focus()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('p.whole').scrollTop > 0")


def test_a_single_map_offers_no_choice_of_heads(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate?measure=flow")
    expect(page.locator(".explorer .tile")).to_have_count(1)
    expect(page.locator(".explorer .overview > .hint")).to_be_hidden()
    assert page.errors == []
