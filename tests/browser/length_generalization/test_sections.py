"""What a visitor does with the league, in a real Chromium; its table holds the paper's numbers without any zoo, too."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.waiting import at_rest


def test_headings_stay_in_sight_while_the_table_moves_by_keyboard(app_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 390, "height": 600})
    page.goto(f"{app_url}/ranking")
    # The last of the page: what comes above would move the table while it is measured.
    expect(page.get_by_text("The ranks (CSV)").first).to_be_attached()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    table = page.get_by_role("region", name="Exact match past training")
    table.focus()
    at_rest(page)
    column, row, cell = (table.locator(place) for place in ("thead th >> nth=1", "tbody th >> nth=5", "td >> nth=40"))
    before = [part.bounding_box() for part in (column, row, cell)]
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
        at_rest(page)
    after = [part.bounding_box() for part in (column, row, cell)]
    frame = table.bounding_box()
    assert frame
    moved = [(old["x"] - new["x"], old["y"] - new["y"]) for old, new in zip(before, after, strict=True) if old and new]
    (column_x, column_y), (row_x, row_y), (cell_x, cell_y) = moved
    assert (column_x, row_y) == (cell_x, cell_y)
    assert cell_x > 0 < cell_y
    assert (row_x, column_y) == (0, 0)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
