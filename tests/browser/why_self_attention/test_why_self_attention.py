"""What a visitor does on the page Why self-attention, in a real Chromium."""

import re

from playwright.sync_api import Page, expect


def test_a_measurement_shows_its_progress_and_can_be_stopped(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/why-self-attention?d=4096&k=31&r=1024")
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text(re.compile(r"[1-9]\d* of 24 layers measured"))).to_be_visible()
    # At once, because the measurement ends by itself after some seconds. Streamlit's header may have a Stop, too.
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(r"Stopped after \d+ of 24 layers"))).to_be_visible()
    expect(page.get_by_role("figure", name=re.compile("Measured milliseconds per layer"))).to_be_visible()
    expect(page.get_by_text(re.compile("Measured on .*1 thread"))).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_the_url_reopens_the_sizes(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/why-self-attention?n=1024&r=8")
    expect(page.get_by_text("n / r = 128")).to_be_visible()
    slider = page.get_by_role("slider", name="Tokens n")
    slider.focus()
    slider.press("ArrowRight")
    expect(page.get_by_text("n / r = 256")).to_be_visible()
    page.wait_for_url(re.compile("n=2048"))
