"""What a visitor does with the four terms and the relative shift, in a real Chromium, on a tiny model."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.saving import saved

N_STEPS = 6
# By place: the text of every number of the shift that is there, by the row and column of its place in pixels.
NUMBERS = """svg => [...svg.querySelectorAll('.number')].filter(g => g.style.opacity === '1').map(g => {
  const [x, y] = g.style.transform.match(/[\\d.]+px/g).map(parseFloat);
  const { width, height } = g.querySelector('rect').getBBox();
  const [row, column] = [(y - 24) / height, (x - 30) / width].map(Math.round);
  return [row, column, g.querySelector('text').textContent];
})"""


def visit(page: Page, xl_url: str) -> Page:
    page.goto(f"{xl_url}/terms")
    expect(page.locator(".term-maps .line span").first).to_be_attached()
    return page


def visit_shift(page: Page, xl_url: str, query: str = "") -> Page:
    page.goto(f"{xl_url}/shift{query}")
    expect(page.get_by_text("Checked just now")).to_be_visible()
    return page


def maps(page: Page) -> Locator:
    return page.locator(".term-maps .picture")


def numbers(page: Page) -> dict[tuple[int, int], str]:
    found = page.locator(".relative-shift .box svg").evaluate(NUMBERS)
    return {(row, column): text for row, column, text in found}


def test_the_pointer_says_the_numbers_of_a_pair_and_they_add_up(xl_url: str, page: Page) -> None:
    visit(page, xl_url)
    picture = maps(page)
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    assert box
    picture.hover(position={"x": 30, "y": 60})
    said = page.locator(".term-maps .said")
    expect(said).to_contain_text("in memory")
    text = said.inner_text().replace("−", "-")
    *terms, total, weight = (float(number) for number in re.findall(r"-?\d+\.\d{4}", text))
    assert sum(terms) == pytest.approx(total, abs=2e-4)
    assert 0 <= weight <= 1
    expect(page.locator(".term-maps .line .query")).to_have_count(1)
    page.mouse.move(0, 0)
    expect(said).to_contain_text("Point at a cell")
    expect(page.locator(".term-maps .line .query")).to_have_count(0)


def test_a_click_keeps_a_cell_and_escape_lets_go(xl_url: str, page: Page) -> None:
    visit(page, xl_url)
    maps(page).click(position={"x": 30, "y": 60})
    page.mouse.move(0, 0)
    said = page.locator(".term-maps .said")
    expect(said).to_contain_text("in memory")
    before = said.inner_text()
    page.keyboard.press("ArrowRight")
    expect(said).not_to_have_text(before)
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text(before)
    page.keyboard.press("Escape")
    expect(said).to_contain_text("Point at a cell")
    assert page.errors == []


def test_a_kept_cell_follows_the_gains(xl_url: str, page: Page) -> None:
    visit(page, xl_url)
    maps(page).click(position={"x": 30, "y": 60})
    page.mouse.move(0, 0)
    page.get_by_role("button", name="Without (b)").click()
    expect(page.get_by_text("against")).to_be_visible()
    expect(page.locator(".term-maps .said")).to_contain_text("(b) position 0.0000")
    page.wait_for_url(re.compile("gain-b=0"))


def test_the_shift_puts_every_number_at_its_key(xl_url: str, page: Page) -> None:
    visit_shift(page, xl_url)
    n_queries, n_keys = 4, 7
    by_distance = numbers(page)
    assert len(by_distance) == n_queries * n_keys
    view = page.locator(".relative-shift")
    sizes = [len(by_distance)]
    for _ in range(N_STEPS - 1):
        view.get_by_role("button", name="Next step").click()
        sizes.append(len(numbers(page)))
    assert sizes == [28, 32, 32, 28, 28, 28]
    last = numbers(page)
    masked = {place for place, text in last.items() if text == "−∞"}
    assert masked == {(row, key) for row in range(n_queries) for key in range(row + n_keys - n_queries + 1, n_keys)}
    for (row, key), text in last.items():
        distance = row + n_keys - n_queries - key
        assert (row, key) in masked or text == by_distance[row, n_keys - 1 - distance]
    expect(view.get_by_role("button", name="Next step")).to_be_disabled()
    expect(view.get_by_role("img")).to_have_attribute("aria-label", re.compile(r"Mask what comes later\. 4 rows of 7"))


def test_the_shift_is_worked_by_keyboard(xl_url: str, page: Page) -> None:
    visit_shift(page, xl_url)
    slider = page.get_by_role("slider", name="Step of the shift")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".relative-shift .title")).to_contain_text("5/6")
    expect(slider).to_have_attribute("aria-valuetext", "Read in rows of 7 again")
    assert page.errors == []


def test_pointing_at_a_number_frames_its_distance(xl_url: str, page: Page) -> None:
    visit_shift(page, xl_url)
    view = page.locator(".relative-shift")
    view.locator(".number >> nth=3").hover()
    expect(view.locator(".number.lit")).to_have_count(4)
    expect(view.locator(".said")).to_contain_text("distance 4")


def test_a_phone_shows_all_of_it(xl_url: str, open_page: Callable[..., Page]) -> None:
    page = visit_shift(open_page(viewport={"width": 390, "height": 844}), xl_url, "?shift-queries=5&shift-remembered=4")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    box = page.locator(".relative-shift .box svg").bounding_box()
    assert box
    assert box["x"] + box["width"] <= 390


def test_pictures_are_saved(xl_url: str, page: Page) -> None:
    for go, view, name in (
        (visit, ".term-maps", "terms-segment-3-layer-1-head-1"),
        (visit_shift, ".relative-shift", "relative-shift-1"),
    ):
        go(page, xl_url)
        file = saved(page.locator(view), "Picture (SVG)")
        assert file.suggested_filename == f"{name}.svg"
        content = file.path().read_text(encoding="utf-8")
        assert content.startswith("<svg")
        assert content.count("<text") > 5


def test_the_pointer_on_a_mean_says_it(xl_url: str, page: Page) -> None:
    visit(page, xl_url)
    chart = page.locator(".st-key-by-distance-attention .js-plotly-plot")
    chart.scroll_into_view_if_needed()
    chart.locator(".nsewdrag").hover(position={"x": 40, "y": 10})
    said = chart.locator(".hoverlayer .hovertext")
    expect(said).to_have_text(re.compile(r"layer 1, head 1, \d+ back: 0\.\d+"))
