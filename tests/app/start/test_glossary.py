"""The page Glossary, run by Streamlit without a browser."""

from urllib.parse import parse_qsl

import pytest

from model.positional import registered
from tests.app.running import open_in_app, open_page, written
from viz.base.glossary import terms
from viz.base.languages import in_language
from viz.base.words import page_text
from viz.shared.encodings import encoding_anchor
from viz.shell.navigation import place_at


def test_every_term_is_shown_with_its_meaning_and_a_link() -> None:
    said = written(open_page("glossary"))
    for term in terms():
        assert f"## {term.name}\n\n{term.meaning} <a " in said
        assert f'href="{term.address}"' in said


def test_every_encoding_is_shown_with_what_it_does() -> None:
    said = written(open_page("encodings"))
    for name, encoding in registered().items():
        assert f'id="{encoding_anchor(name)}"' in said
        assert encoding.description.explanation in said


def test_what_is_left_in_english_of_an_encoding_is_marked_as_english(monkeypatch: pytest.MonkeyPatch) -> None:
    assert '<span lang="en">' not in written(open_in_app("encodings", language="ja"))
    explanation = registered()["alibi"].description.explanation
    with in_language("ja"):
        others = {key: text for key, text in page_text("shared/model_words").items() if key != explanation}
    monkeypatch.setattr("viz.shared.model_words._WORDS", others)
    said = written(open_in_app("encodings", language="ja"))
    assert said.count('<span lang="en">') == said.count(f'<span lang="en">{explanation}') == 1
    assert '<span lang="en">' not in written(open_page("encodings"))


LED_TO = sorted({term.address for term in terms() if "?" in term.address and "read-along" not in term.address})


@pytest.mark.parametrize("address", LED_TO)
def test_a_page_takes_what_a_link_of_the_glossary_asks_for(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A page by itself has no other to lead to.
    monkeypatch.setattr("streamlit.page_link", lambda *_, **__: None)
    path, _, query = address.partition("?")
    name = place_at(path).part.path.stem
    app = open_page(name, **dict(parse_qsl(query)))
    assert not app.warning
    # What cannot be read is taken out of the link.
    assert {*app.query_params} >= {*dict(parse_qsl(query))}
