"""BertViz in its frame, in a real Chromium without a network: it draws what was recorded, and can do nothing else."""

import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Error, Frame, Locator, Page, expect

from tests.browser.accessibility import accessibility_faults
from tests.browser.translate import bertviz_app as given
from tests.browser.translate.explorer_page import rgb
from viz.base.colours import PALETTES
from viz.base.words import page_text
from viz.pages.translate.components.bertviz_view import VIEWS, ViewName, bertviz_html, fitted

TEXT = page_text("pages/translate/bertviz_view")
NAMES = ("encoder", "decoder", "cross")
# What three decimals can be off by.
NEAR = 0.0005 + 1e-6
OPACITIES = "lines => lines.map(line => Number(line.getAttribute('stroke-opacity')))"
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


@pytest.fixture(scope="session")
def bertviz_url(serve: Callable[[str], str]) -> str:
    return serve("tests/browser/translate/bertviz_app.py")


def visit(page: Page, url: str, **parameters: str) -> Frame:
    """Open the page and return BertViz's frame, when it has drawn."""
    page.goto(f"{url}/?" + "&".join(f"{name}={value}" for name, value in parameters.items()))
    frame = page.locator("iframe").element_handle().content_frame()
    assert frame
    expect(frame.locator("svg line").last).to_be_attached()
    return frame


def opacities(lines: Locator, shape: tuple[int, ...]) -> np.ndarray:
    return np.array(lines.evaluate_all(OPACITIES)).reshape(shape)


@pytest.mark.parametrize("name", NAMES)
def test_the_head_view_shows_the_recorded_weights(page: Page, bertviz_url: str, name: str) -> None:
    kind = given.kind_of("translation", name)
    frame = visit(page, bertviz_url, view="head", kind=name)
    expect(frame.locator("#left text")).to_have_text(kind.queries.labels)
    expect(frame.locator("#right text")).to_have_text(kind.keys.labels)
    n_heads = kind.weights.shape[1]
    for layer in range(kind.weights.shape[0]):
        frame.get_by_label("Layer").select_option(str(layer + 1))
        drawn = opacities(frame.locator("#attention line"), kind.weights[layer].shape)
        np.testing.assert_allclose(drawn * n_heads, kind.weights[layer], atol=NEAR)
    assert page.errors == []


@pytest.mark.parametrize("name", NAMES)
def test_the_model_view_shows_the_recorded_weights(page: Page, bertviz_url: str, name: str) -> None:
    kind = given.kind_of("translation", name)
    frame = visit(page, bertviz_url, view="model", kind=name)
    np.testing.assert_allclose(opacities(frame.locator("svg line"), kind.weights.shape), kind.weights, atol=NEAR)
    frame.locator("svg > g").nth(kind.weights.shape[1] + 1).click()
    expect(frame.get_by_text("Layer 2, Head 2", exact=True)).to_be_visible()
    labels = (*kind.queries.labels, *kind.keys.labels)
    expect(frame.locator(".detail .token")).to_have_text([fitted(label, 11) for label in labels])
    assert page.errors == []


def test_lines_of_the_head_view_are_seen_as_well_in_the_dark(open_page: Callable[..., Page], bertviz_url: str) -> None:
    seen = {}
    for theme in ("light", "dark"):
        frame = visit(open_page(color_scheme=theme), bertviz_url, view="head", kind="cross")
        drawn = np.asarray(Image.open(io.BytesIO(frame.locator("#attention").screenshot())).convert("L"), dtype=float)
        seen[theme] = np.percentile(np.abs(drawn - np.median(drawn)), 98)
    assert seen["dark"] > 0.8 * seen["light"]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("case", ["hostile", "split"])
def test_hostile_tokens_are_text_and_nothing_runs(page: Page, bertviz_url: str, view: ViewName, case: str) -> None:
    frame = visit(page, bertviz_url, case=case, view=view)
    tokens, columns = frame.locator("#left text"), 12
    if view == "model":
        frame.locator("svg > g").first.click()
        tokens, columns = frame.locator(".detail").nth(2).locator(".token"), 11
    labels = given.kind_of(case, "encoder").queries.labels
    assert tokens.all_text_contents() == [fitted(label, columns) for label in labels]
    assert frame.evaluate("window.ran") is None
    assert page.evaluate("window.ran") is None
    assert page.errors == []


def unescaped(html: str) -> str:
    return html.replace("\\u003c", "<").replace("\\u003e", ">")


@pytest.mark.parametrize("view", VIEWS)
def test_tokens_run_only_without_both_escaping_and_policy(page: Page, view: ViewName) -> None:
    html = bertviz_html(view, given.kind_of("split", "encoder"), text=TEXT, theme="light")
    without_policy, n_policies = POLICY.subn("", html)
    assert n_policies == 1
    ran = []
    for document in (html, unescaped(html), without_policy, unescaped(without_policy)):
        # A policy stays with the page that it was set in.
        page.goto("about:blank")
        page.set_content(document)
        ran.append(page.evaluate("window.ran"))
    assert ran == [None, None, None, 1]


def test_a_script_in_the_frame_reaches_neither_the_page_nor_the_network(page: Page, bertviz_url: str) -> None:
    frame = visit(page, bertviz_url)
    assert page.locator("iframe").get_attribute("sandbox") == "allow-scripts"
    assert frame.evaluate("self.origin") == "null"
    for reach in (
        "parent.document.title",
        "top.location.href",
        "localStorage.length",
        "document.cookie",
        f"fetch('{bertviz_url}/_stcore/health')",
    ):
        with pytest.raises(Error, match=r"SecurityError|Failed to fetch"):
            frame.evaluate(reach)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_tokens_are_readable_in_light_and_dark(
    open_page: Callable[..., Page], bertviz_url: str, view: ViewName, scheme: str
) -> None:
    frame = visit(open_page(color_scheme=scheme), bertviz_url, view=view)
    ink, surface = frame.evaluate(
        """() => [getComputedStyle(document.querySelector("svg text")).fill,
            getComputedStyle(document.documentElement).backgroundColor]"""
    )
    palette = PALETTES[scheme]
    assert [ink, surface] == [rgb(palette.ink), rgb(palette.surface)]


@pytest.mark.parametrize("view", VIEWS)
def test_a_short_text_needs_no_scrolling(page: Page, bertviz_url: str, view: ViewName) -> None:
    frame = visit(page, bertviz_url, view=view)
    content, room = frame.evaluate("[document.body.getBoundingClientRect().bottom, innerHeight]")
    assert content <= room < content + 60


@pytest.mark.parametrize("view", VIEWS)
def test_the_frame_is_named_and_fits_a_phone(open_page: Callable[..., Page], bertviz_url: str, view: ViewName) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    visit(page, bertviz_url, view=view)
    expect(page.get_by_title(f"BertViz, {view} view: cross-attention")).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
    assert accessibility_faults(page, ".st-key-bertviz") == []


def test_a_rerun_keeps_what_was_chosen(page: Page, bertviz_url: str) -> None:
    frame = visit(page, bertviz_url)
    frame.get_by_label("Layer").select_option("2")
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_text("Run 2", exact=True)).to_be_visible()
    expect(page.locator("iframe")).to_have_count(1)
    expect(frame.get_by_label("Layer")).to_have_value("2")


def test_too_long_a_text_gets_a_sentence_instead(page: Page, bertviz_url: str) -> None:
    page.goto(f"{bertviz_url}/?case=large")
    expect(page.get_by_text("This text has 202,800 weights")).to_be_visible()
    expect(page.locator("iframe")).to_have_count(0)
    assert page.errors == []
