"""Start in a real Chromium: the picture follows the sentence; how it opens is in ``test_zoom.py``."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.start.conftest import VIEW
from tests.browser.waiting import at_rest
from viz.base.words import page_text
from viz.pages.start.findings import FINDINGS
from viz.shell.navigation import place_at

WORDS = page_text("pages/start/architecture")


def written(page: Page) -> str:
    return " ".join(page.locator(f"{VIEW} button.token").all_text_contents())


def test_the_translation_writes_itself_and_comes_to_rest(start: Callable[..., Page]) -> None:
    page = start(reduced_motion="no-preference")
    n = page.locator(f"{VIEW} button.token").count()
    expect(page.locator(f"{VIEW} button.token:visible")).to_have_count(n)
    expect(page.locator(VIEW)).to_have_attribute("data-block", "")
    expect(page.get_by_role("button", name=WORDS["play"])).to_be_visible()
    assert page.errors == []


def test_who_asks_for_less_motion_sees_the_whole_at_once(start: Callable[..., Page]) -> None:
    page = start(reduced_motion="reduce")
    expect(page.locator(VIEW)).to_have_attribute("data-block", "")
    assert page.locator(f"{VIEW} button.token").first.is_visible()


def test_a_word_of_the_translation_shades_where_it_comes_from(start: Callable[..., Page]) -> None:
    page = start()
    page.locator(f"{VIEW} button.token", has_text="Hund").focus()
    tokens = page.locator(f"{VIEW} .line span.token")
    shades = tokens.evaluate_all("nodes => nodes.map((node) => Number(node.style.getPropertyValue('--p')))")
    assert tokens.all_text_contents()[shades.index(max(shades))] == "dog"


def test_typing_draws_another_passage(start: Callable[..., Page]) -> None:
    page = start()
    before = written(page)
    page.get_by_role("textbox").first.fill("He reads a book.")
    expect(page.locator(f"{VIEW} span.token", has_text="book")).to_be_visible()
    assert written(page) != before
    page.wait_for_url("**/?sentence=He+reads+a+book.")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_longer_sentence_takes_the_place_of_a_short_one(start: Callable[..., Page], motion: str) -> None:
    page = start(reduced_motion=motion)
    sentence = page.get_by_role("textbox").first
    sentence.fill("He says that he does not want to come because it is raining.")
    expect(page.locator(f"{VIEW} span.token", has_text="raining")).to_be_visible()
    sentence.fill("He reads a book.")
    expect(page.locator(f"{VIEW} span.token", has_text="book")).to_be_visible()
    expect(page.locator(VIEW)).to_have_attribute("data-block", "")
    assert page.errors == []


def test_every_finding_can_be_opened_by_one_click(start: Callable[..., Page]) -> None:
    page = start()
    links = page.locator(".cards a")
    expect(links).to_have_count(len(FINDINGS))
    assert [link.get_attribute("href") for link in links.all()] == [finding.address for finding in FINDINGS]
    links.nth(4).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(place_at(FINDINGS[4].page).part.question)


@pytest.mark.parametrize("width", [360, 768, 1097, 1280, 1440, 1920])
def test_nothing_is_wider_than_the_screen(start: Callable[..., Page], width: int) -> None:
    page = start(viewport={"width": width, "height": 900})
    at_rest(page)
    assert page.locator("[data-testid=stMain]").evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_a_phone(start: Callable[..., Page], theme: str) -> None:
    page = start(viewport={"width": 390, "height": 844}, color_scheme=theme)
    assert accessibility_faults(page) == []
