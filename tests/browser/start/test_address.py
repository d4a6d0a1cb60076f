"""The address of what is open in Start's picture: wherever a visitor comes, it opens the same."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from model.decoding.translator import Translator
from tests.browser.start.conftest import VIEW, part
from viz.base.words import page_text
from viz.pages.start.study.architecture import passage

WORDS = page_text("pages/start/architecture")
EXAMPLE = page_text("pages/start/start")["opening sentence"]
CHOSEN = f"{VIEW} .row-token[aria-pressed=true]"
HEAD, PART = (re.compile(rf"^decoder\.cross\.\d{rest}$") for rest in (r"\.\d", ""))


def test_each_way_back_leaves_an_address_that_opens_the_same_row(start: Callable[..., Page]) -> None:
    page = start()
    up = page.get_by_role("navigation", name=WORDS["you are here"]).get_by_role("button").last
    part(page, "cross").locator(".title").click()
    row_of_a_head(page)
    for go_back in (page.go_back, lambda: page.keyboard.press("Escape"), up.click):
        page.locator(f"{VIEW} .row-token[aria-pressed=false]").first.click()
        go_back()
        expect(page.locator(VIEW)).to_have_attribute("data-open", PART)
        address, row = page.url, row_of_a_head(page)
        again = start(address.rpartition("/")[2])
        assert row == row_of_a_head(again)
        again.close()


def test_a_link_opens_the_part_the_row_and_the_step(start: Callable[..., Page], translator: Translator) -> None:
    *_, fifth, sixth = (token.label for token in passage(translator, translator.translate(EXAMPLE)).written[:6])
    page = start("?open=decoder.cross.2.1&open-row=6&open-step=values")
    expect(page.locator(VIEW)).to_have_attribute("data-open", "decoder.cross.2.1")
    expect(page.locator(CHOSEN)).to_have_text(sixth)
    expect(page.locator(f"{VIEW} .opened .sentence")).to_have_text(WORDS["step values"])
    page.locator(CHOSEN).focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(CHOSEN)).to_have_text(fifth)
    page.wait_for_url("**open-row=5**")
    page.reload()
    expect(page.locator(CHOSEN)).to_have_text(fifth)


def test_a_link_to_no_part_gets_one_sentence_and_the_whole(start: Callable[..., Page]) -> None:
    page = start("?open=decoder.nothing")
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    expect(page.locator(f"{VIEW} .opened")).to_be_hidden()


def row_of_a_head(page: Page) -> str:
    """Open the first of the heads that are shown, and return the row that it shows."""
    page.locator(f"{VIEW} .head-tile").first.click()
    expect(page.locator(VIEW)).to_have_attribute("data-open", HEAD)
    return page.locator(CHOSEN).text_content() or ""
