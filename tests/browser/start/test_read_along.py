"""What a reader does on the page Read along, in a real Chromium."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.waiting import at_rest
from viz.pages.start.reading_path import STOPS

NAMES = [stop.name for stop in STOPS]
TALLEST = 2000
PICTURES_IN_SIGHT = """() => [...document.querySelectorAll("svg.main-svg")].filter((svg) => {
  const box = svg.getBoundingClientRect();
  return box.width > 100 && box.height > 100 && box.top < innerHeight - 100;
}).length"""
HEIGHT = "document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight"
SIDEWAYS = "document.querySelector('[data-testid=stMain]').scrollWidth > innerWidth"
# Sooner than at rest, which would take minutes for all stops.
DRAWN = """() => {
  const isBusy = "[data-test-script-state=running], [data-stale=true], [data-testid=stSkeleton]";
  const picture = "[data-testid=stMain] :is(svg, table, canvas, img)";
  return document.querySelector(isBusy) === null && document.querySelector(picture) !== null;
}"""
BLOCKS = """() => [...document.querySelectorAll(".barlayer .point path")]
  .map((bar) => bar.getBoundingClientRect()).filter(({ width }) => width > 1)
  .map(({ left, top, bottom }) => [left, top, bottom])"""
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


def address(app_url: str, name: str) -> str:
    return f"{app_url}/read-along?stop={NAMES.index(name) + 1}"


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=2, name=STOPS[NAMES.index(name)].words["title"])).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["cross-attention", "label-smoothing", "beam-search", "four-terms"])
def test_a_stop_has_no_accessibility_fault(app_url: str, open_page: Callable[..., Page], name: str, theme: str) -> None:
    page = open_page(color_scheme=theme)
    page.goto(address(app_url, name))
    heading(page, name)
    assert accessibility_faults(page) == []


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_it_opens_on_a_picture(app_url: str, open_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = open_page(viewport={"width": size[0], "height": size[1]})
    page.goto(f"{app_url}/read-along?stop=1")
    heading(page, NAMES[0])
    at_rest(page)
    page.wait_for_function(PICTURES_IN_SIGHT)


def test_next_and_back_work_by_keyboard_and_a_stop_begins_at_its_top(app_url: str, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 500})
    page.goto(f"{app_url}/read-along?stop=1")
    heading(page, NAMES[0])
    at_rest(page)
    following = page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Next", exact=True)
    following.scroll_into_view_if_needed()
    following.focus()
    page.keyboard.press("Enter")
    heading(page, NAMES[1])
    page.wait_for_url(re.compile("stop=2"))
    page.wait_for_function(f"{SCROLLED} === 0")
    at_rest(page)
    page.keyboard.press("Enter")
    heading(page, NAMES[2])
    page.get_by_role("button", name="Back", exact=True).focus()
    page.keyboard.press("Enter")
    heading(page, NAMES[1])


def test_an_answer_is_checked_by_keyboard(app_url: str, page: Page) -> None:
    page.goto(address(app_url, "causal-mask"))
    page.get_by_label("Your answer").fill("28")
    page.get_by_label("Your answer").press("Enter")
    expect(page.get_by_text("Right. The first token has 7 hidden keys")).to_be_visible()


@pytest.mark.parametrize(("width", "fits"), [(360, f"!({SIDEWAYS})"), (1440, f"{HEIGHT} <= {TALLEST}")])
def test_every_stop_fits_a_phone_and_two_screens(
    app_url: str, open_page: Callable[..., Page], width: int, fits: str
) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    page.goto(f"{app_url}/read-along?stop=1")
    following = page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Next", exact=True)
    for name in NAMES:
        heading(page, name)
        page.wait_for_function(DRAWN)
        assert page.evaluate(fits), name
        if name != NAMES[-1]:
            following.click()


def test_the_blocks_of_the_stacks_stand_on_each_other(app_url: str, page: Page) -> None:
    page.goto(address(app_url, "stacks"))
    page.wait_for_function(f"({BLOCKS})().length === 15")
    at_rest(page)
    blocks = page.evaluate(BLOCKS)
    towers = {round(left) for left, _, _ in blocks}
    assert len(towers) == 2
    for tower in towers:
        own = sorted((top, bottom) for left, top, bottom in blocks if round(left) == tower)
        assert all(above[1] <= below[0] + 1 for above, below in pairwise(own)), own


def test_the_sheet_is_saved(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/read-along?stop=14")
    heading(page, "dropout")
    page.get_by_text("Exercise sheet").first.click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Exercise sheet (HTML)").click()
    assert saved.value.suggested_filename == "exercises.html"
    assert "28 of 64" in saved.value.path().read_text(encoding="utf-8")


def test_a_view_of_the_app_opens_from_a_stop_and_the_way_back_is_kept(app_url: str, page: Page) -> None:
    page.goto(address(app_url, "recurrence"))
    page.get_by_role("link", name="Segments and memory: a model reads").click()
    page.wait_for_url(re.compile("/segments"))
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "What does a memory of earlier segments give a Transformer?"
    )
    page.go_back()
    heading(page, "recurrence")


def test_the_verdict_stands_beside_the_answer_on_a_laptop(app_url: str, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{app_url}/read-along?stop=1")
    box = page.get_by_label("Your answer")
    for answer, verdict in ((12, "Not right"), (14, "Not right"), (15, "Right.")):
        box.fill(str(answer))
        page.get_by_role("button", name="Check").click()
        said = page.get_by_text(verdict)
        expect(said).to_be_in_viewport(ratio=1)
        expect(box).to_be_in_viewport(ratio=1)


def test_the_browser_keeps_what_was_answered_right_here_and_not_what_a_link_has(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/read-along?stop=1&done=2.3")
    expect(page.get_by_text("Answered right: 2 of")).to_be_visible()
    page.get_by_label("Your answer").fill("15")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Answered right: 3 of")).to_be_visible()
    at_rest(page)
    page.goto(f"{app_url}/read-along?stop=3")
    expect(page.get_by_text("Answered right: 1 of")).to_be_visible()
    page.wait_for_url(re.compile(r"done=1(&|$)"))
    at_rest(page)
    page.evaluate("localStorage.setItem('read-along-done', '1.999')")
    page.goto(f"{app_url}/read-along?stop=3")
    expect(page.get_by_text("Answered right: 1 of")).to_be_visible()
    at_rest(page)
    page.evaluate("localStorage.setItem('read-along-done', '999')")
    page.goto(f"{app_url}/read-along?stop=3")
    expect(page.get_by_text("Answered right: 0 of")).to_be_visible()
    at_rest(page)
    expect(page.get_by_text("Answered right: 0 of")).to_be_visible()
    assert page.errors == []
