"""A picture that fills the window of a projector: read from the last row, as large as it fits, worked as on the page.

Letters take 2 % of the window's height at least. A picture takes 85 % of the height; one that is much wider than high
takes 95 % of the width instead. What is higher than the window where its letters can be read is scrolled.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from pretrained.language_models import load_language_model
from tests.browser.waiting import at_rest
from viz.pages.transformer_xl.state import MAIN

PROJECTOR, PHONE = {"width": 1920, "height": 1080}, {"width": 390, "height": 844}
SMALLEST_LETTERS = 21
PLAYGROUND = ("matrix", "waves", "wavelengths", "clocks", "similarity", "profile", "rotation")
COMPONENTS = {
    "explorer": ("translate", ".explorer"),
    "head grid": ("switch-heads-off", ".head-grid"),
    "pattern editor": ("edit-pattern", ".pattern-editor"),
    "beam tree": ("beam-search", ".beam-tree"),
    "bits": ("segments", ".stepper figure.bits"),
    "flow": ("segments", ".stepper figure.flow"),
    "term maps": ("terms", ".term-maps"),
    "mosaic": ("microscope", ".mosaic-part"),
    "relative shift": ("shift", ".relative-shift"),
    "player": ("as-it-learned", ".training-player"),
    "architecture": ("", ".architecture"),
    "computation": ("dot-product", ".computation"),
    "diagram": ("hooks", ".diagram"),
    "circuit": ("why-this-word", ".circuit"),
    **{name: ("sinusoid", f".playground figure.{name}") for name in PLAYGROUND},
}
# What was last written on a canvas, in the canvas's own pixels: nothing else tells how large its letters are.
_WATCHES_CANVASES = """
const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
Object.assign(CanvasRenderingContext2D.prototype, {
  fillText(text, ...place) {
    const { a, b } = this.getTransform();
    const size = parseFloat(this.font.match(/([\\d.]+)px/)[1]) * Math.hypot(a, b);
    if (text.trim()) this.canvas.letters = Math.min(this.canvas.letters ?? Infinity, size);
    return fillText.call(this, text, ...place);
  },
  clearRect(...place) {
    this.canvas.letters = Infinity;
    return clearRect.call(this, ...place);
  },
});
"""
_MEASURED = """(root) => {
  const enlarged = Number(getComputedStyle(document.documentElement).getPropertyValue("--enlarged")) || 1;
  const isSeen = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return width > 1 && height > 1 && getComputedStyle(node).visibility !== "hidden" && !node.closest("details > *");
  };
  const nodes = [...root.querySelectorAll("*")].filter(isSeen);
  const hasText = (node) => [...node.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
  const scaled = (node) => {
    const svg = node.closest("svg");
    const drawn = svg?.viewBox.baseVal?.width;
    return drawn ? svg.getBoundingClientRect().width / drawn : enlarged;
  };
  const written = nodes.filter(hasText).map((node) => parseFloat(getComputedStyle(node).fontSize) * scaled(node));
  const canvases = nodes.filter((node) => node.localName === "canvas");
  const pixel = (canvas) => canvas.getBoundingClientRect().height / canvas.height;
  const painted = canvases.map((node) => (node.letters ?? Infinity) * pixel(node));
  const boxes = nodes.filter((node) => hasText(node) || node.matches("canvas, svg, svg *"))
    .map((node) => node.getBoundingClientRect());
  const most = (name, size) => Math.min(size, Math.max(...boxes.map((box) => box[name])));
  const least = (name) => Math.max(0, Math.min(...boxes.map((box) => box[name])));
  return {
    letters: Math.min(...written, ...painted),
    width: (most("right", innerWidth) - least("left")) / innerWidth,
    height: (most("bottom", innerHeight) - least("top")) / innerHeight,
  };
}"""
_BLURRED = """(root) => [...root.querySelectorAll("canvas")].filter((node) => {
  const { width } = node.getBoundingClientRect();
  return width && getComputedStyle(node).imageRendering !== "pixelated" && Math.abs(node.width - width) > 2;
}).map((node) => `${node.width} for ${node.getBoundingClientRect().width}`)"""


@pytest.fixture
def full(app_url: str, open_page: Callable[..., Page]) -> Callable[..., Locator]:
    """Open the page of a component and let it fill the window."""

    def opened(name: str, **options: object) -> Locator:
        address, selector = COMPONENTS[name]
        page = open_page(**({"viewport": PROJECTOR} | options))
        page.add_init_script(_WATCHES_CANVASES)
        page.goto(f"{app_url}/{address}")
        picture = page.locator(selector).first
        expect(picture.locator("button.full")).to_be_visible()
        at_rest(page)
        picture.locator("button.full").click()
        expect(picture).to_have_class(re.compile("full-screen"))
        at_rest(page)
        return picture

    return opened


def box(node: Locator) -> tuple[float, float, float, float]:
    place = node.bounding_box()
    assert place
    return place["x"], place["y"], place["width"], place["height"]


def factor(picture: Locator) -> float:
    return float(picture.evaluate("() => document.documentElement.style.getPropertyValue('--enlarged') || 1"))


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_picture_is_read_from_the_last_row_and_sharp(full: Callable[..., Locator], name: str) -> None:
    picture = full(name)
    measured = picture.evaluate(_MEASURED)
    assert measured["letters"] >= SMALLEST_LETTERS
    assert measured["height"] >= 0.85 or measured["width"] >= 0.95
    assert picture.evaluate(_BLURRED) == []
    page = picture.page
    page.keyboard.press("Escape")
    expect(picture).not_to_have_class(re.compile("full-screen"))
    assert factor(picture) == 1
    assert page.errors == []


def test_a_picture_on_a_phone_keeps_its_layout(full: Callable[..., Locator]) -> None:
    picture = full("matrix", viewport=PHONE)
    assert factor(picture) == 1
    assert box(picture) == (0, 0, PHONE["width"], PHONE["height"])


def test_another_size_of_the_window_is_filled_too(full: Callable[..., Locator]) -> None:
    picture = full("matrix")
    before = factor(picture)
    picture.page.set_viewport_size({"width": 1024, "height": 768})
    at_rest(picture.page)
    assert 1 < factor(picture) < before
    assert box(picture)[2:] == pytest.approx((1024, 768), abs=1)


def test_a_click_marks_the_cell_under_it(full: Callable[..., Locator]) -> None:
    picture = full("explorer")
    rows, columns = (picture.locator(f".{side}.labels .label[data-index]") for side in ("left", "top"))
    n_rows, n_columns = rows.count(), columns.count()
    x, y, width, height = box(picture.locator(".views > .matrix .cells"))
    picture.page.mouse.click(x + 2.5 * width / n_columns, y + 4.5 * height / n_rows)
    expect(picture.locator(".bars thead .pinned")).to_have_attribute(
        "title", re.compile(re.escape(rows.nth(4).inner_text()))
    )
    expect(picture.locator(".readout").first).to_contain_text(columns.nth(2).inner_text())


def test_a_click_switches_the_head_under_it(full: Callable[..., Locator]) -> None:
    picture = full("head grid")
    cell = picture.locator("[data-code]").nth(3)
    code, pressed = cell.get_attribute("data-code"), cell.get_attribute("aria-pressed")
    x, y, width, height = box(cell.locator(".frame"))
    picture.page.mouse.click(x + width / 2, y + height / 2)
    other = {"true": "false", "false": "true"}[pressed or ""]
    expect(picture.locator(f"[data-code='{code}']")).to_have_attribute("aria-pressed", other)


def test_a_press_puts_the_weight_on_the_token_under_it(full: Callable[..., Locator]) -> None:
    picture = full("pattern editor")
    row = picture.locator("[data-number='2']")
    x, y, width, height = box(row.locator(".cell").nth(5))
    picture.page.mouse.move(x + width / 2, y + height / 2)
    picture.page.mouse.down()
    expect(row).to_have_attribute("aria-valuenow", "6")
    picture.page.mouse.up()


def test_a_click_marks_query_and_key_in_the_text(full: Callable[..., Locator]) -> None:
    picture = full("term maps")
    keys = picture.locator(".line span").count()
    remembered = picture.locator(".line .remembered").count()
    x, y, width, height = box(picture.locator(".picture"))
    scale = factor(picture)
    map_width, map_height = width / 2 - 20 * scale, (height - 52 * scale) / 3 - 20 * scale
    query, key = 10, remembered + 4
    # Left of each map, and above it, its names have room.
    across = 20 * scale + (key + 0.5) / keys * map_width
    down = 20 * scale + (query + 0.5) / (keys - remembered) * map_height
    picture.page.mouse.click(x + across, y + down)
    marked = picture.locator(".line span").evaluate_all(
        "(nodes) => ['query', 'key'].map((name) => nodes.findIndex((node) => node.classList.contains(name)))"
    )
    assert marked == [remembered + query, key]


def test_a_click_follows_the_position_under_it(full: Callable[..., Locator]) -> None:
    picture = full("matrix")
    page = picture.page
    x, y, _, height = box(picture.locator(".picture"))
    scale = factor(picture)
    top, frame = y + 7 * scale, height - 39 * scale
    page.mouse.click(x + 200 * scale, top + frame * (100.5 / 256))
    expect(page.locator("input[type=text][data-name=position]")).to_have_value("100")


def test_a_head_is_told_where_the_pointer_is_and_in_letters_as_large(full: Callable[..., Locator]) -> None:
    picture = full("mosaic")
    x, y, width, height = box(picture.locator(".mosaic"))
    scale = factor(picture)
    model = load_language_model(MAIN).model
    layers, heads = len(model.layers), model.config.n_heads
    picture.page.mouse.move(
        x + 26 * scale + 2.5 * (width - 26 * scale) / heads, y + 20 * scale + 3.5 * (height - 20 * scale) / layers
    )
    tooltip = picture.page.locator(".memory-text .tooltip")
    expect(tooltip).to_contain_text("Layer 4, head 3")
    _, top, _, tall = box(tooltip)
    assert tall > scale * 13
    assert 0 <= top <= PROJECTOR["height"] - tall


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("beam tree", "(node) => Number(node.dataset.step)"),
        ("bits", "(node) => Number(node.closest('.stepper').dataset.segment)"),
        ("relative shift", "(node) => Number(node.querySelector('input').value)"),
        ("player", "(node) => Number(node.querySelector('input').value)"),
        ("explorer", "(node) => Number(node.querySelector('.steps input').value)"),
    ],
)
def test_the_arrow_keys_take_the_steps(full: Callable[..., Locator], name: str, state: str) -> None:
    picture = full(name)
    first = picture.evaluate(state)
    picture.page.keyboard.press("ArrowLeft")
    picture.page.keyboard.press("ArrowLeft")
    picture.page.keyboard.press("ArrowRight")
    expected = {"relative shift": first + 1}.get(name, first - 1)
    picture.page.wait_for_function(
        f"([node, value]) => ({state})(node) === value", arg=[picture.element_handle(), expected]
    )


def test_arrow_keys_step_through_the_architecture_as_soon_as_it_fills_the_window(full: Callable[..., Locator]) -> None:
    picture = full("architecture", reduced_motion="reduce")
    for block in ("source", "encoder"):
        picture.page.keyboard.press("ArrowRight")
        expect(picture).to_have_attribute("data-block", block)
    picture.page.keyboard.press("ArrowLeft")
    expect(picture).to_have_attribute("data-block", "source")
    assert picture.evaluate("node => node.scrollHeight - node.clientHeight") <= 1


def test_arrow_keys_move_the_position_in_a_picture_of_the_encoding(full: Callable[..., Locator]) -> None:
    picture = full("matrix")
    picture.page.keyboard.press("ArrowRight")
    picture.page.keyboard.press("Escape")
    expect(picture.page).to_have_url(re.compile("position=41"))


def test_the_cells_of_the_computation_have_their_numbers_in_a_full_window(full: Callable[..., Locator]) -> None:
    numbers = full("computation").locator("svg:visible .number")
    cells = full("computation").locator("svg:visible rect")
    assert numbers.count() == cells.count() > 0
