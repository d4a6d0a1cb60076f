"""The attention explorer as a test looks at it in a browser, and what it was given to show."""

import numpy as np
from playwright.sync_api import Locator, Page, Position, expect

from tests.browser.alone import show_alone
from tests.browser.translate import explorer_app as given
from viz.base.colours import PALETTES, Theme
from viz.components import attention_explorer

# What a byte can be off by.
NEAR = 1 / 510 + 1e-6
Spans = tuple[tuple[int, int], ...]
KINDS = {kind.name: kind for kind in given.translation()}


def by_words(weights: np.ndarray, query_spans: Spans, key_spans: Spans) -> np.ndarray:
    """What a word receives is the sum over its pieces, and what it gives is their mean."""
    received = np.stack([weights[:, start:end].sum(axis=1) for start, end in key_spans], axis=1)
    return np.stack([received[start:end].mean(axis=0) for start, end in query_spans])


def visit(page: Page, url: str, **parameters: str) -> Page:
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    page.goto(f"{url}/?{query}")
    expect(page.locator(".explorer .tile").first).to_be_visible()
    return page


def show(page: Page, *, theme: Theme = "light", **parameters: str) -> Page:
    """Have ``page`` show the explorer without Streamlit: for what needs neither an address nor another run."""
    draw = lambda: given.draw(given.recorded(parameters), theme)  # noqa: E731
    show_alone(page, attention_explorer, draw, surface=PALETTES[theme].surface)
    expect(page.locator(".explorer .tile").first).to_be_visible()
    return page


def cells(page: Page) -> Locator:
    return page.locator(".views > .matrix .cells")


def point_at_row(page: Page, row: int, n_rows: int) -> None:
    # The pointer reaches only what is on the screen.
    cells(page).evaluate("node => node.scrollIntoView({ block: 'center' })")
    box = cells(page).bounding_box()
    assert box
    page.mouse.move(box["x"] + 2, box["y"] + (row + 0.5) * box["height"] / n_rows)


def click_cell(page: Page, row: int, column: int, shape: tuple[int, ...]) -> None:
    cells(page).click(position=_middle(cells(page), row, column, shape))


def tap_cell(page: Page, row: int, column: int, shape: tuple[int, ...]) -> None:
    cells(page).tap(position=_middle(cells(page), row, column, shape))


def _middle(matrix: Locator, row: int, column: int, shape: tuple[int, ...]) -> Position:
    box = matrix.bounding_box()
    assert box
    y, x = (
        (index + 0.5) * box[side] / size
        for index, side, size in zip((row, column), ("height", "width"), shape, strict=True)
    )
    return {"x": x, "y": y}


def shown_row(page: Page, column: int = -1) -> np.ndarray:
    """Read one column of the table of rows: by default the last, which follows the pointer."""
    read = "lines => lines.map(line => Number([...line.querySelectorAll('td')].at(COLUMN).dataset.weight))"
    return np.array(page.locator(".bars tbody tr").evaluate_all(read.replace("COLUMN", str(column))))


def shown_rows(page: Page, n_rows: int) -> np.ndarray:
    rows = []
    for row in range(n_rows):
        point_at_row(page, row, n_rows)
        rows.append(shown_row(page))
    return np.stack(rows)


def choose(page: Page, name: str) -> None:
    page.locator(".explorer .top-line").get_by_label(name, exact=True).check(force=True)


def tile(page: Page, layer: int, head: int) -> Locator:
    return page.get_by_role("button", name=f"Layer {layer}, head {head}", exact=True)


def caption(page: Page) -> Locator:
    return page.locator(".views > .matrix figcaption")


def address(page: Page) -> str:
    return str(page.evaluate("location.search"))


def wait_for_address(page: Page, part: str) -> None:
    page.wait_for_function("part => location.search.includes(part)", arg=part)


def rgb(colour: str) -> str:
    """Return ``colour``, of the form #rrggbb, as a computed style has it."""
    return f"rgb({', '.join(str(int(colour[start : start + 2], 16)) for start in (1, 3, 5))})"
