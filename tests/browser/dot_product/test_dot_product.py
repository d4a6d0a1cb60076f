"""What a visitor does on the page Dot product by hand, in a real Chromium."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

WORKED = "?X=1+0+1+0;+0+1+0+1"


def visit(page: Page, app_url: str, query: str = WORKED) -> Page:
    page.goto(f"{app_url}/dot-product{query}")
    expect(cell(page, "X", 1, 1)).to_be_visible()
    expect(result(page, "output").first).to_be_visible()
    return page


def cell(page: Page, name: str, row: int, column: int) -> Locator:
    return page.get_by_label(f"{name}, row {row}, column {column}", exact=True)


def result(page: Page, name: str) -> Locator:
    """The cells of the matrix ``name``."""
    caption = page.locator("caption", has_text=re.compile(rf"^{re.escape(name)} \d"))
    return page.locator("table.matrix").filter(has=caption).first.locator("td")


def test_typing_into_a_cell_changes_the_result_and_the_url(
    app_url: str, page: Page, open_page: Callable[..., Page]
) -> None:
    visit(page, app_url)
    expect(result(page, "Q")).to_have_text(["2", "0", "0", "2"])
    cell(page, "X", 1, 1).fill("5")
    expect(result(page, "Q")).to_have_text(["6", "0", "0", "2"])
    expect(cell(page, "X", 1, 1)).to_be_focused()
    page.wait_for_url(re.compile("X=5"))
    again = visit(open_page(), app_url, "?" + page.url.partition("?")[2])
    expect(cell(again, "X", 1, 1)).to_have_value("5")
    expect(result(again, "Q")).to_have_text(["6", "0", "0", "2"])


def test_a_mistake_is_marked_and_said_and_mended(app_url: str, page: Page) -> None:
    visit(page, app_url)
    cell(page, "W_K", 2, 1).fill("two")
    expect(page.get_by_role("alert")).to_contain_text("row 2, column 1 of W_K is “two”; write a finite number")
    expect(cell(page, "W_K", 2, 1)).to_have_attribute("aria-invalid", "true")
    expect(result(page, "K")).to_have_text(["1", "1", "1", "1"])
    cell(page, "W_K", 2, 1).fill("3")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(result(page, "K")).to_have_text(["1", "1", "4", "1"])


def test_arrows_move_and_a_block_is_pasted(app_url: str, page: Page) -> None:
    visit(page, app_url)
    cell(page, "X", 1, 1).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(cell(page, "X", 2, 2)).to_be_focused()
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text", "7\\t8\\t9");
            const shadow = [...document.querySelectorAll("*")].find((one) => one.shadowRoot?.activeElement);
            const focused = shadow ? shadow.shadowRoot.activeElement : document.activeElement;
            const options = { clipboardData: data, bubbles: true, cancelable: true };
            focused.dispatchEvent(new ClipboardEvent("paste", options));
        }"""
    )
    expect(cell(page, "X", 2, 4)).to_have_value("9")
    expect(result(page, "Q")).to_have_text(["2", "0", "8", "16"])


def test_examples_rows_and_columns(app_url: str, page: Page) -> None:
    visit(page, app_url)
    page.get_by_role("button", name="Two heads").click()
    expect(cell(page, "W_Q", 4, 4)).to_have_value("2")
    page.get_by_label("Add a row to X").click()
    expect(cell(page, "X", 4, 1)).to_have_value("0")
    expect(result(page, "pattern")).to_have_count(16)
    page.get_by_label("Remove the last row of W_O").click()
    expect(page.get_by_role("alert")).to_contain_text("W_O has 3 rows and the heads together give 4 columns")


def test_the_strip_follows_what_is_typed_in_two_rows_on_a_phone(app_url: str, open_page: Callable[..., Page]) -> None:
    for size, layout in (({"width": 1440, "height": 900}, "wide"), ({"width": 390, "height": 844}, "narrow")):
        page = visit(open_page(viewport=size), app_url)
        strip = page.get_by_role("img", name=re.compile("The whole computation"))
        expect(strip).to_have_count(1)
        expect(strip).to_have_class(layout)
        assert strip.bounding_box()["height"] <= (170 if layout == "wide" else 300)
        expect(strip).to_have_attribute("aria-label", re.compile(r"rows 0\.500 0\.500; 0\.500 0\.500"))
        cell(page, "W_K", 1, 1).fill("5")
        expect(strip).not_to_have_attribute("aria-label", re.compile(r"rows 0\.500 0\.500; 0\.500 0\.500"))


def test_an_old_link_to_the_study_of_the_scale_leads_to_its_page(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/dot-product?X=1+0+1+0;+0+1+0+1&samples=200&additive-seed=3")
    page.wait_for_url(re.compile(r"/dot-product\?.*samples=200.*part=scale"))
    expect(page.get_by_role("heading", level=1)).to_have_text("What would softmax do without the factor 1/√d_k?")
    expect(page.get_by_text("means of 200 random queries")).to_be_visible()
