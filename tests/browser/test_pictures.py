"""What every picture offers at its top right: files of it and of its numbers, and the whole window."""

import csv
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.saving import saved
from tests.browser.waiting import at_rest

WINDOW, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
# A page of charts and one of components: the address, a picture, and what is drawn in it.
CHART = "scale", ".st-key-picture-study-variance", ".js-plotly-plot"
CANVAS = "sinusoid", "figure.matrix", "canvas"
# What begins a file in the PNG format.
PNG = b"\x89PNG\r\n"


def visit(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator(".picture-menu").first).to_be_visible()
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    at_rest(page)
    return page


def size(drawn: Locator) -> tuple[float, float]:
    box = drawn.bounding_box()
    assert box
    return box["width"], box["height"]


def height(page: Page) -> int:
    return page.get_by_test_id("stMainBlockContainer").evaluate("node => node.scrollHeight")


def test_a_chart_that_becomes_narrower_keeps_its_legend_under_its_title(app_url: str, page: Page) -> None:
    page.set_viewport_size(WINDOW)
    visit(page, f"{app_url}/heads-needed")
    page.set_viewport_size(PHONE)
    page.wait_for_function("""() => {
        const chart = document.querySelector(".js-plotly-plot:has(.legend)");
        const box = (name) => [...chart.querySelectorAll(name)].map((node) => node.getBoundingClientRect());
        const [[title], entries, [plot]] = [".g-gtitle", ".legendtext", ".nsewdrag"].map(box);
        const isUnder = entries.every(({ top, bottom }) => top >= title.bottom && bottom <= plot.top);
        return chart.clientWidth < innerWidth && new Set(entries.map(({ top }) => top)).size > 1 && isUnder;
    }""")


@pytest.mark.parametrize(("name", "place", "_"), [CHART, CANVAS])
def test_a_picture_is_saved_as_shapes_and_as_pixels(app_url: str, page: Page, name: str, place: str, _: str) -> None:
    picture = visit(page, f"{app_url}/{name}").locator(place)
    svg = saved(picture, "Picture (SVG)")
    assert svg.suggested_filename.endswith(".svg")
    assert ElementTree.fromstring(Path(svg.path()).read_bytes()).tag == "{http://www.w3.org/2000/svg}svg"
    png = saved(picture, "Picture (PNG)")
    assert png.suggested_filename == svg.suggested_filename.replace(".svg", ".png")
    assert Path(png.path()).read_bytes().startswith(PNG)
    assert page.errors == []


def test_the_menu_of_a_chart_offers_its_numbers(app_url: str, page: Page) -> None:
    file = saved(visit(page, f"{app_url}/scale").locator(CHART[1]), "Curves (CSV)")
    assert file.suggested_filename == "score-scale.csv"
    headings, *rows = csv.reader(Path(file.path()).read_text(encoding="utf-8-sig").splitlines())
    assert headings[0] == "measure"
    assert {row[0] for row in rows} == {"variance", "entropy", "gradient"}


@pytest.mark.parametrize("shown_at", [CHART, CANVAS])
@pytest.mark.parametrize("viewport", [WINDOW, PHONE])
def test_a_picture_fills_the_window_and_escape_brings_it_back(
    app_url: str, open_page: Callable[..., Page], viewport: dict[str, int], shown_at: tuple[str, str, str]
) -> None:
    name, place, drawn = shown_at
    page = visit(open_page(viewport=viewport, has_touch=viewport == PHONE), f"{app_url}/{name}")
    picture = page.locator(place)
    control, shown = picture.locator(".picture-menu button.full"), picture.locator(drawn).first
    before = size(shown), height(page)
    (control.tap if viewport == PHONE else control.click)()
    expect(control).to_have_attribute("title", "Close")
    at_rest(page)
    assert size(shown)[0] > 0.8 * viewport["width"]
    assert size(shown)[1] > 0.7 * viewport["height"]
    assert accessibility_faults(page) == []
    page.keyboard.press("Escape")
    expect(control).to_have_attribute("title", "Full screen")
    at_rest(page)
    assert (size(shown), height(page)) == before
    assert page.errors == []


@pytest.mark.parametrize("shown_at", [CHART, CANVAS])
def test_escape_closes_the_menu_before_the_picture(app_url: str, page: Page, shown_at: tuple[str, str, str]) -> None:
    name, place, _ = shown_at
    picture = visit(page, f"{app_url}/{name}").locator(place)
    menu = picture.locator(".picture-menu")
    menu.locator("button.full").click()
    expect(menu.locator("button.full")).to_have_attribute("title", "Close")
    menu.locator("summary").click()
    expect(menu.get_by_role("button", name="Picture (SVG)")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("button", name="Picture (SVG)")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()
    expect(menu.locator("button.full")).to_have_attribute("title", "Close")
    menu.locator("button.full").click()
    expect(menu.locator("button.full")).to_have_attribute("title", "Full screen")


def test_a_press_beside_the_menu_closes_it(app_url: str, page: Page) -> None:
    picture = visit(page, f"{app_url}/sinusoid").locator(CANVAS[1])
    picture.locator("summary").click()
    expect(picture.get_by_role("button", name="Picture (SVG)")).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(picture.get_by_role("button", name="Picture (SVG)")).to_be_hidden()


def test_an_embedded_picture_is_saved_too(app_url: str, page: Page) -> None:
    picture = visit(page, f"{app_url}/scale?embed=true").locator(CHART[1])
    assert saved(picture, "Curves (CSV)").suggested_filename == "score-scale.csv"


_LOOK = """(node) => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    Object.assign(context, { fillStyle: colour });
    context.fillRect(0, 0, 1, 1);
    const shares = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((channel) => channel / 255);
    const linear = shares.map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const { color, backgroundColor } = getComputedStyle(node);
  const [low, high] = [color, backgroundColor].map(luminance).sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}"""


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.parametrize("shown_at", [CHART, CANVAS])
def test_the_signs_at_a_picture_are_quiet_until_it_is_pointed_at_or_has_the_focus(
    app_url: str, open_page: Callable[..., Page], shown_at: tuple[str, str, str], color_scheme: str
) -> None:
    name, place, drawn = shown_at
    page = visit(open_page(color_scheme=color_scheme), f"{app_url}/{name}")
    picture = page.locator(place)
    signs = picture.locator(".picture-menu :is(summary, button.full)")
    page.mouse.move(1, 1)
    quiet = [sign.evaluate(_LOOK) for sign in signs.all()]
    assert len(quiet) == 2
    assert min(quiet) >= 3
    assert min(min(size(sign)) for sign in signs.all()) >= 32
    picture.locator(drawn).first.hover()
    pointed = [sign.evaluate(_LOOK) for sign in signs.all()]
    assert min(pointed) > 1.5 * max(quiet)
    page.mouse.move(1, 1)
    picture.locator(".picture-menu summary").focus()
    assert [sign.evaluate(_LOOK) for sign in signs.all()] == pointed


@pytest.mark.parametrize("shown_at", [CHART, CANVAS])
def test_the_signs_at_a_picture_are_plain_to_a_finger(
    app_url: str, open_page: Callable[..., Page], shown_at: tuple[str, str, str]
) -> None:
    name, place, _ = shown_at
    page = visit(open_page(viewport=PHONE, has_touch=True, is_mobile=True), f"{app_url}/{name}")
    signs = page.locator(place).locator(".picture-menu :is(summary, button.full)").all()
    assert min(min(size(sign)) for sign in signs) >= 40
    assert min(sign.evaluate(_LOOK) for sign in signs) >= 7
