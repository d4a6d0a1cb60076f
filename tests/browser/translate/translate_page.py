"""The page Translate as a test looks at it in a browser, and what is done there."""

from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Locator, Page, expect

FOOTBALL = "I love to play football."


def visit(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.locator(".line-token").first).to_be_visible()
    expect(page.locator(".explorer .tile").first).to_be_visible()
    return settled(page)


def wait_for_url(page: Page, **parameters: str) -> None:
    page.wait_for_url(lambda url: dict(parse_qsl(urlsplit(url).query)) == parameters, wait_until="commit")


def settled(page: Page) -> Page:
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    return page


def sentence(page: Page) -> Locator:
    return page.get_by_label("English sentence", exact=True)


def type_sentence(page: Page, text: str) -> None:
    box = sentence(page)
    box.fill(text)
    expect(box).to_have_value(text)
    box.press("Enter")


def translate_anew(page: Page, text: str) -> None:
    """Type another sentence and wait for its translation: until then the page has not even begun to run again."""
    before = tokens(page).all_text_contents()
    type_sentence(page, text)
    expect(tokens(page)).not_to_have_text(before)


def choose(page: Page, name: str) -> None:
    # A translation on its way would put another explorer in the place of the one that is clicked.
    settled(page).locator(".explorer .top-line").get_by_label(name, exact=True).check(force=True)


def open_head(page: Page, layer: int, head: int) -> None:
    page.get_by_role("button", name=f"Layer {layer}, head {head}", exact=True).click()


def row_labels(page: Page) -> Locator:
    return page.locator(".views > .matrix .left .label:not(.here)")


def tokens(page: Page) -> Locator:
    return page.locator(".line-token")


def taken_apart(page: Page) -> Locator:
    return page.locator(".cell-view .which")
