"""Start: a sentence is translated as it is typed, and what cannot be translated loses nothing."""

import re
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app, open_page, run, written
from tests.fixtures.payload import unpack
from viz.base.words import page_text
from viz.pages.start import start, state
from viz.pages.start.components import architecture
from viz.pages.start.findings import FINDINGS
from viz.pages.start.study.findings import stored
from viz.shared.shipped import DEFAULT_TRANSLATOR
from viz.shell.navigation import place_at

TEXT = page_text("pages/start/start")


def architecture_of(app: AppTest) -> dict[str, Any]:
    """Return the header of what the architecture was given."""
    (proto,) = [element.proto for element in app.get("bidi_component") if element.key == "architecture"]
    return unpack(proto.bytes)[0]


def sentence(app: AppTest) -> str:
    return app.text_area(key="sentence").value


def test_it_opens_on_a_sentence_and_writes_another_into_the_link() -> None:
    app = open_in_app("start")
    assert sentence(app) == TEXT["opening sentence"]
    assert "sentence" not in app.query_params
    app.text_area(key="sentence").set_value("He reads a book.")
    run(app)
    assert app.query_params["sentence"] in ("He reads a book.", ["He reads a book."])
    assert not app.warning


def test_the_link_opens_its_sentence() -> None:
    assert sentence(open_in_app("start", sentence="She sings.")) == "She sings."


@pytest.mark.parametrize("part", start._ways("She sings.", DEFAULT_TRANSLATOR))
def test_the_way_from_each_part_opens_a_view_that_there_is(part: str) -> None:
    way = start._ways("She sings.", DEFAULT_TRANSLATOR)[part]
    path, _, query = way.address.format(layer=1, head=1).partition("?")
    app = open_in_app(place_at(path).part.path.stem, **dict(parse_qsl(query)))
    assert not [*app.warning, *app.exception]


def test_an_example_takes_the_place_of_what_was_typed() -> None:
    app = open_in_app("start")
    app.button(key="example-0").click()
    run(app)
    assert sentence(app) == TEXT["examples"].splitlines()[0]


def test_what_cannot_be_translated_gets_one_sentence_and_an_example() -> None:
    app = open_in_app("start", sentence=" ")
    (warning,) = app.warning
    assert TEXT["example shown"] in warning.value
    assert not app.exception


def test_the_example_is_shown_as_its_own_translator_reads_it() -> None:
    app = open_in_app("start", sentence=" ", translator="translation-de-en")
    assert len(app.warning) == 1
    example = open_in_app("start")
    assert architecture_of(app) == architecture_of(example)


def test_of_a_text_that_is_too_long_the_beginning_is_read_linked_or_typed() -> None:
    text = "The dog sleeps.\n" * 20
    linked, typed = open_in_app("start", sentence=text), open_in_app("start")
    typed.text_area(key="sentence").set_value(text)
    for app in (linked, run(typed)):
        (warning,) = app.warning
        assert warning.value == "This text has 320 characters, and at most 200 are read: the rest is left out."
        assert sentence(app) == app.query_params["sentence"] == [text[:200]] or sentence(app) == text[:200]
        # Another run comes by itself: the sentence stays until another text is typed.
        (warning,) = run(app).warning
        assert "320 characters" in warning.value
        app.text_area(key="sentence").set_value("The dog sleeps.")
        assert not run(app).warning


def test_a_text_too_short_to_tell_its_language_can_be_read_in_another() -> None:
    app = open_in_app("start", sentence="Hotel")
    (unsure,) = [caption.value for caption in app.caption if "Too short" in caption.value]
    offered = [button for button in app.button if button.label.startswith("Read as ")]
    assert len(offered) > 1
    assert not {button.label.removeprefix("Read as ") for button in offered} & {*unsure.rstrip(".").split()}
    french = next(button for button in offered if button.label == "Read as French")
    french.click()
    run(app)
    assert [caption.value for caption in app.caption if "Too short" in caption.value] == [
        "Too short to tell the language; read as French."
    ]
    assert "translation-fr-en" in app.query_params["translator"]
    # The link says it, and what leads on.
    linked = open_in_app("start", sentence="Hotel", translator="translation-fr-en")
    assert [caption.value for caption in linked.caption] == [caption.value for caption in app.caption]
    # It is for this text alone.
    app.text_area(key="sentence").set_value("The dog sleeps on the sofa.")
    run(app)
    assert "translator" not in app.query_params
    assert not [button for button in app.button if button.label.startswith("Read as ")]
    assert not app.warning


def test_a_translator_that_is_not_there_gets_one_sentence() -> None:
    app = open_in_app("start", translator="translation-en-xx")
    (warning,) = app.warning
    assert "`translation-en-xx` as translator" in warning.value


@pytest.mark.parametrize("part", ["decoder.cross.9.9", "decoder.cross.2.9", "encoder.attention.4", "decoder.elbow", ""])
def test_a_link_to_a_part_that_the_model_has_not_gets_one_sentence(part: str) -> None:
    (warning,) = open_in_app("start", open=part).warning
    assert "as open" in warning.value
    assert "decoder.cross.2.1" in warning.value


@pytest.mark.parametrize("part", ["decoder.cross", "decoder.cross.2", "decoder.cross.3.8", "decoder.softmax", "scale"])
def test_a_link_to_a_part_of_the_model_gets_none(part: str) -> None:
    assert not open_in_app("start", open=part).warning


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("We are\u00adhere.", "This model does not know `U+00AD`."),
        ("We\u00a0are here.", "The model reads these in another form, or as blanks: `U+00A0`."),
        ("\uff26\uff55\uff4c\uff4e\uff53 we are.", "`\uff26` `\uff55` `\uff4c` `\uff4e` (+1)."),
        ("THE DOG SLEEPS.", "small letters"),
    ],
)
def test_what_is_read_otherwise_is_said(text: str, said: str) -> None:
    captions = [caption.value for caption in open_in_app("start", sentence=text).caption]
    assert any(said in caption for caption in captions)


def test_what_is_read_as_it_stands_needs_no_word() -> None:
    assert not open_in_app("start", sentence="The dog sleeps.").caption


def test_an_opened_part_is_that_of_the_text_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    inside_of = state.inside_of
    monkeypatch.setattr(architecture, "asked_layer", lambda *_: 0)
    monkeypatch.setattr(state, "inside_of", lambda text, *rest: read.append(text) or inside_of(text, *rest))
    assert not open_in_app("start", sentence="THE DOG SLEEPS.").exception
    assert read == ["The dog sleeps."]


def test_the_card_of_an_edited_head_opens_the_edit_that_it_describes() -> None:
    (finding,) = (each for each in FINDINGS if each.name == "gender")
    claim = stored()["gender"]
    opened = open_page("edit_pattern", **finding.query)
    assert claim.holds
    assert not opened.warning
    lines = " ".join(re.sub("<[^>]+>", " ", written(opened)).split())
    assert all(str(words) in lines for words in claim.values.values())
