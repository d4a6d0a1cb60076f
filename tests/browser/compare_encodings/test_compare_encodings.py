"""What a visitor does on the page Compare encodings, in a real Chromium."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect


def visit(page: Page, app_url: str, query: str = "") -> Page:
    page.goto(f"{app_url}/compare-encodings{query}")
    expect(page.get_by_role("radiogroup", name="Show", exact=True)).to_be_visible()
    return page


def maps(page: Page) -> Locator:
    return page.get_by_role("figure", name=re.compile("how position changes the score"))


def choose(page: Page, slot: int, title: str) -> None:
    box = page.get_by_label(f"Variant {slot}", exact=True)
    box.click()
    box.fill(title)
    page.get_by_role("option", name=title, exact=True).click()


def test_a_chosen_variant_is_drawn_and_the_url_reopens_it(
    app_url: str, page: Page, open_page: Callable[..., Page]
) -> None:
    visit(page, app_url, "?count=2")
    expect(maps(page)).to_have_count(2)
    choose(page, 2, "Relative (Shaw)")
    expect(page.get_by_label(re.compile(r"^Relative \(Shaw\): how position changes"))).to_be_visible()
    page.get_by_role("slider", name="Tokens").press("ArrowLeft")
    expect(page.get_by_label(re.compile(r"^Relative \(Shaw\): how position changes.*32 tokens"))).to_be_visible()
    page.wait_for_url(re.compile(r"v2=shaw.*length=32|length=32.*v2=shaw"))
    again = visit(open_page(), app_url, "?" + page.url.partition("?")[2])
    expect(again.get_by_label(re.compile(r"^Relative \(Shaw\): how position changes.*32 tokens"))).to_be_visible()
    expect(maps(again)).to_have_count(2)


def test_a_parameter_is_set_in_its_column(app_url: str, page: Page) -> None:
    visit(page, app_url, "?count=2&v1=Rotary+(RoPE)&v2=Rotary+(RoPE)&compared-length=16")
    page.get_by_role("button", name="Parameters").nth(1).click()
    field = page.get_by_label(re.compile("^base:"))
    field.fill("5")
    field.press("Enter")
    page.wait_for_url(re.compile(r"v2\.base=5"))
    expect(maps(page)).to_have_count(2)


def download(page: Page, label: str) -> Path:
    with page.expect_download() as started:
        page.get_by_role("button", name=label).click()
    return started.value.path()


def test_every_number_can_be_saved(app_url: str, page: Page) -> None:
    visit(page, app_url, "?show=Properties&count=2&compared-length=8&heads=2&v1=Sinusoidal&v2=ALiBi")
    with np.load(download(page, "All numbers (NPZ)")) as archive:
        assert archive["1_sinusoidal_added"].shape == (8, 64)
        assert archive["2_alibi_scores"].shape == (2, 8, 8)
        assert "2_alibi_added" not in archive
    with download(page, "All curves (CSV)").open(encoding="utf-8-sig") as file:
        curves = list(csv.DictReader(file))
    alibi = [row for row in curves if (row["encoding"], row["words"], row["head"]) == ("ALiBi", "random", "1")]
    np.testing.assert_allclose([float(row["mean"]) for row in alibi], [-(2**-4) * i for i in range(8)], atol=1e-5)
    with download(page, "Properties (CSV)").open(encoding="utf-8-sig") as file:
        assert next(csv.reader(file)) == ["Property", "Sinusoidal", "ALiBi"]


def test_cost_is_measured_on_request(app_url: str, page: Page) -> None:
    visit(page, app_url, "?show=Cost&count=2&compared-length=16")
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_role("cell", name=re.compile(r"^\d+\.\d\d ms$"))).to_have_count(4)
    with download(page, "Times (CSV)").open(encoding="utf-8-sig") as file:
        assert all(float(row["milliseconds_with"]) > 0 for row in csv.DictReader(file))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(app_url: str, open_page: Callable[..., Page], scheme: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    visit(page, app_url, "?count=6&compared-length=16")
    expect(maps(page)).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for chart in maps(page).all():
        box = chart.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    # Streamlit asks for its files beside the page first, and then at the root.
    assert page.errors == []


def test_what_is_needed_less_is_behind_more_and_stays_in_the_link(app_url: str, page: Page) -> None:
    visit(page, app_url, "?count=2&compared-length=16&causal=false")
    causal = page.get_by_label("Causal mask")
    expect(causal).to_be_hidden()
    page.get_by_role("button", name="More").click()
    expect(causal).not_to_be_checked()
    page.get_by_text("Causal mask").click()
    page.wait_for_url(re.compile(r"^(?!.*causal)"))
    expect(maps(page)).to_have_count(2)
