"""Train it yourself, in a real Chromium: models that learn while one looks on, and a process that is killed."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import psutil
from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest

# Under load a niced process gets a fraction of a core; on two quiet cores all of this takes some seconds.
PATIENCE = 180_000
STEP = re.compile(r"Step \d+ of [\d,]+, [\d.]+ s")


def trainers(app_url: str) -> Iterator[psutil.Process]:
    """Yield the trainings of the app at ``app_url``, which another process of the test run may have started."""
    port = str(urlsplit(app_url).port)
    for process in psutil.process_iter():
        try:
            is_alive = "model.training.zoo.live" in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE
            if is_alive and any(port in parent.cmdline() for parent in process.parents()):
                yield process
        except (psutil.NoSuchProcess, psutil.ZombieProcess):
            continue


def button(page: Page, name: str) -> None:
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name=name, exact=True).click()


def visit(page: Page, url: str) -> None:
    # Steps follow each other as they come in; with less motion only now and then.
    page.emulate_media(reduced_motion="no-preference")
    page.goto(url)
    expect(page.locator(".training-player output")).to_have_text("Step 400", timeout=90_000)


def test_two_layers_learn_induction_and_one_does_not_while_one_looks_on(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/train-yourself")
    button(page, "Train")
    slider, output = page.get_by_role("slider", name="Training step"), page.locator("output")
    expect(page.get_by_text(re.compile(r"Trained 400 steps in [\d.]+ s"))).to_be_visible(timeout=PATIENCE)
    picture = page.locator(".training-player .picture")
    expect(picture).to_have_attribute("aria-label", re.compile("1 layer: .*2 layers: "))
    found = re.search(r"1 layer: (\d\.\d+); 2 layers: (\d\.\d+)", picture.get_attribute("aria-label"))
    assert float(found[1]) < 0.5
    assert float(found[2]) >= 0.99
    expect(output).to_have_text("Step 400", timeout=PATIENCE)
    slider.press("Home")
    expect(output).to_have_text("Step 0")
    file = saved(page.locator(".training-player"), "Numbers of every step (Parquet)")
    assert file.suggested_filename == "training.parquet"
    assert page.errors == []


def test_a_run_rests_and_one_that_is_killed_is_told_of_and_the_page_lives(page: Page, app_url: str) -> None:
    # So many steps that it does not end before.
    visit(page, f"{app_url}/train-yourself?train-steps=3200")
    button(page, "Train")
    expect(page.get_by_text(STEP)).to_be_visible(timeout=PATIENCE)
    button(page, "Pause")
    expect(page.get_by_text(re.compile(r"Paused at step \d+"))).to_be_visible(timeout=PATIENCE)
    slider = page.get_by_role("slider", name="Training step")
    expect(slider).to_be_enabled(timeout=PATIENCE)
    slider.press("Home")
    expect(page.locator("output")).to_have_text("Step 0")
    button(page, "Go on")
    expect(slider).to_be_disabled(timeout=PATIENCE)
    busiest = max(trainers(app_url), key=lambda process: sum(process.cpu_times()[:2]))
    busiest.kill()
    expect(page.get_by_text("The training process ended unexpectedly")).to_be_visible(timeout=PATIENCE)
    button(page, "Train")
    expect(page.get_by_text("The training process ended unexpectedly")).to_be_hidden()
    expect(page.get_by_text(STEP)).to_be_visible(timeout=PATIENCE)
    assert busiest.pid not in {process.pid for process in trainers(app_url)}
    button(page, "Stop")
    at_rest(page)
    assert page.errors == []
