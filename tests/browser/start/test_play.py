"""Start's picture as a whole: it plays, goes by steps, keeps still where that is asked for, and has its place."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from model.decoding.translator import Translator
from tests.browser.start.conftest import VIEW, part
from viz.base.words import page_text
from viz.pages.start.study.architecture import passage

WORDS = page_text("pages/start/architecture")
EXAMPLE = page_text("pages/start/start")["opening sentence"]


def test_nothing_moves_where_less_motion_is_asked_for(start: Callable[..., Page]) -> None:
    page = start()
    stage = page.locator(f"{VIEW} .stage")
    expect(page.get_by_role("button", name=WORDS["play"])).to_be_hidden()
    expect(page.locator(f"{VIEW} .speed")).to_be_hidden()
    part(page, "cross").locator(".title").click()
    assert stage.evaluate("node => node.getAnimations({ subtree: true }).length") == 0
    page.keyboard.press("Escape")
    page.get_by_role("button", name=WORDS["step"], exact=True).click()
    expect(page.locator(VIEW)).to_have_attribute("data-block", "source")
    assert stage.evaluate("node => node.getAnimations({ subtree: true }).length") == 0
    assert page.locator(f"{VIEW} .pulse").count() == 0


def test_steps_follow_the_order_of_computation(start: Callable[..., Page]) -> None:
    page = start()
    blocks = []
    page.locator(f"{VIEW} .lines").hover()
    for _ in range(14):
        page.keyboard.press(" ")
        blocks.append(page.locator(VIEW).get_attribute("data-block"))
    decoder = ["read", "decoder", "cross", "decoder feed forward", "output"]
    assert blocks == ["source", "encoder", "encoder feed forward", "memory", *decoder, *decoder]
    assert page.locator(f"{VIEW} button.token:visible").count() == 2


def test_the_play_moves_and_comes_to_rest_on_a_content_word(start: Callable[..., Page], translator: Translator) -> None:
    page, shown = start(reduced_motion="no-preference"), passage(translator, translator.translate(EXAMPLE))
    page.get_by_role("button", name=WORDS["play"]).click()
    expect(page.locator(f"{VIEW} .pulse").first).to_be_attached()
    expect(page.locator(VIEW)).to_have_attribute("data-block", "")
    assert page.locator(f"{VIEW} button.token.here").text_content() == shown.written[shown.resting_step].label


def test_the_play_has_a_speed_that_stays(start: Callable[..., Page]) -> None:
    page = start(reduced_motion="no-preference")
    expect(page.locator(VIEW)).to_have_attribute("data-block", "")
    # A dot may have ended its way before it is asked about.
    page.evaluate(
        """() => {
            const { animate } = Element.prototype;
            Element.prototype.animate = function (frames, timing) {
                window.durationOfLast = timing.duration ?? timing;
                return animate.call(this, frames, timing);
            };
        }"""
    )
    speed = page.locator(f"{VIEW} .speed")
    durations = {}
    for _ in range(3):
        name = speed.text_content() or ""
        expect(speed).to_have_accessible_name(WORDS["speed"].format(speed=name))
        page.get_by_role("button", name=WORDS["step"], exact=True).click()
        page.get_by_role("button", name=WORDS["step"], exact=True).click()
        durations[name] = page.evaluate("durationOfLast")
        speed.click()
    assert durations["2×"] == durations["1×"] / 2
    assert durations["½×"] == durations["1×"] * 2
    speed.click()
    page.get_by_role("textbox").first.fill("He reads a book.")
    expect(page.locator(f"{VIEW} .line span.token", has_text="book")).to_be_visible()
    expect(speed).to_have_text("2×")


@pytest.mark.parametrize("width", [1024, 1440])
def test_the_picture_stays_whole(start: Callable[..., Page], width: int) -> None:
    page = start(viewport={"width": width, "height": 768})
    names = ("read", "decoder", "cross", "decoder feed forward", "output")
    boxes = [part(page, name).bounding_box() for name in names]
    assert all(left and right and left["x"] + left["width"] <= right["x"] for left, right in pairwise(boxes))
