"""The language that the site is read in, and what is shown where its words cannot be loaded."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.site.shown import written
from viz.base.words import sections_in


def question(language: str, page: str) -> str:
    """What the page asks in its first heading."""
    return sections_in(language, page)["question"]


def test_the_language_of_a_link_stays_on_other_pages(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/?language=ja")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(question("ja", "pages/start/start"))
    page.locator("header nav a").nth(1).click()
    expect(heading).not_to_have_text(question("ja", "pages/start/start"))
    expect(page).to_have_url(re.compile("language=ja"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    # An entry of the history in another language is read in that.
    page.locator("header select").select_option("ko")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page).to_have_url(re.compile("language=ko"))
    page.go_back()
    expect(heading).to_have_text(question("ja", "pages/start/start"))
    assert page.errors == []


def test_no_other_file_is_taken_for_words(site_url: str, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_url}/cliff/?language=/../../../elsewhere/words")
    expect(page.locator(".notes p")).to_contain_text("The link asks for /../../../elsewhere/words as language.")
    assert not [url for url in asked if "elsewhere" in url.partition("?")[0]]


def test_words_that_cannot_be_loaded_get_a_sentence(site_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.route("**/words-*.bin", lambda route: route.fulfill(status=503))
    page.goto(site_url)
    expect(page.get_by_role("alert").filter(has_text="This page cannot be loaded: words-en.json: 503.")).to_be_visible()
    page.unroute("**/words-*.bin")
    page.route("**/words-ja*.bin", lambda route: route.fulfill(status=503))
    page.reload()
    written(page, "Hund")
    box = page.get_by_label("Language")
    box.select_option("ja")
    expect(page.locator(".notes p")).to_contain_text("cannot be loaded")
    expect(box).to_have_value("en")
    expect(box).to_be_focused()
    page.reload()
    written(page, "Hund")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_of_two_languages_chosen_at_once_the_last_stays(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/glossary/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/words-ja*.bin", hold)
    box = page.get_by_label("Language")
    box.select_option("ja")
    box.select_option("ko")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    with page.expect_response("**/words-ja*.bin"):
        held[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "ko")
