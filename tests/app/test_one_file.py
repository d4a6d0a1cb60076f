"""Start and Translate in the app offer themselves as one file, where what that is made of is installed."""

import re
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.links import PAGES, elements, opened
from viz.base.words import page_text
from viz.shared.shipped import translator_info
from viz.shell.heavy import COMPUTING, POLL, queue
from viz.shell.navigation import Place
from viz.site import offer, runtime

LABEL = page_text("site/site")["one file of the app"]
SENTENCE = "The dog sleeps."


def place(name: str) -> Place:
    return next(page for page in PAGES if page.part.path.stem == name)


def offers(app: AppTest) -> list[str]:
    return [proto.label for proto in elements(app._tree) if getattr(proto, "label", "") == LABEL]


@pytest.mark.parametrize(("name", "count"), [("start", 1), ("translate", 1), ("beam_search", 0)])
def test_the_two_pages_that_it_holds_offer_it(name: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offer, "is_installed", lambda: True)
    assert len(offers(opened(place(name), {}))) == count


def test_nothing_is_offered_where_it_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "_BINARY", Path("missing"))
    assert offers(opened(place("translate"), {})) == []


@pytest.mark.parametrize(
    ("name", "link", "translator"),
    [
        ("translate", {"text": [SENTENCE], "translator": ["translation-en-fr"]}, "translation-en-fr"),
        ("start", {"sentence": [SENTENCE]}, "translation-en-de"),
    ],
)
def test_the_file_opens_on_the_sentence_of_the_page_and_waits_for_its_turn(
    name: str, link: dict[str, list[str]], translator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr(offer, "is_installed", lambda: True)
    monkeypatch.setattr(offer, "_common", lambda: {})
    monkeypatch.setattr(offer, "download", lambda _, content, file: made.append((content, file)))
    opened(place(name), link)
    ((content, file),) = made
    assert file == "translation.html"
    called = []
    monkeypatch.setattr("viz.site.one_file.one_file", lambda *arguments: called.append(arguments) or "<!doctype html>")
    before = queue().enter(COMPUTING)
    with ThreadPoolExecutor() as threads:
        answer = threads.submit(content)
        assert not wait([answer], timeout=3 * POLL).done
        before.leave()
        assert re.match(rb"<!doctype html>", answer.result())
    assert called == [(translator_info(translator), {}, SENTENCE)]
