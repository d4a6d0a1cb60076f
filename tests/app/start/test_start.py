"""Start: a sentence is translated as it is typed, and what cannot be translated loses nothing."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.running import open_in_app, run
from viz.base.words import page_text

TEXT = page_text("pages/start/start")


def sentence(app: AppTest) -> str:
    return app.text_input(key="sentence").value


def test_it_opens_on_a_sentence_and_writes_another_into_the_link() -> None:
    app = open_in_app("start")
    assert sentence(app) == TEXT["opening sentence"]
    assert "sentence" not in app.query_params
    app.text_input(key="sentence").set_value("He reads a book.")
    run(app)
    assert app.query_params["sentence"] in ("He reads a book.", ["He reads a book."])
    assert not app.warning


def test_the_link_opens_its_sentence() -> None:
    assert sentence(open_in_app("start", sentence="She sings.")) == "She sings."


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


def test_a_sentence_that_is_too_long_for_the_link_gets_one_sentence() -> None:
    app = open_in_app("start", sentence="a " * 200)
    (warning,) = app.warning
    assert "sentence" in warning.value
    assert sentence(app) == TEXT["opening sentence"]


@pytest.mark.parametrize("part", ["decoder.cross.9.9", "decoder.cross.2.9", "encoder.attention.4", "decoder.elbow", ""])
def test_a_link_to_a_part_that_the_model_has_not_gets_one_sentence(part: str) -> None:
    (warning,) = open_in_app("start", open=part).warning
    assert "as open" in warning.value
    assert "decoder.cross.2.1" in warning.value


@pytest.mark.parametrize("part", ["decoder.cross", "decoder.cross.2", "decoder.cross.3.8", "decoder.softmax", "scale"])
def test_a_link_to_a_part_of_the_model_gets_none(part: str) -> None:
    assert not open_in_app("start", open=part).warning
