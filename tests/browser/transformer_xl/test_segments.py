"""What a visitor does on the page Transformer-XL, in a real Chromium, on tiny models."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from tests.browser.saving import saved

OPENS_ON = 9


def visit(page: Page, url: str, query: str = "") -> Page:
    page.goto(f"{url}/segments{query}")
    expect(page.locator(".stepper")).to_have_attribute("data-waiting", "false")
    expect(page.locator(".stepper .bits polyline")).to_have_count(3)
    return page


def at(page: Page, segment: int) -> None:
    stepper = page.locator(".stepper")
    expect(stepper).to_have_attribute("data-segment", str(segment))
    expect(stepper).to_have_attribute("data-waiting", "false")
    expect(page.locator(".stepper .where")).to_contain_text(f"Segment {segment} of")


def test_steps_go_on_in_the_browser_and_end_in_the_link(page: Page, xl_url: str) -> None:
    visit(page, xl_url)
    at(page, OPENS_ON)
    before = page.locator(".stepper .strip .segment").text_content()
    page.get_by_role("button", name="Next →").click()
    # Nothing is asked of Python for a segment that is there: the step is on the screen in the same moment.
    assert page.locator(".stepper").get_attribute("data-segment") == str(OPENS_ON + 1)
    assert page.locator(".stepper").get_attribute("data-waiting") == "false"
    at(page, OPENS_ON + 1)
    assert page.locator(".stepper .strip .segment").text_content() != before
    page.wait_for_url(re.compile(rf"segment={OPENS_ON + 1}\b"))
    assert page.errors == []


def test_the_keyboard_goes_to_the_last_segment_and_back(page: Page, xl_url: str) -> None:
    visit(page, xl_url, "?segment=50")
    at(page, 50)
    slider = page.get_by_role("slider", name="Segment", exact=True)
    slider.press("End")
    last = int(slider.get_attribute("max") or 0)
    at(page, last)
    expect(page.get_by_role("button", name="Next →")).to_be_disabled()
    slider.press("Home")
    at(page, 1)
    expect(page.get_by_role("button", name="← Previous")).to_be_disabled()


def test_a_character_says_what_it_costs(page: Page, xl_url: str) -> None:
    visit(page, xl_url)
    box = page.locator(".stepper .bits .box")
    box.hover(position={"x": 300, "y": 90})
    expect(page.locator(".stepper .tooltip")).to_contain_text(re.compile(r"With memory: \d+\.\d\d"))


def test_pictures_say_what_they_show_and_can_be_saved(page: Page, xl_url: str, tmp_path: Path) -> None:
    visit(page, xl_url)
    for name in ("bits", "flow"):
        figure = page.locator(f".stepper figure.{name}")
        assert len(figure.get_by_role("img").get_attribute("aria-label") or "") > 50
        saved(figure, "Picture (SVG)").save_as(tmp_path / "picture.svg")
        root = ElementTree.parse(tmp_path / "picture.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(list(root.iter())) > 20


def test_another_text_begins_anew(page: Page, xl_url: str) -> None:
    visit(page, xl_url, "?segment=50")
    page.get_by_text("The text that is read").click()
    field = page.get_by_label("Any text, up to 100,000 characters")
    field.fill("Natasha smiled at Pierre. " * 20)
    field.press("Control+Enter")
    at(page, OPENS_ON)
    expect(page.locator(".stepper .strip")).to_contain_text("Natasha smiled")


def test_a_phone_shows_all_of_it(xl_url: str, open_page: Callable[..., Page]) -> None:
    page = visit(open_page(viewport={"width": 390, "height": 844}), xl_url)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    wide = page.locator(".stepper").evaluate("(node) => node.scrollWidth - node.clientWidth")
    assert wide <= 0
