"""Links of the site that ask for what is not there: one sentence each, and a view all the same."""

from playwright.sync_api import Page, expect

from tests.browser.site.conftest import BROTHER
from tests.browser.site.shown import written


def test_what_a_link_asks_for_and_is_not_there_gets_one_sentence_each(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/translate/?text={BROTHER}&heads=9.9&kind=elbow&translator=nothing")
    expect(page.locator(".token-line")).to_contain_text("Bruder")
    alerts = page.locator(".notes p")
    expect(alerts).to_have_count(3)
    for key, value in (("heads", "9.9"), ("kind", "elbow"), ("translator", "nothing")):
        expect(alerts.filter(has_text=f"The link asks for {value} as {key}.")).to_have_count(1)
    page.goto(f"{site_url}/translate/?text={BROTHER}&heads=2.1&kind=cross")
    expect(page.locator(".token-line")).to_contain_text("Bruder")
    expect(alerts).to_have_count(0)


def test_a_link_with_nothing_to_translate_opens_on_an_example(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/?sentence=%20&open=decoder.cross.9.9")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("There is nothing to translate")
    written(page, "Hund")
    expect(page.locator(".notes")).to_contain_text("The link asks for decoder.cross.9.9 as open.")
    assert page.errors == []


def test_a_text_that_is_cut_says_so(site_url: str, page: Page) -> None:
    page.goto(f"{site_url}/?sentence={'The cat sleeps.' * 20}")
    written(page, "Katze")
    expect(page.locator("main").get_by_role("alert")).to_have_text(
        "This text has 300 characters. The first 200 are read."
    )
