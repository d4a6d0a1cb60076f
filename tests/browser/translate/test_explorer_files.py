"""What the attention explorer saves: numbers, pictures and a page that opens by itself."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.translate import explorer_app as given
from tests.browser.translate.explorer_page import KINDS, NEAR, caption, tile, visit


def saved(page: Page, ending: str, folder: Path) -> Path:
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as download:
        page.locator(f"[data-save={ending}]").click()
    path = folder / f"saved.{ending}"
    download.value.save_as(path)
    return path


def test_numbers_are_saved(page: Page, explorer_url: str, tmp_path: Path) -> None:
    visit(page, explorer_url, kind="cross", heads="2.5")
    kind = KINDS["cross"]
    rows = list(csv.reader(io.StringIO(saved(page, "csv", tmp_path).read_text(encoding="utf-8"))))
    assert rows[0] == ["", *kind.keys.labels]
    assert [row[0] for row in rows[1:]] == list(kind.queries.labels)
    numbers = np.array([row[1:] for row in rows[1:]], dtype=float)
    np.testing.assert_allclose(numbers, kind.weights[1, 4], atol=NEAR)
    with np.load(saved(page, "npz", tmp_path), allow_pickle=False) as archive:
        np.testing.assert_allclose(archive["shown"], kind.weights[1, 4], atol=NEAR)
        assert archive["cross_keys"].tolist() == list(kind.keys.labels)
        for name, recorded in KINDS.items():
            found = archive[f"{name}_bytes"] / 255 * archive[f"{name}_scales"][:, :, None, None]
            np.testing.assert_allclose(found, recorded.weights, atol=NEAR)


def test_a_saved_table_runs_no_formula(page: Page, explorer_url: str, tmp_path: Path) -> None:
    visit(page, explorer_url, case="hostile")
    rows = list(csv.reader(io.StringIO(saved(page, "csv", tmp_path).read_text(encoding="utf-8"))))
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
