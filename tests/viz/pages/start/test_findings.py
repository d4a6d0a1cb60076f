"""Every finding has a sentence, a picture in both themes, and a page."""

import pytest
from PIL import Image

from viz.base.words import page_text
from viz.pages.start.findings import FINDINGS, THUMBNAILS, Finding
from viz.pages.start.paths import PATHS
from viz.shell.navigation import place_at

TEXT = page_text("pages/start/findings")


def test_there_are_fourteen_of_different_views() -> None:
    assert len({finding.address for finding in FINDINGS}) == len({finding.name for finding in FINDINGS}) == 14


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_a_finding_has_its_sentence_its_page_and_its_pictures(finding: Finding) -> None:
    assert TEXT[f"claim {finding.name}"]
    assert place_at(finding.page).part.path.is_file()
    for theme in ("light", "dark"):
        with Image.open(THUMBNAILS / f"{finding.name}-{theme}.webp") as picture:
            assert picture.width == 2.75 * picture.height


def test_every_path_leads_to_pages() -> None:
    assert all(place_at(address).part.path.is_file() for addresses in PATHS.values() for address in addresses)
