"""Train, in a real Chromium without a network."""

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.browser.saving import CATCH_PRINT, choose, saved
from tests.browser.waiting import at_rest
from viz.base.words import page_text
from viz.pages.training.study.shipped import shipped_recordings
from viz.pages.training.train import opening_step

TEXT = page_text("pages/training/train")
RUNS = shipped_recordings()
STEPS = RUNS[-1].steps.tolist()


@pytest.fixture
def opened(page: Page, app_url: str) -> Page:
    return visit(page, f"{app_url}/train")


def visit(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.locator(".training-player output")).to_have_text(re.compile(r"Step \d+"), timeout=90_000)
    at_rest(page)
    return page


def one_of(steps: Sequence[int]) -> re.Pattern[str]:
    """Return what matches the player's text at any of ``steps``."""
    return re.compile(f"^Step ({'|'.join(map(str, steps))})$")


def pixels(page: Page) -> str:
    return page.locator(".training-player canvas").evaluate("canvas => canvas.toDataURL()")


def test_the_slider_plays_back_every_step_and_the_link_reopens_the_one_chosen(
    opened: Page, open_page: Callable[..., Page]
) -> None:
    page, (first, second, *_) = opened, STEPS
    before = pixels(page)
    page.get_by_role("slider", name="Training step").press("Home")
    expect(page.locator("output")).to_have_text(f"Step {first}")
    page.get_by_role("slider", name="Training step").press("ArrowRight")
    expect(page.locator("output")).to_have_text(f"Step {second}")
    at_rest(page)
    assert pixels(page) != before
    expect(page).to_have_url(re.compile(f"step={second}$"))
    again = visit(open_page(), page.url)
    expect(again.locator("output")).to_have_text(f"Step {second}")
    assert page.errors == []


def test_a_click_on_a_curve_goes_to_that_step(opened: Page) -> None:
    box = opened.locator(".training-player .picture")
    # The right end of the first plot.
    opened.locator(".training-player .picture").click(position={"x": box.bounding_box()["width"] / 3 - 34, "y": 80})
    expect(opened.locator("output")).to_have_text(one_of(STEPS[-3:]))


def test_play_moves_on_until_it_is_paused(opened: Page) -> None:
    opened.get_by_role("slider", name="Training step").press("Home")
    opened.get_by_role("button", name="Play").click()
    expect(opened.locator("output")).to_have_text(one_of(STEPS[3:]))
    opened.get_by_role("button", name="Pause").click()
    at_rest(opened)
    expect(opened.get_by_role("button", name="Play")).to_be_visible()


def test_play_begins_at_step_0_until_the_reader_has_moved_the_slider(
    opened: Page, open_page: Callable[..., Page], app_url: str
) -> None:
    place = STEPS.index(opening_step("layers", RUNS))
    expect(opened.locator("output")).to_have_text(f"Step {STEPS[place]}")
    opened.get_by_role("button", name="Play").click()
    expect(opened.locator("output")).to_have_text(one_of(STEPS[:place]))
    opened.get_by_role("button", name="Pause").click()
    moved = visit(open_page(), f"{app_url}/train")
    moved.get_by_role("slider", name="Training step").press("ArrowRight")
    expect(moved.locator("output")).to_have_text(f"Step {STEPS[place + 1]}")
    moved.get_by_role("button", name="Play").click()
    expect(moved.locator("output")).to_have_text(one_of(STEPS[place + 2 :]))


def test_pointing_at_a_cell_tells_its_weight_and_the_picture_is_saved(opened: Page) -> None:
    opened.locator(".training-player .picture").hover(position={"x": 28, "y": 225})
    expect(opened.locator(".training-player .tooltip")).to_contain_text("<bos> looks at <bos>")
    player = opened.locator(".training-player")
    assert saved(player, "Picture (SVG)").suggested_filename == "training.svg"
    assert saved(player, "Moving picture of the maps (GIF)").path().read_bytes().startswith(b"GIF89a")
    assert saved(player, "Configurations and weights").suggested_filename == "models.zip"
    opened.evaluate(CATCH_PRINT)
    choose(player, "Print, or save as PDF")
    opened.wait_for_function("window.printed")
    assert "Layer 2, head 2" in opened.evaluate("window.printed")
    assert opened.errors == []


def test_a_question_brings_its_runs_whose_learned_curves_and_similarities_can_be_pointed_at(opened: Page) -> None:
    opened.get_by_role("radio", name=TEXT["question positions"]).click()
    picture, tooltip = opened.locator(".training-player .picture"), opened.locator(".training-player .tooltip")
    expect(opened.get_by_text("each with another kind of learned positions")).to_be_visible()
    expect(picture).to_have_attribute("aria-label", re.compile("KERPLE"))
    at_rest(opened)
    # Three runs side by side, of two heads: the curve under the second run's first map; the map under the first run.
    room = (picture.bounding_box()["width"] - 72) / 3
    side = (room - 34) / 2
    picture.hover(position={"x": room + 70, "y": 250 + side + 60})
    expect(tooltip).to_contain_text("back: its score gets")
    picture.hover(position={"x": 27, "y": 222 + 2 * (side + 84) + 3})
    expect(tooltip).to_contain_text("Positions 0 and 0: cosine 1.00")
    opened.get_by_role("slider", name="Training step").press("Home")
    expect(opened).to_have_url(re.compile("question=.*positions-step=0$"))
    assert opened.errors == []
