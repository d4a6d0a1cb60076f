"""Switch heads off, in a real Chromium without a network."""

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest, translations, visit_page
from viz.base.colours import PALETTES

visit = partial(visit_page, shows="[data-code]")
SENTENCE = "The dog chases the cat."
# Without all cross-attention no translator can know what it was asked.
BLOCK, HEAD, NEXT = "cross.3.attention", "cross.2.1", "cross.2.2"


@pytest.fixture
def opened(page: Page, app_url: str) -> Page:
    return visit(page, f"{app_url}/switch-heads-off?text={SENTENCE}&off=cross.1.attention,cross.2.attention")


def off(page: Page) -> list[str]:
    return parse_qs(urlsplit(page.url).query)["off"][0].split(",")


def pressed(page: Page) -> set[str]:
    cells = page.locator("[data-code][aria-pressed=true]")
    return {*cells.evaluate_all("all => all.map((one) => one.dataset.code)")}


def test_a_click_switches_a_part_off_and_the_link_reopens_that(opened: Page, open_page: Callable[..., Page]) -> None:
    page = opened
    whole, before = translations(page)
    page.locator(f'[data-code="{BLOCK}"]').click()
    at_rest(page)
    assert pressed(page) == {"cross.1.attention", "cross.2.attention", BLOCK}
    first, after = translations(page)
    assert first == whole
    assert after not in {whole, before}
    again = visit(open_page(), page.url)
    assert translations(again) == [whole, after]
    assert pressed(again) == pressed(page)
    page.locator(f'[data-code="{BLOCK}"]').click()
    at_rest(page)
    assert translations(page) == [whole, before]


def test_the_arrow_keys_and_enter_switch_as_well(opened: Page) -> None:
    page = opened
    page.locator(f'[data-code="{HEAD}"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    at_rest(page)
    assert off(page)[-1] == NEXT
    # The focus stays where it was, for the next key.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    at_rest(page)
    assert off(page)[-2:] == [NEXT, HEAD]
    page.get_by_role("button", name="Undo").press("Enter")
    at_rest(page)
    assert off(page)[-1] == NEXT


def test_pointing_at_a_head_tells_what_it_is_worth(opened: Page) -> None:
    page = opened
    page.locator(f'[data-code="{HEAD}"]').hover()
    expect(page.locator(".head-grid .tooltip")).to_contain_text("Layer 2, head 1 of cross-attention")
    expect(page.locator(".head-grid .tooltip")).to_contain_text("changes by")


def cells(page: Page) -> list[tuple[float, str, bool, bool]]:
    """Return of each cell its number, its colour, whether it is marked as cut and whether it is crossed out."""
    found = page.locator("[data-code]").evaluate_all("""all => all.map((one) => [
        one.querySelector("text").textContent, one.querySelector("rect").getAttribute("fill"),
        one.querySelector(".cut") !== null, one.querySelector("path:not(.cut)") !== null])""")
    return [(float(number.replace("−", "-")), *look) for number, *look in found]


def test_what_is_needed_is_blue_and_what_is_off_has_its_number_too(opened: Page) -> None:
    blue, orange = (" ".join(map(str, hue)) for hue in (PALETTES["light"].hue, PALETTES["light"].opposite))
    found = cells(opened)
    assert {blue if number < 0 else orange for number, *_ in found if number} == {blue, orange}
    assert all((blue if number < 0 else orange) in colour for number, colour, *_ in found if number)
    # Two blocks, and the heads in them.
    assert sum(is_crossed for *_, is_crossed in found) > 2


def test_a_cell_beyond_the_scale_is_marked_as_the_end_of_the_scale_is(opened: Page) -> None:
    legend = opened.locator(".head-grid svg > text", has_text="nats").text_content()
    end = float(re.search(r"≤ −([\d.]+) …", legend)[1])
    found = cells(opened)
    assert any(is_cut for _, _, is_cut, _ in found)
    assert all(is_cut == (abs(number) > end) for number, _, is_cut, _ in found)


def test_the_picture_is_saved_as_svg(opened: Page) -> None:
    assert saved(opened.locator(".head-grid"), "Picture (SVG)").suggested_filename == "heads.svg"


def test_the_explorer_leads_here_with_its_sentence_and_head(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/translate?text={SENTENCE}&kind=encoder&heads=2.5")
    link = page.get_by_role("link", name="Switch this head off")
    expect(link).to_be_visible(timeout=90_000)
    at_rest(page)
    link.click()
    expect(page.locator("[data-code]").first).to_be_visible()
    at_rest(page)
    assert off(page) == ["encoder.2.5"]
    assert parse_qs(urlsplit(page.url).query)["text"] == [SENTENCE]
    expect(page.get_by_label("English sentence")).to_have_value(SENTENCE)


def test_nothing_is_wrong_in_the_console(opened: Page) -> None:
    assert opened.errors == []


def test_on_a_phone_nothing_scrolls_sideways(open_page: Callable[..., Page], app_url: str) -> None:
    page = visit(open_page(viewport={"width": 360, "height": 740}), f"{app_url}/switch-heads-off")
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth")
    assert page.locator(".head-grid .box").evaluate("node => node.scrollWidth <= node.clientWidth")
