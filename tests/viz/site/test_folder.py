"""The site as a folder: what of it changes with its version."""

import re
from pathlib import Path

import pytest

from viz.site import folder
from viz.site.folder import write_site


def test_no_page_asks_for_a_file_of_another_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(folder, "assets_of", lambda _: {"words-en.json": b"{}"})
    monkeypatch.setattr(folder, "view_files", lambda _: {})
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "own").write_text("another's")
    versions = []
    for content in (b"first", b"second"):
        write_site(tmp_path, [], {"recorded": content})
        pages = sorted(tmp_path.rglob("index.html"))
        (version,) = {version for page in pages for version in re.findall('data-version="([^"]*)"', page.read_text())}
        for page in pages:
            addresses = re.findall('(?:src|href)="([^"]*)"', page.read_text())
            assert len(addresses) == 2
            for address in addresses:
                assert (page.parent / address).resolve().parent == tmp_path / "assets" / version
                assert (page.parent / address).is_file()
        assert {path.name for path in (tmp_path / "assets").iterdir()} == {version, "own"}
        outside = {path.name for path in tmp_path.rglob("*") if path.is_file() and version not in path.parts}
        assert outside == {"index.html", "worker.js", "own"}
        versions.append(version)
    assert len({*versions}) == 2
