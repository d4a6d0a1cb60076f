"""Train it yourself, in a real Chromium: models that learn while one looks on, and a process that is killed."""

import re
import time
from collections.abc import Iterator

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest

# Under load a niced process gets a fraction of a core; on two quiet cores all of this takes some seconds.
PATIENCE = 240_000
STEP = re.compile(r"Step (\d+) of 400, ([\d.]+) s")


def trainers() -> Iterator[psutil.Process]:
    for process in psutil.Process().children(recursive=True):
        try:
            if "model.training.zoo.live" in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE:
                yield process
        except psutil.NoSuchProcess:
            continue


def button(page: Page, name: str) -> None:
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name=name, exact=True).click()


def step_of(page: Page) -> int:
    return int(page.locator("output").inner_text().removeprefix("Step "))


def wait_for_step(page: Page, step: int) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while step_of(page) < step:
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)


@pytest.fixture
def opened(page: Page, app_url: str) -> Page:
    page.goto(f"{app_url}/train-yourself")
    expect(page.locator(".training-player output")).to_have_text("Step 400", timeout=90_000)
    return page


def test_two_layers_learn_induction_and_one_does_not_while_one_looks_on(opened: Page) -> None:
    page = opened
    button(page, "Train")
    expect(page.get_by_text(STEP)).to_be_visible(timeout=PATIENCE)
    wait_for_step(page, 40)
    slider = page.get_by_role("slider", name="Training step")
    expect(slider).to_be_disabled()
    button(page, "Pause")
    expect(page.get_by_text(re.compile(r"Paused at step \d+"))).to_be_visible()
    expect(slider).to_be_enabled()
    # While it rests, all steps so far are played back.
    slider.press("Home")
    expect(page.locator("output")).to_have_text("Step 0")
    slider.press("End")
    assert step_of(page) >= 40
    button(page, "Go on")
    wait_for_step(page, 160)
    button(page, "Stop")
    said = page.get_by_text(re.compile(r"Stopped at step \d+, after [\d.]+ s"))
    expect(said).to_be_visible()
    picture = page.locator(".training-player .picture")
    expect(picture).to_have_attribute("aria-label", re.compile("1 layer: .*2 layers: "))
    found = re.search(r"1 layer: (\d\.\d+); 2 layers: (\d\.\d+)", picture.get_attribute("aria-label"))
    assert float(found[1]) < 0.5
    assert float(found[2]) >= 0.99
    assert (
        saved(page.locator(".training-player"), "Numbers of every step (Parquet)").suggested_filename
        == "training.parquet"
    )
    assert page.errors == []


def test_a_trainer_that_is_killed_is_told_of_and_the_page_lives(opened: Page) -> None:
    page = opened
    button(page, "Train")
    expect(page.get_by_text(STEP)).to_be_visible(timeout=PATIENCE)
    busiest = max(trainers(), key=lambda process: sum(process.cpu_times()[:2]))
    busiest.kill()
    expect(page.get_by_text("The training process ended unexpectedly")).to_be_visible()
    button(page, "Train")
    expect(page.get_by_text("The training process ended unexpectedly")).to_be_hidden()
    expect(page.get_by_text(STEP)).to_be_visible(timeout=PATIENCE)
    assert busiest.pid not in {process.pid for process in trainers()}
    button(page, "Stop")
    at_rest(page)
    assert page.errors == []
