"""One visitor on every page, one after the other: what was done on a page stays there."""

import asyncio
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.visitor import tab
from viz.shell.navigation import places

PAGES = [place.address for place in places()]
# Seconds for a page, the first to ask for its models included.
PATIENCE = 120


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_what_is_done_on_a_page_ends_no_other(app_url: str, seed: int) -> None:
    pages = random.Random(seed).sample(PAGES, len(PAGES))
    # Where a browser was opened before, Playwright's loop runs in this thread.
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(asyncio.run, go_through(app_url, pages)).result()


async def go_through(address: str, pages: Sequence[str]) -> None:
    async with tab(address) as visitor:
        for page in pages:
            # A page that runs itself again and again never comes to its end.
            async with asyncio.timeout(PATIENCE):
                await visitor.open(page)
                await visitor.act()
            assert visitor.n_faults == 0, page
