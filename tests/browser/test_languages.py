"""The app in every language in a real Chromium: switching, links, and that no English is left.

``LANGUAGE_PAGES=all pytest tests/browser/test_languages.py`` opens every page in every language; without it, a few.
"""

import os
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.app.links import PAGES
from tests.browser.waiting import at_rest
from viz.base.languages import ENGLISH, LANGUAGES, in_language
from viz.base.words import page_text
from viz.shell.navigation import Place, place_at

OTHERS = [name for name in LANGUAGES if name != ENGLISH]
IS_ALL = os.environ.get("LANGUAGE_PAGES") == "all"
FEW = {"translate", "cliff"}
OPENED = [
    pytest.param(name, page, id=f"{name}-{page.part.path.stem}")
    for name in OTHERS
    for page in PAGES
    if IS_ALL or page.part.path.stem in FEW
]
# Four words in a row, one of them as only English has it, are a sentence or a label that was forgotten.
FOUR_WORDS = re.compile(r"(?:\b[A-Za-z][a-z']* ){3,}[a-z']+\b")
ENGLISH_ALONE = re.compile(r"\b(?:the|of|and|is|are|to|for|with|what|which|how|each|this)\b", re.IGNORECASE)
# What is the same in every language: code, formulas, what models read and write, and what is marked as English.
AS_IT_IS = (
    "em, a[href^=https], code, pre, .katex, [lang=en], textarea, .st-key-example, .written, .token-line, .hypotheses, "
    ".source-line, .strip, .st-key-card, a[href*='text=']"
)
# Sentences that a model reads stand in quotes, or on both sides of an arrow.
QUOTED = re.compile('「[^」]*」|“[^”]*”|"[^"]*"|^.*→.*$')
# What Streamlit and Plotly say by themselves.
NOT_OURS = {"Skip to main content", "Download plot as a PNG"}
TEXTS = """(skipped) => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
    [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
  const above = (node) => node.parentElement ?? node.getRootNode().host;
  const isSkipped = (node) => node && (node.matches(skipped) || isSkipped(above(node)));
  const texts = [];
  for (const node of all(document.querySelector("[data-testid=stApp]"))) {
    if (["style", "script"].includes(node.localName) || isSkipped(node)) continue;
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) texts.push(child.data);
    for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(node.getAttribute(name) ?? "");
  }
  return texts.map((text) => text.trim().replace(/\\s+/g, " ")).filter(Boolean);
}"""

# Of names that are cut to fit; tokens and sentences may be.
CUT = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((node) =>
    [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
  return all(document.querySelector("[data-testid=stApp]")).filter((node) =>
    node.matches("button, button *, label, label *:not(output), summary, th, .stPageLink *") && node.clientWidth > 1
    && !node.closest(".st-key-example")
    && node.textContent.trim() && getComputedStyle(node).overflowX !== "visible"
    && getComputedStyle(node).overflowX !== "auto" && node.scrollWidth > node.clientWidth + 1
  ).map((node) => node.textContent.trim().slice(0, 60));
}"""


def question(url_path: str, name: str) -> str:
    with in_language(name):
        return place_at(url_path).part.question


def english_in(texts: set[str]) -> list[str]:
    runs = {text: [run[0] for run in FOUR_WORDS.finditer(QUOTED.sub("", text))] for text in texts - NOT_OURS}
    return [text for text, found in runs.items() if any(map(ENGLISH_ALONE.search, found))]


def test_the_browsers_language_is_taken_at_first(app_url: str, open_page: Callable[..., Page]) -> None:
    page = open_page(locale="ja-JP")
    page.goto(f"{app_url}/glossary")
    expect(page.get_by_role("heading", level=1)).to_have_text(question("glossary", "ja"))
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert "language=" not in page.url


def test_switching_keeps_what_is_chosen_on_the_page_and_goes_along(
    app_url: str, open_page: Callable[..., Page]
) -> None:
    page = open_page()
    page.goto(f"{app_url}/translate?text=The+dog+sleeps.&search=greedy")
    text, korean = page_text("pages/translate/opening"), {}
    expect(page.get_by_role("radio", name=text["search greedy"])).to_be_checked()
    page.get_by_label("Language").select_option("ko")
    with in_language("ko"):
        korean = {key: text[key] for key in ("search greedy", "search beam")}
    expect(page.get_by_role("radio", name=korean["search greedy"])).to_be_checked()
    expect(page.get_by_role("textbox").first).to_have_value("The dog sleeps.")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page).to_have_url(re.compile("language=ko"))
    at_rest(page)
    # A term opens in a tab of its own.
    term = page.locator("a[href*='glossary'][href*='#']").first
    term.focus()
    expect(term).to_have_attribute("href", re.compile(r"glossary\?language=ko#"))
    page.reload()
    expect(page.get_by_role("radio", name=korean["search greedy"])).to_be_checked()
    page.locator(".st-key-next a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(question("dot-product", "ko"))
    expect(page).to_have_url(re.compile("language=ko"))


def test_a_fragments_run_is_in_the_language_that_was_chosen(app_url: str, open_page: Callable[..., Page]) -> None:
    page, text = open_page(), page_text("pages/translate/attention_views")
    page.goto(f"{app_url}/translate?language=ja")
    with in_language("ja"):
        view, said = text["view head"], text["bertviz"]
    page.get_by_role("radio", name=view).click()
    expect(page.get_by_text(said[:20])).to_be_visible()


@pytest.mark.parametrize(("name", "shown"), OPENED)
def test_a_page_has_no_english_left_and_fits(
    app_url: str, open_page: Callable[..., Page], name: str, shown: Place
) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{app_url}/{shown.part.url_path}?language={name}")
    expect(page.get_by_role("heading", level=1)).to_have_text(question(shown.part.url_path, name))
    at_rest(page)
    assert english_in({*page.evaluate(TEXTS, AS_IT_IS)}) == []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        at_rest(page)
        assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth <= node.clientWidth"), width
        assert page.evaluate(CUT) == [], width


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("", "pages/start/architecture"),
        ("translate", "components/attention_explorer"),
        ("positional-encoding", "pages/positional_encoding/playground"),
        ("cliff", "components/menu"),
    ],
)
def test_pictures_follow_the_language_without_a_reload(
    app_url: str, open_page: Callable[..., Page], address: str, file: str
) -> None:
    page, text = open_page(), page_text(file)
    english = dict(text)
    page.goto(f"{app_url}/{address}")
    expect(page.locator(".picture-menu summary").first).to_be_visible()
    at_rest(page)
    assert {*page.evaluate(TEXTS, ".katex")} & {*english.values()}
    page.get_by_label("Language").select_option("ko")
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    at_rest(page)
    with in_language("ko"):
        left = {word for key, word in english.items() if word != text[key]}
    assert {*page.evaluate(TEXTS, ".katex")} & left == set()
    assert page.errors == []
