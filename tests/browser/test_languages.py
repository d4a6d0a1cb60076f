"""The app in every language in a real Chromium: switching, links, and that no English is left.

``LANGUAGE_PAGES=all pytest tests/browser/test_languages.py`` opens every page in every language; without it, a few.
``test_every_page.py`` looks at each page in one of them.
"""

import os
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.app.links import PAGES
from tests.browser.labels import TEXTS, label_faults
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


def question(url_path: str, name: str) -> str:
    with in_language(name):
        return place_at(url_path).part.question


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
    assert label_faults(page) == {}


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("", "pages/start/architecture"),
        ("translate", "components/attention_explorer"),
        ("positional-encoding", "pages/positional_encoding/playground"),
        ("cliff", "components/menu"),
        ("dot-product", "components/menu"),
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
