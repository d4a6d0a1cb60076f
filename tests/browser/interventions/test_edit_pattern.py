"""Edit a pattern, in a real Chromium without a network."""

from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.saving import saved
from tests.browser.waiting import at_rest, translations, visit_page

visit = partial(visit_page, shows=".js-plotly-plot")


def test_a_chosen_edit_is_in_the_link_which_reopens_it(
    page: Page, app_url: str, open_page: Callable[..., Page]
) -> None:
    visit(page, f"{app_url}/edit-pattern")
    before = translations(page)
    assert before[0] != before[1]
    page.get_by_role("radio", name="What they choose").click()
    at_rest(page)
    assert parse_qs(urlsplit(page.url).query)["look"] == ["as is"]
    assert translations(page) == [before[0], before[0]]
    assert translations(visit(open_page(), page.url)) == [before[0], before[0]]
    assert saved(page.locator(".pattern-editor"), "Picture (SVG)").suggested_filename == "pattern-after.svg"
    assert page.errors == []


def query(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def row(page: Page, number: int) -> Locator:
    return page.get_by_role("slider", name=f"Row {number},")


def middle_of(page: Page, number: int, token: int) -> tuple[float, float]:
    row(page, number).scroll_into_view_if_needed()
    box = row(page, number).locator(".cell").nth(token - 1).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_row_is_dragged_to_another_token_and_moved_on_by_keys(page: Page, app_url: str) -> None:
    visit(page, f"{app_url}/edit-pattern?look=What they choose&edit-head=Encoder 1.2")
    page.mouse.move(*middle_of(page, 3, 3))
    page.mouse.down()
    page.mouse.move(*middle_of(page, 3, 2), steps=3)
    expect(row(page, 3)).to_have_attribute("aria-valuenow", "2")
    # Up and down it stays in its row.
    page.mouse.move(*middle_of(page, 5, 1), steps=3)
    page.mouse.up()
    at_rest(page)
    assert query(page)["look"] == "token"
    assert (query(page)["row"][0], "to" in query(page)) == ("3", False)  # the first token is where it is by default
    expect(row(page, 3)).to_have_attribute("aria-valuenow", "1")
    # The keyboard goes on where the pointer was.
    for key in ("ArrowDown", "ArrowUp", "ArrowUp", "End", "ArrowLeft"):
        page.keyboard.press(key)
    assert query(page)["row"][0] == "3"
    last = int(row(page, 2).get_attribute("aria-valuemax") or 0)
    expect(row(page, 2)).to_have_attribute("aria-valuenow", str(last - 1))
    page.keyboard.press("Enter")
    at_rest(page)
    assert (query(page)["row"][0], query(page)["to"].split()[0]) == ("2", str(last - 1))
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    expect(row(page, 2)).to_have_attribute("aria-valuenow", str(last - 1))
    # Another row is moved before the page has answered to this one, and stays so after that.
    for key in ("Home", "Enter", "ArrowDown", "End"):
        page.keyboard.press(key)
    at_rest(page)
    assert query(page)["row"][0] == "2"
    expect(row(page, 3)).to_have_attribute("aria-valuenow", str(last))
    page.keyboard.press("Enter")
    at_rest(page)
    assert query(page)["row"][0] == "3"
    assert page.errors == []


def test_on_a_phone_a_finger_along_a_row_drags_and_one_down_the_page_scrolls(
    open_page: Callable[..., Page], app_url: str
) -> None:
    page = visit(open_page(viewport={"width": 390, "height": 844}, has_touch=True), f"{app_url}/edit-pattern")
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth")
    touch = page.context.new_cdp_session(page)

    def swipe(start: tuple[float, float], end: tuple[float, float]) -> None:
        steps = [tuple(a + (b - a) * step / 6 for a, b in zip(start, end, strict=True)) for step in range(7)]
        for step, (x, y) in enumerate(steps):
            kind = "touchMove" if step else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        at_rest(page)

    swipe(middle_of(page, 3, 3), middle_of(page, 3, 7))
    edited = query(page)
    assert (edited["row"][0], edited["to"][0]) == ("3", "7")
    x, y = middle_of(page, 4, 2)
    swipe((x, y), (x, y - 200))
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollTop > 0")
    assert query(page) == edited
