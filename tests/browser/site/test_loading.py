"""What the site loads: asked for again where it failed, and kept for a visit without a network."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.site.conftest import SENTENCE
from tests.browser.site.shown import written

# Whether the browser keeps everything that the page has loaded, and the page itself.
KEPT = """async () => {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const kept = await Promise.all([location.href, ...loaded].map((name) => caches.match(name)));
  return kept.every(Boolean);
}"""


def test_what_could_not_be_loaded_is_asked_for_again(site_url: str, page: Page) -> None:
    page.route("**/plotly.js*", lambda route: route.fulfill(status=503))
    page.goto(f"{site_url}/choose-encoding/?need=position")
    expect(page.locator(".notes p")).to_contain_text("cannot be loaded")
    page.unroute("**/plotly.js*")
    page.get_by_label("What do you need?").select_option("longer")
    expect(page.locator(".chart .main-svg").first).to_be_visible()
    page.route("**/recorded-*.bin", lambda route: route.fulfill(status=503))
    page.goto(f"{site_url}/train/?question=layers")
    expect(page.locator(".notes p")).to_contain_text("cannot be loaded")
    page.unroute("**/recorded-*.bin")
    page.get_by_label("Question").select_option("grokking")
    expect(page.get_by_text(re.compile("^Step "))).to_be_visible()
    expect(page.locator(".notes p")).to_have_count(0)


def test_it_works_without_a_network_after_the_first_visit(site_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page(service_workers="allow")
    page.goto(site_url)
    written(page, "Hund")
    # What waits for a function does not wait for its promise.
    for _ in range(300):
        if page.evaluate(KEPT):
            break
        page.wait_for_timeout(100)
    assert page.evaluate(KEPT)
    page.context.set_offline(True)
    page.goto(f"{site_url}/?sentence={SENTENCE}")
    written(page, "schläft")
    # A page that was never opened, made of the same files.
    page.goto(f"{site_url}/translate/")
    expect(page.locator(".line-token").first).to_be_visible()
