"""The site's pages as one file, without a network."""

import gzip
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.site.conftest import SENTENCE
from tests.browser.site.shown import written


def test_one_file_translates_without_a_network(file_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page(offline=True)
    page.goto(file_url)
    written(page, "schläft")
    page.get_by_label("English sentence").fill("The dog chases the cat.")
    written(page, "Hund")
    page.get_by_role("link", name="Attention", exact=True).click()
    expect(page.get_by_text("Cross · Layer 2, head 1")).to_be_visible()
    page.get_by_role("radio", name="Encoder", exact=True).check(force=True)
    expect(page.get_by_text("Encoder · Layer 2, head 1")).to_be_visible()
    assert page.errors == []


def test_a_page_is_saved_as_one_file_with_its_sentence(
    site_url: str, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page()
    page.goto(f"{site_url}/?sentence={SENTENCE}")
    written(page, "schläft")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this page as one file").click()
    path = tmp_path / "saved.html"
    download.value.save_as(path)
    assert path.stat().st_size < 16_000_000
    alone = open_page(offline=True)
    alone.goto(path.as_uri())
    written(alone, "schläft")
    assert alone.errors == []


def test_one_file_is_small(file_url: str) -> None:
    path = Path(unquote(urlsplit(file_url).path))
    assert path.stat().st_size < 16_000_000
    # Parts are zipped already: there is nothing left to win.
    assert len(gzip.compress(path.read_bytes(), 1)) > 0.7 * path.stat().st_size
