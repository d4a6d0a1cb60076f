"""The attention explorer by keyboard, screen reader and phone, and with hostile tokens."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.translate import explorer_app as given
from tests.browser.translate.explorer_page import (
    KINDS,
    NEAR,
    cells,
    show,
    shown_rows,
    tap_cell,
    tile,
    visit,
    wait_for_address,
)
from tests.browser.waiting import at_rest
from viz.base.words import page_text

TEXT = page_text("components/attention_explorer")


def test_everything_is_done_by_keyboard(page: Page, explorer_url: str) -> None:
    visit(page, explorer_url, kind="cross")
    tile(page, 1, 1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(tile(page, 2, 2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(tile(page, 2, 2)).to_have_attribute("aria-pressed", "true")
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name="Head 2 of every layer")).to_be_focused()
    while not cells(page).evaluate("cells => cells === cells.getRootNode().activeElement"):
        page.keyboard.press("Tab")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    weights = KINDS["cross"].weights[1, 1]
    expect(page.locator("[aria-live]")).to_have_text(
        re.compile(rf"hat.*The.*: {np.rint(weights[2, 1] * 255) / 255:.3f}")
    )
    wait_for_address(page, "pins=3.2")
    expect(cells(page)).to_be_focused()
    page.keyboard.press(" ")
    wait_for_address(page, "pins=3.2-3")
    page.keyboard.press("Escape")
    expect(page.locator(".views > .matrix .pin")).to_have_count(0)


@pytest.mark.parametrize("order", ["layer", "entropy"])
def test_a_head_of_a_large_recording_keeps_the_focus_when_it_comes(page: Page, explorer_url: str, order: str) -> None:
    visit(page, explorer_url, case="large", kind="encoder")
    # Its measures come when they are asked for, and order the heads then.
    page.get_by_role("combobox", name="Order").select_option(order)
    expect(page.locator(".mosaic-box.sorted")).to_have_count(int(order != "layer"))
    reduced = page.locator(".row-view.reduced")
    expect(reduced).to_have_count(0)
    chosen = page.locator(".tile[aria-pressed=false]").nth(2)
    name = chosen.get_attribute("aria-label")
    assert name
    chosen.focus()
    page.keyboard.press("Enter")
    expect(reduced).to_have_count(0)
    expect(page.get_by_role("button", name=name, exact=True)).to_be_focused()


def test_a_table_tells_the_strongest_weights(page: Page) -> None:
    show(page, kind="encoder", heads="1.1")
    page.get_by_text("As a table").click()
    lines = page.locator(".table tbody tr")
    row = KINDS["encoder"].weights[0, 0][1]
    expect(lines.nth(1).locator("th")).to_have_text("The")
    key, weight = KINDS["encoder"].keys.labels[row.argmax()], np.rint(row.max() * 255) / 255
    expect(lines.nth(1).locator("td")).to_have_text(re.compile(rf"^\W*{re.escape(key)}\W* {weight:.3f};"))


@pytest.mark.parametrize("grain", ["pieces", "words"])
def test_no_token_is_ever_more_than_text(page: Page, grain: str) -> None:
    show(page, case="hostile", by=grain)
    shown = [label or "(empty)" for label in given.HOSTILE]
    expect(page.locator(".left .label:not(.here)")).to_have_text(shown)
    expect(page.locator(".queries .label:not(.here)")).to_have_text(shown)
    expect(page.locator(".bars tbody th")).to_have_text(shown)
    page.get_by_text("As a table").click()
    expect(page.locator(".table tbody th")).to_have_text(shown)
    shown_rows(page, len(shown))
    at_rest(page)
    assert page.evaluate("window.ran") is None
    assert page.errors == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "view",
    [
        {},
        {"kind": "all", "heads": "1.1-2.2", "pins": "3.3-5", "sort": "entropy"},
        {"compare": "heads", "heads": "1.1-1.2"},
    ],
)
def test_axe_finds_no_fault(open_page: Callable[..., Page], theme: str, view: dict[str, str]) -> None:
    page = show(open_page(color_scheme=theme), theme=theme, **view)
    page.get_by_text("As a table").click()
    assert accessibility_faults(page, "[data-testid=stBidiComponentIsolated]") == []


@pytest.mark.parametrize(
    ("place", "mark", "property", "values"),
    [
        (".of-layer", ".bar", "--share", ("0.1", "0.9")),
        (".of-head", ".bar", "--share", ("0.1", "0.9")),
        (".alternatives li", ".strip", "--share", ("0.1", "0.9")),
        (".bars tbody tr", "td", "--share", ("0.1", "0.9")),
        (".legend", ".sign", "background", ("red", "blue")),
    ],
)
def test_what_is_drawn_by_a_background_is_there_in_a_theme_of_high_contrast(
    open_page: Callable[..., Page], place: str, mark: str, property: str, values: tuple[str, str]
) -> None:
    page = show(open_page(forced_colors="active"), kind="cross", heads="1.1-1.2", step="3")
    box = page.locator(place).first
    pictures = set()
    for value in values:
        change = "(node, [name, value]) => node.style.setProperty(name, value)"
        box.locator(mark).first.evaluate(change, [property, value])
        pictures.add(box.screenshot())
    assert len(pictures) == len(values)


def test_a_chosen_head_is_told_from_others_in_a_theme_of_high_contrast(open_page: Callable[..., Page]) -> None:
    page = show(open_page(forced_colors="active"))
    chosen = tile(page, 1, 1)
    picture = chosen.screenshot()
    chosen.evaluate("tile => tile.setAttribute('aria-pressed', false)")
    assert chosen.screenshot() != picture


@pytest.mark.parametrize("view", [{}, {"kind": "all"}, {"case": "hostile"}, {"compare": "heads", "heads": "1.1-1.2"}])
def test_a_phone_scrolls_down_only(open_page: Callable[..., Page], explorer_url: str, view: dict[str, str]) -> None:
    page = visit(open_page(viewport={"width": 390, "height": 844}, has_touch=True), explorer_url, **view)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
    # A comparison opens them by itself.
    if not page.get_by_role("slider", name="Hide below").is_visible():
        page.get_by_role("button", name="More").tap()
    expect(page.get_by_role("slider", name="Hide below")).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")


@pytest.mark.parametrize("view", [{"kind": "all"}, {"case": "hostile"}, {"compare": "heads", "heads": "1.1-1.2"}])
def test_a_phone_cuts_no_words_with_numbers(open_page: Callable[..., Page], view: dict[str, str]) -> None:
    page = show(open_page(viewport={"width": 390, "height": 844}, has_touch=True), **view)
    page.locator(".cells:visible").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(page.locator(".readout:visible")).to_have_text(re.compile(r"\d\.\d{3}"))
    for words in page.locator(".readout:visible, figcaption:visible").all():
        assert words.evaluate("words => words.scrollWidth <= words.clientWidth"), words.inner_text()


@pytest.mark.parametrize("step", [{}, {"step": "6"}])
def test_a_tap_answers_for_the_cell_under_the_finger(open_page: Callable[..., Page], step: dict[str, str]) -> None:
    page = show(open_page(viewport={"width": 390, "height": 844}, has_touch=True), kind="cross", heads="1.1", **step)
    readout, weights = page.locator(".views > .matrix .readout"), KINDS["cross"].weights[0, 0]
    # After a movement over another row, such as one that scrolls.
    cells(page).dispatch_event("pointermove", {"clientX": 200, "clientY": 0, "pointerType": "touch"})
    page.locator(".views > .matrix .grid").dispatch_event("pointerleave")
    for row, column in ((3, 2), (1, 4), (3, 0)):
        tap_cell(page, row, column, weights.shape)
        query, key = (f"\u2068{label}\u2069" for label in (given.WRITTEN[row], given.SENTENCE[column]))
        expect(readout).to_contain_text(TEXT["cell"].format(query=query, key=key, weight=""))
        # Three decimals of what a byte can be off by.
        assert float(readout.inner_text().split(": ")[1]) == pytest.approx(weights[row, column], abs=NEAR + 0.0005)
    if step:
        page.get_by_role("slider", name="Written", exact=True).fill("1")
        expect(readout).to_contain_text(f"\u2068{given.WRITTEN[1]}\u2069")


def test_a_long_press_adds_a_head(open_page: Callable[..., Page]) -> None:
    page = show(open_page(viewport={"width": 390, "height": 844}, has_touch=True))
    press = """async tile => {
      const touch = { bubbles: true, pointerType: "touch" };
      tile.dispatchEvent(new PointerEvent("pointerdown", touch));
      await new Promise((resolve) => setTimeout(resolve, 700));
      tile.dispatchEvent(new PointerEvent("pointerup", touch));
      tile.click();
    }"""
    tile(page, 2, 2).evaluate(press)
    expect(page.locator(".tile[aria-pressed=true]")).to_have_count(2)
