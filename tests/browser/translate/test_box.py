"""The box of lines as somebody types into it: by keys, by pasting, by an input method, and by a link instead."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.translate.translate_page import sentence, settled, tokens, visit, wait_for_url
from viz.base.words import page_text

LIST = "One dog sleeps.\nTwo cats sleep\n\nThree birds sing."
WHICH = page_text("shared/sentence")["which"].format(n=3)
ODD = (
    "A man \N{ZERO WIDTH JOINER}\N{RIGHT-TO-LEFT OVERRIDE} sleeps.\N{POP DIRECTIONAL FORMATTING}",
    "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL} A dog.\x01\x0b\x7f",
    "A\ue000\ufdd0\U0010ffff dog\u2028sleeps\x85here.",
    "A dog\r\nsleeps.\rA cat.",
    "A \ud83d dog.",
)


def paste(box: Locator, text: str) -> None:
    """Put ``text`` in the place of all that stands in ``box``, as one act that can be taken back."""
    box.select_text()
    box.page.keyboard.insert_text(text)


def view(page: Page) -> tuple[str, list[str], list[str]]:
    settled(page)
    expect(sentence(page)).not_to_have_value("")
    said = page.locator("[data-testid=stAlert], [data-testid=stCaptionContainer]").all_text_contents()
    return sentence(page).input_value(), tokens(page).all_text_contents(), said


def test_enter_translates_and_with_shift_it_breaks_the_line(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    box = sentence(page)
    height = box.bounding_box()["height"]
    paste(box, "A dog.")
    box.press("Shift+Enter")
    page.keyboard.type("A cat.")
    expect(box).to_have_value("A dog.\nA cat.")
    box.press("Enter")
    wait_for_url(page, text="A dog.\nA cat.")
    expect(box).to_have_value("A dog.\nA cat.")
    expect(box).to_be_focused()
    assert box.bounding_box()["height"] > height
    expect(page.get_by_label(WHICH.replace("3", "2"))).to_be_visible()
    for _ in range(2):
        page.keyboard.press("Control+z")
    assert box.input_value() != "A dog.\nA cat."
    page.keyboard.press("Escape")
    expect(box).to_be_focused()
    paste(box, "A dog.")
    assert box.bounding_box()["height"] == height
    assert accessibility_faults(page) == []
    assert page.errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_a_list_stays_one_pasted_or_linked(open_page: Callable[..., Page], app_url: str, width: int) -> None:
    page, other = (open_page(viewport={"width": width, "height": 844}) for _ in range(2))
    visit(page, f"{app_url}/translate")
    paste(sentence(page), LIST)
    wait_for_url(page, text=LIST)
    expect(page.get_by_label(WHICH)).to_be_visible()
    visit(other, f"{app_url}/translate?text={quote(LIST)}")
    assert view(page) == view(other)
    assert sentence(page).bounding_box()["height"] == sentence(other).bounding_box()["height"] > 80
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.errors == other.errors == []


@pytest.mark.parametrize("text", [*ODD, "The dog sleeps.\n" * 80], ids=[*map(ascii, ODD), "long"])
def test_any_text_gives_one_view(page: Page, open_page: Callable[..., Page], app_url: str, text: str) -> None:
    visit(page, f"{app_url}/translate")
    before = sentence(page).input_value()
    sentence(page).select_text()
    # As pasting does; by its keyboard the driver takes no half of a pair.
    code_points = [*map(ord, text)]
    page.evaluate("codes => document.execCommand('insertText', false, String.fromCodePoint(...codes))", code_points)
    expect(sentence(page)).not_to_have_value(before)
    sentence(page).press("Enter")
    page.wait_for_url("**text=*", wait_until="commit")
    linked = visit(open_page(), f"{app_url}/translate?text={quote(text, errors='surrogatepass')}")
    assert view(page) == view(linked)
    assert page.errors == linked.errors == []


def test_half_of_a_pair_does_not_end_the_visit(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    other = page.get_by_label("Compare with", exact=True)
    other.click()
    page.evaluate("document.execCommand('insertText', false, 'A \\ud83d dog.')")
    other.press("Enter")
    page.wait_for_url("**other=*", wait_until="commit")
    expect(other).to_have_value("A \N{REPLACEMENT CHARACTER} dog.")
    expect(page.locator(".comparison figcaption")).to_have_count(3)
    assert page.errors == []


def test_enter_belongs_to_what_an_input_method_has_under_way(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/translate")
    box = sentence(page)
    paste(box, "A dog.")
    box.press("Enter")
    wait_for_url(page, text="A dog.")
    box.press("End")
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": " Ye", "selectionStart": 3, "selectionEnd": 3})
    # As browsers tell of an Enter that chooses among what the method offers.
    was_taken = box.evaluate(
        """box => box.dispatchEvent(new KeyboardEvent("keydown",
            { key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true }))"""
    )
    assert was_taken
    page.wait_for_timeout(1_000)
    wait_for_url(page, text="A dog.")
    keyboard.send("Input.insertText", {"text": " Yes."})
    wait_for_url(page, text="A dog. Yes.")
    assert page.errors == []


def test_nobody_waits_long_after_the_end_of_a_sentence(open_page: Callable[..., Page], app_url: str) -> None:
    # A clock is that of a whole context.
    page = open_page(locale="en-GB")
    visit(page, f"{app_url}/translate")
    box = sentence(page)
    # The clock of the page stands, so that only the pause counts.
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    sent = "A dog"
    box.select_text()
    page.keyboard.type(sent)
    page.clock.run_for(300)
    assert "text=" not in page.url
    page.keyboard.type(".")
    page.clock.run_for(150)
    page.clock.resume()
    wait_for_url(page, text=f"{sent}.")
    assert page.errors == []
