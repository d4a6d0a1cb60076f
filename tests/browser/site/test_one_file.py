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
    expect(page.get_by_label("English sentence")).to_have_value("The dog chases the cat.")
    page.get_by_role("radio", name="Encoder", exact=True).check(force=True)
    expect(page.get_by_text("Encoder · Layer 2, head 1")).to_be_visible()
    assert page.errors == []


def test_a_link_within_one_file_loads_nothing_again_wherever_it_is(
    file_url: str, site_url: str, site_folder: Path, open_page: Callable[..., Page]
) -> None:
    name = "view.html"
    (site_folder / name).hardlink_to(unquote(urlsplit(file_url).path))
    for address in (file_url, f"{site_url}/{name}"):
        page = open_page()
        page.goto(f"{address}?page=hooks")
        written(page, "schläft")
        page.evaluate("window.isSame = true")
        page.get_by_role("link", name="Learn", exact=True).click()
        page.get_by_role("link", name="Glossary", exact=True).click()
        expect(page).to_have_url(f"{address}?page=glossary")
        expect(page.get_by_role("heading", level=1)).to_have_text("What do the terms mean?")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("What do the terms mean?")
        page.evaluate("window.isSame = true")
        page.go_back()
        page.go_back()
        written(page, "schläft")
        assert page.evaluate("window.isSame")
        expect(page.get_by_role("button", name="Save this page as one file")).to_have_count(0)
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
    assert path.stat().st_size < 16_500_000
    alone = open_page(offline=True)
    alone.goto(path.as_uri())
    written(alone, "schläft")
    assert alone.errors == []


def test_one_file_is_small(file_url: str) -> None:
    path = Path(unquote(urlsplit(file_url).path))
    assert path.stat().st_size < 16_500_000
    # Parts are zipped already: there is nothing left to win.
    assert len(gzip.compress(path.read_bytes(), 1)) > 0.7 * path.stat().st_size
