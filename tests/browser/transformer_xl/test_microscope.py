"""The memory microscope and the writing on, in a real Chromium, on a tiny model."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.waiting import at_rest

PLACE = 40 * 16 + 6


def opened(page: Page, url: str, **link: str) -> Locator:
    query = "&".join(f"{key}={value}" for key, value in link.items())
    page.goto(f"{url}/microscope?xl-place={PLACE}&xl-becomes=x&{query}")
    expect(page.get_by_text("How it is measured", exact=True)).to_be_attached()
    text = page.locator(".memory-text .text")
    expect(text.locator(".place")).to_have_count(1)
    at_rest(page)
    return text


def stop_button(page: Page) -> Locator:
    # While a script runs for long, Streamlit's header has a button of the same name.
    return page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop", exact=True)


def stop_while_it_writes(page: Page) -> None:
    """Press Stop until it has stopped.

    A busy machine can lose one press, with the page's connection or with the button, drawn again in between; where
    the writing ended with the connection, have it go on before.
    """
    go_on = page.get_by_role("button", name="Go on", exact=True)
    for _ in range(5):
        try:
            stop_button(page).click(timeout=8_000)
            expect(go_on).to_be_enabled(timeout=8_000)
        except TimeoutError:
            go_on.click()
        except AssertionError:
            continue
        else:
            return
    raise AssertionError("it went on after five presses of Stop, or never wrote for long enough to press it")


def number(page: Page, name: str) -> Locator:
    return page.get_by_role("spinbutton", name=name)


def test_a_click_looks_from_a_character_and_with_shift_changes_one(xl_url: str, page: Page) -> None:
    text = opened(page, xl_url)
    spans = text.locator("span")
    first = PLACE - spans.evaluate_all("all => all.findIndex((one) => one.classList.contains('place'))")
    spans.nth(60).click(modifiers=["Shift"])
    expect(number(page, "Character to change")).to_have_value(str(first + 60))
    expect(spans.nth(60)).to_have_class("memory source" if first + 60 > PLACE - 32 else "source")
    spans.nth(100).click()
    expect(number(page, "Attention from character")).to_have_value(str(first + 100))
    expect(page).to_have_url(re.compile(f"xl-place={first + 100}"))
    assert not page.errors


def test_a_text_that_is_scrolled_stays_where_it_is_clicked(xl_url: str, page: Page) -> None:
    text = opened(page, xl_url)
    spans = text.locator("span")
    first = PLACE - spans.evaluate_all("all => all.findIndex((one) => one.classList.contains('place'))")
    # The character that is looked from is out of sight.
    text.evaluate("box => { box.style.height = '4rem'; box.scrollTop = 0; }")
    spans.first.click()
    expect(number(page, "Attention from character")).to_have_value(str(first))


def test_what_comes_later_cannot_be_changed(xl_url: str, page: Page) -> None:
    text = opened(page, xl_url)
    before = number(page, "Character to change").input_value()
    text.locator("span").last.click(modifiers=["Shift"])
    at_rest(page)
    expect(number(page, "Character to change")).to_have_value(before)


def test_the_keyboard_goes_through_the_text_and_chooses(xl_url: str, page: Page) -> None:
    text = opened(page, xl_url)
    text.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".memory-text [aria-live]")).to_contain_text(f"number {PLACE - 3}, 3 back")
    page.keyboard.press("Shift+Enter")
    expect(number(page, "Character to change")).to_have_value(str(PLACE - 3))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(number(page, "Attention from character")).to_have_value(str(PLACE - 4))


def test_a_head_under_the_pointer_is_shown_and_a_click_keeps_it_in_the_link(xl_url: str, page: Page) -> None:
    opened(page, xl_url)
    mosaic = page.locator(".mosaic")
    mosaic.scroll_into_view_if_needed()
    box = mosaic.bounding_box()
    assert box
    mosaic.hover(position={"x": box["width"] * 0.8, "y": box["height"] * 0.8})
    expect(page.get_by_text("Where layer 3, head 2 looks")).to_be_visible()
    mosaic.click(position={"x": box["width"] * 0.8, "y": box["height"] * 0.8})
    expect(page).to_have_url(re.compile("xl-head=3.2"))
    page.mouse.move(0, 0)
    expect(page.get_by_text("Where layer 3, head 2 looks")).to_be_visible()


def test_it_writes_until_it_is_stopped(xl_url: str, page: Page) -> None:
    page.goto(f"{xl_url}/generation")
    page.get_by_role("button", name="Go on", exact=True).click()
    said = page.get_by_text("characters written")
    stop = stop_button(page)
    expect(stop).to_be_enabled()
    first = said.inner_text()
    expect(said).not_to_have_text(first)
    stop_while_it_writes(page)
    at_rest(page)
    last = said.inner_text()
    at_rest(page)
    assert said.inner_text() == last
    assert not page.errors


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_a_phone_needs_no_sideways(
    scheme: str, xl_url: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    opened(page, xl_url, **{"xl-changed": str(PLACE - 40)})
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert accessibility_faults(page) == []
    page.goto(f"{xl_url}/generation")
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.get_by_text("characters written")).to_be_visible()
    stop_while_it_writes(page)
    at_rest(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert accessibility_faults(page) == []
