"""What the tests of the site look for on its pages."""

from playwright.sync_api import Page, expect


def written(page: Page, word: str) -> None:
    """Expect ``word`` in the translation that the page shows."""
    expect(page.locator(".component").get_by_text(word, exact=True).first).to_be_visible()
