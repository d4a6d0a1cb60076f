"""What is data and no words: a browser that translates a page leaves it as it is."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

# All with a text of its own that is neither marked nor within what is, by where it stands; shadow roots included.
UNMARKED = """([data, words]) => {
  const isKept = (node) => {
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host)
      if (at.getAttribute("translate") === "no") return true;
    return false;
  };
  const found = [];
  const walk = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.shadowRoot) walk(one.shadowRoot);
      const own = [...one.childNodes].filter(({ nodeType }) => nodeType === 3);
      const text = own.map((node) => node.data).join("").trim();
      if (!text || isKept(one) || !(one.closest(data) || words.includes(text))) continue;
      found.push(`${one.localName}.${one.getAttribute("class")}: ${text}`);
    }
  };
  walk(document);
  return found;
}"""
DATA = ".katex, code, pre, math, bdi, .token, .tokens, .line-token, .source-token, .labels, .row-token, .st-key-example"
# Tokens of the sentences that the pages open on, in any element.
TOKENS = ["brother", "Bruder", "gelesen", "gegeben", "chases", "·ases", "verf", "·olgt", "⟨end⟩", "⟨start⟩", "Katze"]


def expect_marked(page: Page) -> None:
    """Wait until all data on ``page`` is marked: formulas are, once they are drawn."""
    try:
        page.wait_for_function(f"sought => ({UNMARKED})(sought).length === 0", arg=[DATA, TOKENS])
    except PlaywrightTimeoutError:
        assert page.evaluate(UNMARKED, [DATA, TOKENS]) == []
        raise


@pytest.mark.parametrize(
    "address",
    [
        "",
        "?open=decoder.cross.2.1",
        "?open=encoder.feed-forward.1",
        "translate?kind=cross&heads=2.1&pins=1.1",
        "translate?kind=encoder&heads=1.2-1.3&text=Two%20dogs.%20My%20brother%20sleeps.",
        "sinusoid",
        "dot-product",
        "hooks",
    ],
)
def test_tokens_formulas_and_code_are_left_as_they_are(
    open_page: Callable[..., Page], app_url: str, address: str
) -> None:
    page = open_page()
    page.goto(f"{app_url}/{address}")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-stale='true']")).to_have_count(0)
    expect_marked(page)
    # The words around them are translated.
    assert page.locator("h1").evaluate("node => node.closest('[translate=no]')") is None
