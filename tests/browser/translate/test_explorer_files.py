"""What the attention explorer saves: numbers, pictures and a page that opens by itself."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.saving import CATCH_PRINT
from tests.browser.translate import explorer_app as given
from tests.browser.translate.explorer_page import KINDS, caption, show, tile, visit
from viz.base.attention_maps import AttentionKind
from viz.base.words import page_text
from viz.components.attention_explorer import ExplorerView
from viz.components.attention_explorer.page_file import page_file


def saved(page: Page, ending: str, folder: Path) -> Path:
    page.locator(".picture-menu summary").click()
    with page.expect_download() as download:
        page.locator(f"[data-save={ending}]").click()
    path = folder / f"saved.{ending}"
    download.value.save_as(path)
    return path


def check_numbers(page: Page, folder: Path) -> None:
    """What is saved of head 2.5 of cross-attention is what was recorded, to the last bit."""
    kind = KINDS["cross"]
    rows = list(csv.reader(io.StringIO(saved(page, "csv", folder).read_text(encoding="utf-8-sig"))))
    assert rows[0] == ["query \\ key", *kind.keys.labels]
    assert [row[0] for row in rows[1:]] == list(kind.queries.labels)
    np.testing.assert_array_equal(np.array([row[1:] for row in rows[1:]], dtype=np.float32), kind.weights[1, 4])
    with np.load(saved(page, "npz", folder), allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["shown"], kind.weights[1, 4])
        assert archive["cross_keys"].tolist() == list(kind.keys.labels)
        for name, recorded in KINDS.items():
            np.testing.assert_array_equal(archive[name], recorded.weights)


def test_numbers_are_saved_in_full_precision(page: Page, explorer_url: str, tmp_path: Path) -> None:
    visit(page, explorer_url, kind="cross", heads="2.5")
    check_numbers(page, tmp_path)
    assert page.errors == []


def test_a_saved_page_saves_numbers_in_full_precision(
    page: Page, open_page: Callable[..., Page], explorer_url: str, tmp_path: Path
) -> None:
    visit(page, explorer_url, kind="cross", heads="2.5")
    body = saved(page, "html", tmp_path).read_text(encoding="utf-8")
    alone = open_page()
    alone.route("**/shared.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    alone.goto("http://127.0.0.1:9/shared.html")
    expect(tile(alone, 1, 2)).to_be_visible()
    check_numbers(alone, tmp_path)


def test_a_comparison_is_saved_in_full_precision(page: Page, explorer_url: str, tmp_path: Path) -> None:
    visit(page, explorer_url, kind="cross", heads="2.5-1.1", compare="heads")
    rows = list(csv.reader(io.StringIO(saved(page, "csv", tmp_path).read_text(encoding="utf-8-sig"))))
    weights = KINDS["cross"].weights
    n_rows = weights.shape[2]
    names = ["Layer 2, head 5", "Layer 1, head 1", "First minus second"]
    values = (weights[1, 4], weights[0, 0], weights[1, 4] - weights[0, 0])
    for index, (name, expected) in enumerate(zip(names, values, strict=True)):
        # Under its caption and the names of its columns, and with a line between it and the next.
        begin = index * (n_rows + 3)
        assert rows[begin] == [name]
        found = np.array([row[1:] for row in rows[begin + 2 : begin + 2 + n_rows]], dtype=np.float32)
        np.testing.assert_array_equal(found, expected)


def test_a_saved_picture_has_sharp_cells_and_says_what_its_colours_mean(
    page: Page, explorer_url: str, tmp_path: Path
) -> None:
    visit(page, explorer_url, kind="cross", heads="2.5")
    svg = ElementTree.parse(saved(page, "svg", tmp_path))
    name = "{http://www.w3.org/2000/svg}"
    assert not list(svg.iter(f"{name}image"))
    cells = [path for path in svg.iter(f"{name}path") if path.get("fill")]
    assert cells
    assert all("h" in path.get("d") for path in cells)
    texts = [text.text for text in svg.iter(f"{name}text")]
    assert texts.count("attention weight α") == 1
    assert {"0", "1"} <= set(texts)
    page.goto(f"{explorer_url}/?case=200")
    expect(tile(page, 1, 2)).to_be_visible()
    (image,) = ElementTree.parse(saved(page, "svg", tmp_path)).iter(f"{name}image")
    assert image.get("image-rendering") == "pixelated"


def test_a_saved_picture_ends_with_the_last_token_that_is_written(page: Page, tmp_path: Path) -> None:
    show(page, kind="cross", step="3")
    svg = ElementTree.parse(saved(page, "svg", tmp_path))
    name = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in svg.iter(f"{name}text")]
    # Beside the matrix and beside the lines.
    assert [texts.count(word) for word in given.WRITTEN[:4]] == [2, 2, 2, 0]
    drawn = " ".join(path.get("d") or "" for path in svg.iter(f"{name}path"))
    assert set(re.findall(r"M0 (\d+)C", drawn)) == {"10", "30", "50"}
    assert set(re.findall(r"M\d+ (\d+)h", drawn)) == {"0", "24", "48"}


def test_a_saved_table_runs_no_formula(page: Page, explorer_url: str, tmp_path: Path) -> None:
    visit(page, explorer_url, case="hostile")
    rows = list(csv.reader(io.StringIO(saved(page, "csv", tmp_path).read_text(encoding="utf-8-sig"))))
    assert [row[0] for row in rows[1:]] == [*given.HOSTILE[:-1], "'=1+1"]


@pytest.mark.parametrize("case", ["translation", "hostile"])
def test_pictures_are_saved(page: Page, explorer_url: str, tmp_path: Path, case: str) -> None:
    visit(page, explorer_url, case=case)
    svg = saved(page, "svg", tmp_path)
    texts = [text.text for text in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "Encoder · Layer 1, head 1" in texts
    assert ("<!--" if case == "hostile" else "street") in texts
    assert saved(page, "png", tmp_path).read_bytes().startswith(b"\x89PNG")
    page.goto("about:blank")
    page.route("**/picture.svg", lambda route: route.fulfill(path=svg, content_type="image/svg+xml"))
    page.goto("http://127.0.0.1:9/picture.svg")
    assert page.evaluate("window.ran") is None
    assert page.errors == []


@pytest.mark.parametrize("case", ["translation", "hostile"])
def test_a_picture_is_printed_alone_on_its_own_sheet(page: Page, explorer_url: str, case: str) -> None:
    page.add_init_script(CATCH_PRINT)
    visit(page, explorer_url, case=case)
    page.locator(".picture-menu summary").click()
    page.locator("[data-save=print]").click()
    page.wait_for_function("window.printed")
    sheet = page.evaluate("window.printed")
    assert "@page { size: " in sheet
    assert "Encoder \u00b7 Layer 1, head 1" in sheet
    assert page.evaluate("window.printedMargin") == "0px"
    assert page.evaluate("window.ran") is None
    assert page.errors == []


# Of the second, the cells are an image.
@pytest.mark.parametrize("kinds", [given.short, lambda: given.square(160, layers=1, heads=1)])
def test_a_page_of_its_own_prints_the_same_sheet(page: Page, kinds: Callable[[], tuple[AttentionKind, ...]]) -> None:
    page.add_init_script(CATCH_PRINT)
    text = page_text("components/attention_explorer")
    body = page_file(kinds(), view=ExplorerView(kinds()[0].name), text=text, theme="light")
    page.route("**/shared.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto("http://127.0.0.1:9/shared.html")
    page.locator(".picture-menu summary").click()
    page.locator("[data-save=print]").click()
    page.wait_for_function("window.printed")
    assert page.evaluate("window.printedMargin") == "0px"
    assert page.errors == []


@pytest.mark.parametrize("case", ["translation", "hostile"])
def test_a_saved_page_opens_by_itself_and_runs_nothing_else(
    page: Page, open_page: Callable[..., Page], explorer_url: str, tmp_path: Path, case: str
) -> None:
    visit(page, explorer_url, case=case, heads="2.2")
    path = saved(page, "html", tmp_path)
    for generation in range(2):
        alone = open_page()
        asked: list[str] = []
        alone.on("request", lambda request, asked=asked: asked.append(request.url))
        body = path.read_text(encoding="utf-8")
        alone.route("**/shared.html", lambda route, _, body=body: route.fulfill(body=body, content_type="text/html"))
        alone.goto("http://127.0.0.1:9/shared.html")
        expect(caption(alone)).to_have_text("Encoder · Layer 2, head 2")
        tile(alone, 1, 2).click()
        expect(caption(alone)).to_have_text("Encoder · Layer 1, head 2")
        tile(alone, 2, 2).click()
        assert alone.evaluate("window.ran") is None
        assert alone.errors == []
        assert [url for url in asked if not url.startswith("blob:")] == ["http://127.0.0.1:9/shared.html"]
        # A page that was saved can save itself.
        path = saved(alone, "html", tmp_path) if not generation else path
