"""What a visitor does in the positional-encoding playground, in a real Chromium."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from playwright.sync_api import Locator, Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from model.positional.sinusoidal import sinusoidal_encoding
from tests.browser.saving import choose, saved
from tests.browser.waiting import at_rest

SMALL = "?d_model=16&length=40&position=7&offset=5"
VIEWS = ["matrix", "waves", "wavelengths", "clocks", "similarity", "profile", "rotation"]
N_COLOURS = """(node) => {
  const { data } = node.getContext("2d").getImageData(0, 0, node.width, node.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""
# From hold() to letGo() a message waits, unless release() lets it through: so many, the first ones first.
HELD_ANSWERS = """(() => {
  const { onmessage } = Object.getOwnPropertyDescriptors(WebSocket.prototype);
  const listen = WebSocket.prototype.addEventListener;
  const waiting = [];
  let isHeld = false;
  const held = (listener) => function (event) {
    const deliver = () => listener.call(this, event);
    if (isHeld) waiting.push(deliver);
    else deliver();
  };
  window.hold = () => { isHeld = true; };
  window.release = (count) => waiting.splice(0, count).forEach((deliver) => deliver());
  window.countHeld = () => waiting.length;
  window.letGo = () => {
    isHeld = false;
    window.release(waiting.length);
  };
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    ...onmessage, set(listener) { onmessage.set.call(this, held(listener)); } });
  WebSocket.prototype.addEventListener = function (kind, listener, ...options) {
    listen.call(this, kind, kind === "message" ? held(listener) : listener, ...options);
  };
})()"""


def visit(page: Page, app_url: str, query: str = "") -> Page:
    page.goto(f"{app_url}/sinusoid{query}")
    return from_server(page)


def from_server(page: Page) -> Page:
    expect(page.locator(".playground")).to_have_attribute("data-source", "server")
    return page


def ends_run(payload: str | bytes) -> bool:
    return isinstance(payload, bytes) and ForwardMsg.FromString(payload).WhichOneof("type") == "script_finished"


def parameters(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def wait_for_url(page: Page, **wanted: str) -> None:
    page.wait_for_url(lambda url: dict(parse_qsl(urlsplit(url).query)) == wanted, wait_until="commit")


def slider(page: Page, name: str) -> Locator:
    return page.locator(f"input[type=range][data-name={name}]")


def field(page: Page, name: str) -> Locator:
    return page.locator(f"input[type=text][data-name={name}]")


def picture(page: Page, view: str) -> Locator:
    return page.locator(f"figure.{view} .picture")


def push(page: Page, name: str, share: float) -> None:
    """Move a slider as a drag does, without letting go."""
    slider(page, name).evaluate(
        """(node, share) => {
          node.value = Number(node.min) + share * (node.max - node.min);
          node.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        share,
    )


def let_go(page: Page, name: str) -> None:
    slider(page, name).dispatch_event("change")


def drawn(page: Page) -> dict[str, str]:
    """Every picture as it is on the screen."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return {view: picture(page, view).locator("canvas").evaluate("(node) => node.toDataURL()") for view in VIEWS}


def pointed(page: Page, across: float, down: float) -> tuple[int, int, float]:
    """Point at the matrix; return the position, the dimension and the value that are told."""
    box = picture(page, "matrix").bounding_box()
    page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])
    text = page.locator(".tooltip").text_content().replace("−", "-")
    position, dimension, value = re.search(r"position (\d+), dimension (\d+)\s+PE = (\S+)", text).groups()
    return int(position), int(dimension), float(value)


def saved_of(page: Page, view: str, kind: str) -> bytes:
    return Path(saved(page.locator(f"figure.{view}"), f"({kind})").path()).read_bytes()


@pytest.fixture
def tall_page(open_page: Callable[..., Page]) -> Page:
    """A page on which every picture of the playground is on screen."""
    return open_page(viewport={"width": 1440, "height": 1100})


def test_every_picture_follows_a_drag_without_the_network(tall_page: Page, app_url: str) -> None:
    traffic: list[object] = []

    def note(message: object) -> None:
        traffic.append(message)

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", note)
        socket.on("framereceived", note)

    tall_page.on("websocket", watch)
    tall_page.on("request", note)
    visit(tall_page, app_url)
    expect(tall_page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    before = drawn(tall_page)
    del traffic[:]
    box = slider(tall_page, "base").bounding_box()
    middle = box["y"] + box["height"] / 2
    tall_page.mouse.move(box["x"] + 0.65 * box["width"], middle)
    tall_page.mouse.down()
    seen = [before]
    for share in (0.5, 0.3):
        tall_page.mouse.move(box["x"] + share * box["width"], middle)
        seen.append(drawn(tall_page))
        assert {view for view in VIEWS if seen[-1][view] == seen[-2][view]} == set()
    assert traffic == []
    tall_page.mouse.up()
    expect(tall_page).to_have_url(re.compile("base="))
    from_server(tall_page)
    assert field(tall_page, "base").input_value() == parameters(tall_page)["base"]
    assert tall_page.errors == []


def test_the_hover_tells_the_value_while_and_after_a_drag(tall_page: Page, app_url: str) -> None:
    visit(tall_page, app_url, "?d_model=512&length=2048")
    push(tall_page, "base", 0.2)
    expect(tall_page.locator(".playground")).to_have_attribute("data-source", "browser")
    base = float(field(tall_page, "base").input_value())
    assert base < 100
    for places, is_committed in (((0.3, 0.1), False), ((0.7, 0.8), False), ((0.3, 0.1), True), ((0.7, 0.8), True)):
        if is_committed:
            let_go(tall_page, "base")
            from_server(tall_page)
        position, dimension, value = pointed(tall_page, *places)
        exact = sinusoidal_encoding(torch.tensor([position]), 512, base)[0, dimension]
        assert abs(value - float(exact)) < 1e-5


def test_an_answer_does_not_take_back_what_was_moved_since(page: Page, app_url: str) -> None:
    visit(page, app_url)
    push(page, "length", 0.8)
    let_go(page, "length")
    push(page, "length", 0.3)
    moved = field(page, "length").input_value()
    expect(page).to_have_url(re.compile("length="))
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    assert parameters(page)["length"] != moved
    assert field(page, "length").input_value() == moved
    let_go(page, "length")
    expect(page).to_have_url(re.compile(f"length={moved}"))
    from_server(page)


def test_typed_nonsense_gets_a_sentence_and_the_last_value_stays(page: Page, app_url: str) -> None:
    visit(page, app_url)
    for name, given, allowed in (
        ("d_model", "7", "must be an even whole number from 4 to 1,024"),
        ("d_model", "<b>many</b>", "must be an even whole number"),
        ("base", "1", "must be a number from 2 to 1,000,000"),
        ("length", "0", "must be a whole number from 8 to 4,096"),
        ("position", "256", "must be a whole number from 0 to 255"),
        ("pair", "", "must be a whole number from 0 to 63"),
    ):
        good = field(page, name).input_value()
        field(page, name).fill(given)
        field(page, name).press("Enter")
        expect(page.locator(".trouble")).to_contain_text(f"“{given}”, but {allowed}")
        expect(field(page, name)).to_have_value(good)
    assert parameters(page) == {}
    field(page, "d_model").fill("64")
    field(page, "d_model").press("Enter")
    expect(page.locator(".trouble")).to_be_empty()
    wait_for_url(page, d_model="64")


def test_sliders_are_worked_by_keyboard(page: Page, app_url: str) -> None:
    visit(page, app_url)
    for name, keys, wanted in (
        ("d_model", ["ArrowRight", "ArrowRight", "ArrowLeft"], "130"),
        ("length", ["PageUp"], "266"),
        ("position", ["Home", "ArrowRight"], "1"),
        ("pair", ["End"], "64"),
    ):
        control = slider(page, name)
        for key in keys:
            control.press(key)
        expect(control).to_have_attribute("aria-valuetext", wanted)
        expect(page).to_have_url(re.compile(rf"\b{name}={wanted}\b"))


@pytest.mark.parametrize(
    ("keys", "wanted"), [(["ArrowRight", "ArrowRight", "ArrowLeft"], "130"), (["ArrowRight", "ArrowLeft"], None)]
)
def test_the_link_ends_where_the_keys_did_over_a_slow_connection(
    page: Page, app_url: str, keys: list[str], wanted: str | None
) -> None:
    page.add_init_script(HELD_ANSWERS)
    with page.expect_websocket() as socket:
        visit(page, app_url)
    at_rest(page)
    page.evaluate("hold()")
    n_before = 0
    for key in keys:
        with socket.value.expect_event("framereceived", ends_run):
            slider(page, "d_model").press(key)
        # The next key comes when the answer to this one is still under way, and that to the one before has arrived.
        page.evaluate("count => release(count)", n_before)
        n_before = page.evaluate("countHeld()")
    page.evaluate("letGo()")
    at_rest(page)
    assert field(page, "d_model").input_value() == (wanted or "128")
    assert parameters(page).get("d_model") == wanted


def test_every_picture_is_worked_by_keyboard(page: Page, app_url: str) -> None:
    visit(page, app_url)
    start = {name: int(field(page, name).input_value()) for name in ("position", "pair", "offset")}
    for view, keys, moved in (
        ("matrix", ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowRight"], {"position": 1, "pair": 1}),
        ("waves", ["ArrowRight", "PageDown"], {"position": 1, "pair": 10}),
        ("wavelengths", ["ArrowLeft"], {"pair": -1}),
        ("clocks", ["PageUp", "ArrowRight"], {"position": -10, "pair": 1}),
        ("similarity", ["ArrowLeft", "ArrowDown"], {"position": 1, "offset": -1}),
        ("profile", ["PageDown", "ArrowLeft"], {"offset": 9}),
        ("rotation", ["ArrowDown", "ArrowRight"], {"offset": 1, "pair": 1}),
    ):
        picture(page, view).focus()
        for key in keys:
            page.keyboard.press(key)
        for name, by in moved.items():
            expect(field(page, name)).to_have_value(str(start[name] + by))
        # Seen beside the mark, and read aloud.
        expect(page.locator(".tooltip")).to_be_visible()
        expect(page.locator(".playground [aria-live=polite]")).to_have_text(page.locator(".tooltip").text_content())
        page.keyboard.press("Escape")
        for name, value in start.items():
            expect(field(page, name)).to_have_value(str(value))
        expect(page.locator(".tooltip")).to_be_hidden()


def test_keys_stop_at_the_ends_and_what_they_found_is_in_the_link(page: Page, app_url: str) -> None:
    visit(page, app_url, SMALL)
    picture(page, "matrix").focus()
    for key in ("End", "ArrowRight", "PageDown", "PageDown", "PageDown", "PageDown"):
        page.keyboard.press(key)
    wait_for_url(page, d_model="16", length="40", position="39", pair="7", offset="5")
    told = page.locator(".playground [aria-live=polite]")
    position, dimension, value = re.search(
        r"position (\d+), dimension (\d+)\s+PE = (\S+)", told.text_content().replace("−", "-")
    ).groups()
    assert (position, dimension) == ("39", "14")
    assert abs(float(value) - float(sinusoidal_encoding(torch.tensor([39]), 16)[0, 14])) < 1e-5
    page.keyboard.press("Enter")
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    expect(field(page, "pair")).to_have_value("7")


def test_a_picture_keeps_the_focus_when_what_was_wrong_with_the_link_is_taken_away(page: Page, app_url: str) -> None:
    visit(page, app_url, "?d_model=7")
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    picture(page, "matrix").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    expect(picture(page, "matrix")).to_be_focused()
    expect(field(page, "position")).to_have_value("41")


def test_a_picture_with_the_focus_is_seen_to_have_it_and_says_its_keys(page: Page, app_url: str) -> None:
    visit(page, app_url)
    page.locator("figure.matrix").get_by_role("button", name="Full screen").focus()
    page.keyboard.press("Tab")
    expect(picture(page, "matrix")).to_be_focused()
    expect(page.locator(".tooltip")).to_contain_text("Left and right: pair i. Up and down: position p")
    expect(picture(page, "matrix")).to_have_accessible_description(re.compile("Left and right: pair i"))
    assert picture(page, "matrix").evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    page.keyboard.press("Tab")
    expect(page.locator(".tooltip")).to_be_hidden()


def test_a_click_pins_and_the_link_reopens_the_view(page: Page, open_page: Callable[..., Page], app_url: str) -> None:
    visit(page, app_url, "?base=100")
    position, dimension, _ = pointed(page, 0.75, 0.6)
    page.mouse.down()
    page.mouse.up()
    wait_for_url(page, base="100", position=str(position), pair=str(dimension // 2))
    alt = (
        from_server(page)
        .get_by_role("application", name=re.compile("Heatmap of the sinusoidal encoding"))
        .get_attribute("aria-label")
    )
    assert f"position {position}, dimensions {dimension // 2 * 2} and {dimension // 2 * 2 + 1}" in alt
    again = visit(open_page(), page.url.split("/sinusoid")[0], "?" + urlsplit(page.url).query)
    expect(field(again, "position")).to_have_value(str(position))
    expect(field(again, "base")).to_have_value("100")
    assert [picture(again, view).get_attribute("aria-label") for view in VIEWS] == [
        picture(page, view).get_attribute("aria-label") for view in VIEWS
    ]


# One page for each kind of file, because Chromium drops what is more than ten downloads of a page in a second.
@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_every_picture_can_be_saved(tall_page: Page, app_url: str, kind: str) -> None:
    visit(tall_page, app_url)
    for view in VIEWS:
        content = saved_of(tall_page, view, kind)
        assert content.startswith(b"\x89PNG") if kind == "PNG" else ElementTree.fromstring(content).tag.endswith("svg")


def test_every_number_can_be_saved(tall_page: Page, app_url: str) -> None:
    visit(tall_page, app_url, SMALL)
    exact = sinusoidal_encoding(torch.arange(40), 16).numpy()
    for view in VIEWS:
        rows = list(csv.reader(io.StringIO(saved_of(tall_page, view, "CSV").decode("utf-8-sig"))))
        assert len({len(row) for row in rows}) == 1
        assert np.isfinite(np.array(rows[1:], dtype=float)).all()
        if view == "matrix":
            assert np.array_equal(np.array(rows[1:], dtype=np.float32)[:, 1:], exact)
    with np.load(saved(tall_page.locator("figure.waves"), "Numbers of all pictures (NPZ)").path()) as arrays:
        assert np.array_equal(arrays["encoding"], exact)
        assert np.allclose(arrays["wavelengths"], 2 * np.pi * 10000 ** (np.arange(8) / 8))
        assert np.allclose(arrays["similarity_by_distance"], exact[0] @ exact.T, atol=1e-5)
        turned = np.einsum("irc,ic->ir", arrays["rotation_blocks"], exact[7].reshape(8, 2))
        assert np.allclose(turned.ravel(), exact[12], atol=1e-5)
        assert arrays["base"] == 10000


def test_a_table_too_large_is_refused_with_a_sentence(page: Page, app_url: str) -> None:
    visit(page, app_url, "?d_model=1024&length=4096")
    choose(page.locator("figure.matrix"), "Numbers (CSV)")
    expect(page.locator(".trouble")).to_contain_text("4,194,304 numbers")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(open_page: Callable[..., Page], app_url: str, scheme: str) -> None:
    page = visit(open_page(viewport={"width": 390, "height": 844}, color_scheme=scheme), app_url)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for view in VIEWS:
        picture(page, view).scroll_into_view_if_needed()
        box = picture(page, view).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        expect(picture(page, view)).to_have_attribute("aria-label", re.compile(r"\d"))
        # Drawn, a frame or two after it came into view, and not in one colour.
        canvas = picture(page, view).locator("canvas").element_handle()
        page.wait_for_function(f"(node) => ({N_COLOURS})(node) > 8", arg=canvas)
    surface = page.locator(".controls").evaluate("(node) => getComputedStyle(node).backgroundColor")
    assert surface == {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 18, 22)"}[scheme]
