"""What a student does in a lab, in a real Chromium: to a page and back, an answer, and what is saved."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import at_rest
from viz.pages.start.course.lab import labs

SIDEWAYS = "document.querySelector('[data-testid=stMain]').scrollWidth > innerWidth"


def open_step(app_url: str, page: Page, lab: int, step: int) -> None:
    page.goto(f"{app_url}/read-along?part=labs&lab={labs()[lab].id}&lab-step={step}")
    expect(page.get_by_role("heading", level=2).first).to_have_text(labs()[lab].steps[step - 1].words["title"])


def test_a_link_opens_its_page_and_the_way_back_keeps_the_step_and_its_answer(app_url: str, page: Page) -> None:
    open_step(app_url, page, 0, 2)
    page.get_by_label("Your answer").fill("3")
    page.get_by_label("Your answer").press("Enter")
    expect(page.get_by_text("Right. The products of the numbers")).to_be_visible()
    page.get_by_role("link", name="Open: small matrices").click()
    page.wait_for_url(re.compile("/dot-product"))
    expect(page.get_by_text("Not scaled.")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=2).first).to_have_text("Queries, keys and scores")
    expect(page.get_by_text("Answered right: 1 of 20")).to_be_visible()
    assert "labs-done=2" in page.url


def test_the_sheet_of_the_open_lab_is_saved_without_answers(app_url: str, page: Page) -> None:
    open_step(app_url, page, 3, 3)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Exercise sheet (HTML)").click()
    assert saved.value.suggested_filename == "circuit.html"
    sheet = saved.value.path().read_text(encoding="utf-8")
    assert "Which head alone brings back most" in sheet
    assert "of the whole." not in sheet


@pytest.mark.parametrize("width", [360, 1440])
def test_no_step_is_wider_than_its_screen(app_url: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_step(app_url, page, 0, 9)
    at_rest(page)
    assert not page.evaluate(SIDEWAYS)
