"""Scaled dot-product attention on the site, computed in the browser from what is typed."""

import re

from playwright.sync_api import Locator, Page, expect

from viz.components.matrix_view import product_view
from viz.components.matrix_view import written as in_cell
from viz.pages.dot_product.state import EXAMPLES, OPENING
from viz.pages.dot_product.study.by_hand import compute


def matrix(page: Page, name: str) -> Locator:
    caption = page.locator("caption", has_text=re.compile(rf"^{re.escape(name)} \d"))
    return page.locator("table.matrix").filter(has=caption).first


def test_attention_is_computed_by_hand_from_what_is_typed(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/dot-product/")
    inputs = EXAMPLES[OPENING].matrices.inputs()
    steps = compute(inputs, EXAMPLES[OPENING].options)
    expect(matrix(page, "output").locator("td")).to_have_text([in_cell(value) for value in steps.output.ravel()])
    weights = {"Q": inputs.W_Q, "K": inputs.W_K, "V": inputs.W_V}
    views = [
        product_view(("X", inputs.X), (f"W_{name}", weight), (name, getattr(steps, name)))
        for name, weight in weights.items()
    ]
    assert page.locator(".matrix-views").first.inner_html() == "".join(views)
    page.get_by_label("X, row 1, column 1", exact=True).fill("5")
    expect(matrix(page, "Q").locator("td").first).to_have_text("10")
    expect(page).to_have_url(re.compile("X=5"))
    page.get_by_role("button", name="2", exact=True).click()
    expect(matrix(page, "Z_2")).to_be_visible()
    page.reload()
    expect(page.get_by_label("X, row 1, column 1", exact=True)).to_have_value("5")
    assert page.errors == []


def test_a_link_of_the_app_opens_the_same_matrices(site_url: str, page: Page) -> None:
    page.goto(
        f"{site_url}/dot-product/?X=1+2;+3+4;+5+6&W_Q=1;+1&W_K=1;+2&mask=causal&n_padding=9&scale=false&W_V=1+0;+0+1"
    )
    expect(matrix(page, "masked scores").locator("td")).to_have_text(
        ["15", "−∞", "−∞", "35", "77", "−∞", "55", "121", "187"]
    )
    expect(page.get_by_label("Divide by √d_k")).not_to_be_checked()
    expect(page.locator(".notes p")).to_have_text([re.compile("The link asks for 9 as n_padding.*1 – 8")])
    page.goto(f"{site_url}/dot-product/?X=1+x;+3+4")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("The link gives row 1, column 2 of X is “x”")
    expect(page.get_by_label("X, row 1, column 3", exact=True)).to_have_value("1")


def test_a_cell_that_is_no_number_gets_a_sentence_and_the_last_result_stays(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/dot-product/?X=1+0+1+0;+0+1+0+1")
    page.get_by_label("W_K, row 2, column 1", exact=True).fill("two")
    message = page.locator("main").get_by_role("alert")
    expect(message).to_contain_text("row 2, column 1 of W_K is “two”; write a finite number")
    expect(matrix(page, "K").locator("td")).to_have_text(["1", "1", "1", "1"])
    page.get_by_label("W_K, row 2, column 1", exact=True).fill("3")
    expect(matrix(page, "K").locator("td")).to_have_text(["1", "1", "4", "1"])
    expect(message).to_be_hidden()
    page.get_by_label("Remove the last row of W_O").click()
    expect(message).to_contain_text("W_O has 1 row and the heads together give 2 columns")
    page.get_by_role("button", name="Overflow").click()
    expect(page.get_by_text("so an exponential above that became ∞")).to_be_visible()
    expect(message).to_be_hidden()
    assert page.errors == []
