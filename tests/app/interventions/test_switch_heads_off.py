"""Switch heads off, run by Streamlit without a browser."""

import re
from functools import partial

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pretrained import shipped
from tests.app.running import EXAMPLES, open_in_app, run, translations, warnings, written
from tests.fixtures.each_translator import each_translator
from viz.pages.interventions import state

open_app = partial(open_in_app, "switch_heads_off")
ALL_CROSS = "cross.1.attention,cross.2.attention,cross.3.attention"


def chosen(app: AppTest) -> list[str]:
    return app.multiselect(key="switched-off").value


def press(app: AppTest, name: str) -> AppTest:
    next(button for button in app.button if button.label == name).click()
    return run(app)


def test_it_opens_with_one_head_off_of_its_own_choice() -> None:
    app = open_app()
    assert not app.warning
    assert len(translations(app)) == 2
    (code,) = chosen(app)
    assert re.fullmatch(r"(encoder|decoder|cross)\.\d+\.\d+", code)
    assert "off" not in app.query_params
    assert "head-grid" in {one.key for one in app.get("bidi_component")}


@each_translator()
def test_every_translator_can_be_acted_on_by_zero_and_by_its_means(name: str) -> None:
    app = open_app(translator=name, off="cross.1.1,encoder.positions")
    assert not app.warning
    assert chosen(app) == ["cross.1.1", "encoder.positions"]
    by_zero = written(app)
    app.button_group(key="by").set_value(True)
    assert written(run(app)) != by_zero
    assert not app.warning


def test_what_is_switched_off_changes_the_translation_and_the_link_and_is_taken_back() -> None:
    app = open_app(text=EXAMPLES[3], off="none")
    # Two lines always: what stands below them does not jump.
    whole = translations(app)
    assert whole == [whole[0]] * 2
    assert not chosen(app)
    app.multiselect(key="switched-off").set_value(ALL_CROSS.split(","))
    run(app)
    assert app.query_params["off"] == ALL_CROSS
    assert translations(app)[0] == whole[0]
    assert translations(app)[1] != whole[0]
    assert "The first step that changes is token" in written(app)
    assert translations(press(app, "Undo")) == whole
    assert app.query_params["off"] == "none"
    assert chosen(press(app, "Redo")) == ALL_CROSS.split(",")
    assert translations(press(app, "All on")) == whole


def test_a_link_reopens_what_it_was_copied_from() -> None:
    first = open_app(text=EXAMPLES[3], off=ALL_CROSS)
    again = open_app(**dict(first.query_params))
    assert translations(again) == translations(first)
    assert chosen(again) == chosen(first)


@pytest.mark.parametrize("off", ["encoder.9.1", "cross.1.99", "cross", "", "none,cross.1.1", "![](//e.example)"])
def test_a_link_to_what_the_model_has_not_gets_one_sentence(off: str) -> None:
    app = open_app(off=off)
    (warning,) = warnings(app)
    assert warning.startswith("The link asks for")
    assert len(translations(app)) == 2


def test_a_run_can_be_taken_up_again() -> None:
    app = open_app(text=EXAMPLES[3], off="cross.1.1")
    app.multiselect(key="switched-off").set_value(["cross.1.1", "encoder.1.attention"])
    run(app)
    press(app, "Cross 1.1")
    assert chosen(app) == ["cross.1.1"]
    assert chosen(press(app, "Undo")) == ["cross.1.1", "encoder.1.attention"]


def test_what_is_off_stays_for_another_sentence_and_for_a_model_that_has_it() -> None:
    app = open_app(off="cross.2.1,encoder.3.8")
    app.text_area(key="text").set_value(EXAMPLES[4])
    assert chosen(run(app)) == ["cross.2.1", "encoder.3.8"]
    smaller = next(name for name in shipped() if name.endswith("de-multi30k"))
    app.selectbox(key="translator").set_value(smaller)
    assert chosen(run(app)) == ["cross.2.1"]
    assert not app.warning


def test_a_link_from_another_page_brings_its_sentence_and_its_translator() -> None:
    german = {"sentence": "Der Hund jagt die Katze.", "by-model": "translation-de-en", "off": "cross.1.1"}
    app = open_app(**german)
    assert app.text_area(key="text").value == german["sentence"]
    assert chosen(app) == ["cross.1.1"]
    assert "sentence" not in app.query_params
    assert app.query_params["text"] == german["sentence"]
    captions = open_app(sentence="A dog runs.", **{"by-model": "translation-en-de-multi30k"})
    assert captions.selectbox(key="translator").value == "translation-en-de-multi30k"


def test_translate_leads_here_with_the_head_in_view() -> None:
    app = open_in_app("translate", text=EXAMPLES[3], kind="encoder", heads="2.5")
    links = {link.proto.label: link.proto for link in app.get("page_link")}
    assert any(name.startswith("Switch this head off") for name in links)


def test_without_means_only_zero_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "load_head_means", lambda _: None)
    st.cache_resource.clear()
    app = open_app()
    assert not app.warning
    assert "by" not in [group.key for group in app.button_group]
    assert "dev set" not in written(app)
    st.cache_resource.clear()


def test_an_impossible_text_gets_one_sentence_and_an_example_stays() -> None:
    app = open_app(text="   ")
    (warning,) = warnings(app)
    assert "type a sentence" in warning
    assert len(translations(app)) == 2


def test_a_text_too_long_to_be_measured_is_named() -> None:
    app = open_app(text="a" * 400)
    assert any("is measured for at most" in warning for warning in warnings(app))
