"""Why this word, in a real Chromium without a network."""

from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest, visit_page

visit = partial(visit_page, shows=".circuit [data-code]")
SENTENCE = "The dog chases the cat."


@pytest.fixture
def opened(page: Page, app_url: str) -> Page:
    return visit(page, f"{app_url}/why-this-word?text={SENTENCE}")


def chosen(page: Page) -> list[str]:
    boxes = page.locator(".circuit [data-code][aria-pressed=true]")
    codes: list[str] = boxes.evaluate_all("all => all.map((one) => one.dataset.code)")
    return codes


def test_a_click_or_a_key_chooses_a_part_and_the_link_reopens_it(opened: Page, open_page: Callable[..., Page]) -> None:
    page = opened
    (first,) = chosen(page)
    other = page.locator(".circuit [data-code][aria-pressed=false]").first
    code = other.get_attribute("data-code")
    other.click()
    at_rest(page)
    assert chosen(page) == [code] != [first]
    assert parse_qs(urlsplit(page.url).query)["node"] == [code]
    assert chosen(visit(open_page(), page.url)) == [code]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    at_rest(page)
    assert chosen(page) != [code]


def test_a_part_that_is_pointed_at_shows_its_own_ribbons(opened: Page) -> None:
    page = opened
    page.locator(".circuit [data-code]").first.hover()
    expect(page.locator(".circuit .tooltip")).to_be_visible()
    assert 0 < page.locator(".circuit .ribbon.near").count() < page.locator(".circuit .ribbon").count()


def test_the_circuit_is_saved_and_nothing_is_wrong_in_the_console(opened: Page) -> None:
    circuit = opened.locator(".circuit")
    assert saved(circuit, "Picture (SVG)").suggested_filename == "circuit.svg"
    assert saved(circuit, "Numbers (CSV)").suggested_filename == "circuit.csv"
    assert saved(circuit, "Graph (JSON)").suggested_filename == "circuit.json"
    with np.load(saved(circuit, "Numbers (NPZ)").path()) as arrays:
        assert len(arrays.files) == 6


def test_a_typed_word_and_a_reader_s_name_are_in_picture_and_link(opened: Page, open_page: Callable[..., Page]) -> None:
    page = opened
    page.get_by_role("combobox", name="Rather than").fill("Katze")
    page.keyboard.press("Enter")
    expect(page.get_by_text("rather than “Katze”").first).to_be_visible()
    at_rest(page)
    page.get_by_role("textbox", name="Your name for this box").fill("reads the dog")
    page.keyboard.press("Enter")
    expect(page.locator(".circuit [aria-pressed=true]")).to_contain_text("reads the dog")
    at_rest(page)
    again = visit(open_page(), page.url)
    expect(again.locator(".circuit [aria-pressed=true]")).to_contain_text("reads the dog")
    expect(again.get_by_text("rather than “Katze”").first).to_be_visible()


def test_on_a_phone_the_circuit_moves_sideways_in_its_place(open_page: Callable[..., Page], app_url: str) -> None:
    page = visit(open_page(viewport={"width": 390, "height": 844}), f"{app_url}/why-this-word?text={SENTENCE}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".circuit .box").evaluate("box => box.scrollWidth > box.clientWidth")


def test_the_other_part_of_the_page_explains_the_same_word(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/why-this-word?text={SENTENCE}&step=3")
    for part in ("What it says directly", "The whole circuit"):
        page.get_by_text(part, exact=True).first.click()
        at_rest(page)
        assert parse_qs(urlsplit(page.url).query)["step"] == ["3"]
        expect(page.get_by_role("radio", name="3 ", checked=True)).to_have_count(1)


def test_a_pair_of_a_phenomenon_opens_the_circuit_of_its_word(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/why-this-word?part=phenomena&phenomenon=relative")
    button = page.get_by_role("button", name="The girl who lives here is tired.")
    expect(button).to_be_visible(timeout=90_000)
    at_rest(page)
    button.click()
    expect(page.locator(".circuit [data-code]").first).to_be_visible(timeout=90_000)
    expect(page.get_by_role("radio", name="4 das")).to_be_checked()
    assert "part" not in parse_qs(urlsplit(page.url).query)
