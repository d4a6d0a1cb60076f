"""What a visitor does on the Translate page, in a real Chromium."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

ATTACK = "</script><script>alert(1)</script>"
OPENED = 60_000


def visit(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.locator(".line-token").first).to_be_visible(timeout=OPENED)
    expect(mosaic(page).locator(".heatmaplayer image").first).to_be_attached(timeout=OPENED)
    return settled(page)


def settled(page: Page) -> Page:
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    return page


def type_sentence(page: Page, text: str) -> None:
    box = page.get_by_label("English sentence")
    box.fill(text)
    box.press("Enter")


def choose(page: Page, group: str, option: str) -> None:
    page.locator(f".st-key-{group}").get_by_text(option, exact=True).click()


def heatmap(page: Page, alt: str) -> Locator:
    return page.get_by_label(re.compile(f"Heatmap of {alt}"))


def matrix(page: Page) -> Locator:
    return page.locator(".st-key-matrix")


def mosaic(page: Page) -> Locator:
    # While a rerun is under way, Streamlit keeps the chart before beside the new one.
    return page.locator(".st-key-mosaic[data-stale='false']")


def row_labels(page: Page) -> list[str]:
    return matrix(page).locator(".ytick text").all_text_contents()


def tokens(page: Page) -> str:
    return page.locator(".token-line").inner_text()


def in_url(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_sentence_is_typed_explored_and_shared(page: Page, open_page: Callable[..., Page], app_url: str) -> None:
    visit(page, app_url)
    before = tokens(page)
    type_sentence(page, "I love to play football.")
    expect(page.locator(".token-line")).not_to_have_text(before)
    choose(page, "kind", "Encoder")
    choose(page, "layer", "1")
    choose(page, "head", "2")
    expect(heatmap(page, "Encoder attention, layer 1, head 2:")).to_be_visible()
    choose(page, "by", "Words")
    expect(matrix(page).locator(".ytick text").filter(has_text="football")).to_be_visible()
    settled(page)

    again = visit(open_page(), page.url)
    expect(heatmap(again, "Encoder attention, layer 1, head 2:")).to_be_visible()
    assert again.get_by_label("English sentence").input_value() == "I love to play football."
    assert tokens(again) == tokens(page)
    assert row_labels(again) == row_labels(page)
    assert page.errors == again.errors == []


def click_tile(page: Page, layer: int, head: int, across: float, down: float) -> None:
    mosaic(page).scroll_into_view_if_needed()
    tiles = mosaic(page).locator(".heatmaplayer image").bounding_box()
    alt = mosaic(page).get_by_label("Overview").get_attribute("aria-label")
    n_layers, n_heads = (int(count) for count in re.search(r"(\d+) layers by (\d+) heads", alt).groups())
    x = tiles["x"] + (head - 1 + across) * tiles["width"] / n_heads
    y = tiles["y"] + (layer - 1 + down) * tiles["height"] / n_layers
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    expect(heatmap(page, f"Cross attention, layer {layer}, head {head}:")).to_be_visible()
    settled(page)


def test_a_click_anywhere_in_a_tile_opens_its_head(page: Page, app_url: str) -> None:
    visit(page, app_url)
    click_tile(page, 1, 1, 0.15, 0.2)
    click_tile(page, 2, 2, 0.8, 0.8)
    click_tile(page, 1, 1, 0.5, 0.5)
    click_tile(page, 1, 1, 0.4, 0.5)
    choose(page, "head", "3")
    expect(heatmap(page, "Cross attention, layer 1, head 3:")).to_be_visible()
    click_tile(page, 1, 1, 0.5, 0.5)
    assert in_url(page) == {"layer": ["1"], "head": ["1"]}
    assert page.errors == []


def test_heads_are_stepped_through_by_keyboard(page: Page, app_url: str) -> None:
    visit(page, app_url)
    page.keyboard.press("Alt+ArrowRight")
    expect(heatmap(page, "Cross attention, layer \\d+, head 1:")).to_be_visible()
    page.get_by_role("button", name="Previous head").focus()
    page.keyboard.press("Enter")
    expect(heatmap(page, "Cross attention, layer \\d+, mean of")).to_be_visible()


def test_markup_stays_text(page: Page, app_url: str) -> None:
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visit(page, app_url)
    type_sentence(page, f"{ATTACK} <b>bold</b> &amp; <img src=x onerror=alert(2)>")
    choose(page, "kind", "Encoder")
    expect(matrix(page).locator(".ytick text").filter(has_text="·pt").first).to_be_visible()
    written = "".join(label.lstrip("·") for label in row_labels(page))
    assert "</script><script>alert(1)</script>" in written
    assert "&amp;" in written
    assert dialogs == []
    assert page.errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_alternatives_open_by_focus_and_stay_on_the_screen(
    open_page: Callable[..., Page], app_url: str, width: int
) -> None:
    page = visit(open_page(viewport={"width": width, "height": 844}), app_url)
    for token in (page.locator(".line-token").first, page.locator(".line-token").last):
        token.focus()
        alternatives = token.locator(".alternatives")
        expect(alternatives).to_be_visible()
        box = alternatives.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_a_mistake_keeps_the_last_good_result(page: Page, app_url: str) -> None:
    visit(page, app_url)
    type_sentence(page, "I love to play football.")
    expect(page).to_have_url(re.compile("football"))
    expect(matrix(page).locator(".xtick text").filter(has_text="foot").first).to_be_visible()
    good = tokens(page)
    type_sentence(page, "")
    expect(page.get_by_role("alert")).to_contain_text("nothing to translate")
    assert tokens(page) == good
    assert page.errors == []


def test_the_view_survives_a_visit_to_the_other_page(page: Page, app_url: str) -> None:
    visit(page, app_url)
    choose(page, "kind", "Decoder")
    expect(heatmap(page, "Decoder attention")).to_be_visible()
    page.get_by_role("link", name="Models and hooks").click()
    expect(page.get_by_text("encoder.{layer}.self_attention.pattern").first).to_be_visible()
    page.get_by_role("link", name="Translate").click()
    expect(page.locator(".line-token").first).to_be_visible()
    expect(matrix(page).locator(".heatmaplayer image")).to_be_visible()
    assert page.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(open_page: Callable[..., Page], app_url: str, scheme: str) -> None:
    page = visit(open_page(viewport={"width": 390, "height": 844}, color_scheme=scheme), app_url)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
