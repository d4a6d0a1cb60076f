"""Patch activations, in a real Chromium without a network."""

from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.saving import saved
from tests.browser.waiting import at_rest, translations, visit_page

visit = partial(visit_page, shows="[data-code]")
SENTENCE = "The dog chases the cat."
CELL, NEXT = "encoder.1.residual.2", "encoder.1.residual.3"


@pytest.fixture
def opened(page: Page, app_url: str) -> Page:
    return visit(page, f"{app_url}/patch-activations?text={SENTENCE}&patch=Residual stream")


def chosen(page: Page) -> list[str]:
    cells = page.locator("[data-code][aria-pressed=true]")
    codes: list[str] = cells.evaluate_all("all => all.map((one) => one.dataset.code)")
    return codes


def test_a_click_or_a_key_chooses_a_cell_and_the_link_reopens_it(opened: Page, open_page: Callable[..., Page]) -> None:
    page = opened
    page.locator(f'[data-code="{NEXT}"]').click()
    at_rest(page)
    assert chosen(page) == [NEXT]
    clean, corrupted, patched = translations(page)
    assert patched == corrupted != clean
    assert parse_qs(urlsplit(page.url).query)["cell"] == [NEXT]
    assert chosen(visit(open_page(), page.url)) == [NEXT]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    at_rest(page)
    assert chosen(page) == [CELL]
    assert translations(page)[2] != corrupted


def test_a_cell_after_the_step_cannot_be_chosen(opened: Page) -> None:
    page = opened
    before = chosen(page)
    page.locator("[data-code][aria-disabled=true]").last.click(force=True)
    at_rest(page)
    assert chosen(page) == before


def test_the_picture_is_saved_and_nothing_is_wrong_in_the_console(opened: Page) -> None:
    assert saved(opened.locator(".head-grid"), "Picture (SVG)").suggested_filename == "patching.svg"
    assert saved(opened.locator(".head-grid"), "Numbers (CSV)").suggested_filename == "patching.csv"
    with np.load(saved(opened.locator(".head-grid"), "Numbers (NPZ)").path()) as arrays:
        assert len({arrays[name].size for name in arrays}) == 1
    assert opened.errors == []
