"""A test for each page of the app: those of one page stay in one process, whose server has drawn the page before."""

import pytest

from viz.shell.navigation import sections

PAGES = [page for found in sections().values() for page in found]
each_page = pytest.mark.parametrize(
    "shown",
    [
        pytest.param(page, id=page.path.stem, marks=pytest.mark.xdist_group(f"browser page {page.path.stem}"))
        for page in PAGES
    ],
)
