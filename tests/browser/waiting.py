"""Waiting for a page to come to rest, by what it does and not by a clock; and what several pages show then."""

from typing import Any

from playwright.sync_api import Page, TimeoutError, expect

# Longer than the explorer waits before it tells the page of a choice.
STILL_MILLISECONDS = 600
# Far longer than any page takes, however busy the machine: a page that never rests is a fault of the page.
MOST_MILLISECONDS = 120_000
_REST = """async ([still, most]) => {
  const isRunning = () => document.querySelector("[data-test-script-state=running]") !== null;
  // What follows the place that is scrolled to, and not the time, is at rest while nothing is scrolled.
  const isMoving = () => document.getAnimations().some(({ timeline }) => timeline instanceof DocumentTimeline);
  await new Promise((resolve, reject) => {
    let timer;
    const limit = setTimeout(() => reject(new Error(`the page did not come to rest in ${most} ms`)), most);
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => (isRunning() || isMoving() ? wait() : done()), still);
    };
    const observer = new MutationObserver(wait);
    const done = () => {
      observer.disconnect();
      clearTimeout(limit);
      resolve();
    };
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    wait();
  });
}"""


def at_rest(page: Page) -> None:
    """Wait until no run is under way, nothing moves, and nothing has changed on the page for a while."""
    page.evaluate(_REST, [STILL_MILLISECONDS, MOST_MILLISECONDS])


def visit_page(page: Page, url: str, shows: str) -> Page:
    """Open ``url`` and wait until what the selector ``shows`` finds is there, and the page is at rest."""
    page.goto(url)
    # The first page of a server loads PyTorch and the model.
    expect(page.locator(shows).first).to_be_visible(timeout=90_000)
    at_rest(page)
    return page


def translations(page: Page) -> list[str]:
    """Return the lines above a picture, each of them a translation."""
    return page.locator(".two-lines .words").all_inner_texts()


def left_of(page: Page, faults: str) -> Any:
    """Return what the function ``faults`` of the page still returns after waiting until it returns nothing."""
    try:
        page.wait_for_function(f"({faults})().length === 0")
    except TimeoutError:
        return page.evaluate(faults)
    return []
