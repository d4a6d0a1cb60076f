"""As it learned, in a real Chromium without a network."""

import re

from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest


def test_the_slider_goes_through_the_steps_with_maps_and_translations(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/as-it-learned")
    output, note = page.locator(".training-player output"), page.locator(".training-player .note")
    expect(output).to_have_text(re.compile(r"Step [\d,]+"), timeout=90_000)
    at_rest(page)
    slider = page.get_by_role("slider", name="Training step")
    at_end, translation = canvas(page), note.text_content()
    slider.press("Home")
    expect(output).to_have_text("Step 50")
    expect(note).not_to_have_text(translation)
    at_rest(page)
    assert canvas(page) != at_end
    expect(page).to_have_url(re.compile("step=50$"))
    # The second cell of the first row of the first map.
    box = page.locator(".training-player .picture").bounding_box()
    page.locator(".training-player .picture").hover(position={"x": min(box["width"] * 0.3, 370), "y": 60})
    expect(page.locator(".training-player .tooltip")).to_contain_text("looks at")
    assert saved(page.locator(".training-player"), "Picture (SVG)").suggested_filename == "as-it-learned.svg"
    assert page.errors == []


def canvas(page: Page) -> str:
    return page.locator(".training-player canvas").evaluate("canvas => canvas.toDataURL()")
