"""The choice of a translator on the page Translate, among some that have the weights of the first."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from pretrained import translators
from pretrained.translators import METRICS
from tests.app.running import EXAMPLES, open_in_app, run, written
from viz.base.link_parameters import query_of, read_link
from viz.shared.shipped import DEFAULT_TRANSLATOR, examples, offered, translator
from viz.shared.translation import DecodingChoice
from viz.shared.translators import KEY, trained_on

CAPTIONS = "translation-en-de-captions"
LABELS = ["English to German", "English to German, photo captions"]


def copy_of_the_first(folder: Path, **training: object) -> None:
    """Make ``folder`` a translator with the weights of the first, which says that it was trained otherwise."""
    shutil.copytree(folder.parent / DEFAULT_TRANSLATOR, folder)
    metrics = json.loads((folder / METRICS).read_text(encoding="utf-8"))
    metrics["training"]["data"] |= training
    (folder / METRICS).write_text(json.dumps(metrics), encoding="utf-8")


@pytest.fixture(autouse=True)
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with two translators, the second one of captions alone."""
    shutil.copytree(translators.FOLDER / DEFAULT_TRANSLATOR, tmp_path / DEFAULT_TRANSLATOR)
    copy_of_the_first(tmp_path / CAPTIONS, corpus="multi30k-eng-deu", more_corpora=[])
    monkeypatch.setattr(translators, "FOLDER", tmp_path)
    st.cache_resource.clear()
    st.cache_data.clear()
    yield tmp_path
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def back(two: Path) -> str:
    """A third translator, from German to English; the text can then decide."""
    copy_of_the_first(two / "translation-de-en", source_language="German", target_language="English")
    return "translation-de-en"


def example_buttons(app: AppTest) -> list[Button]:
    """The buttons that put an example into the box; a long one's help has all of it."""
    return [button for button in app.button if button.key.startswith("example")]


def test_every_translator_can_be_chosen_and_brings_its_examples() -> None:
    app = open_in_app("translate")
    choice = app.selectbox(key=KEY)
    assert list(choice.options) == LABELS
    assert choice.value == DEFAULT_TRANSLATOR
    app.selectbox(key=KEY).set_value(CAPTIONS)
    app = run(app)
    assert [button.help or button.label for button in example_buttons(app)] == list(examples("English", "captions"))
    assert app.text_area(key="text").value == EXAMPLES[0]
    # That is not what a link without a text opens on any more.
    assert app.query_params["text"] == EXAMPLES[0]


def test_what_a_translator_learned_from_is_said_in_words() -> None:
    first, captions = offered().values()
    assert trained_on(first) == "everyday sentences and photo captions"
    assert trained_on(captions) == "photo captions"


def test_a_link_names_the_translator() -> None:
    app = open_in_app("translate", **{KEY: CAPTIONS})
    assert app.selectbox(key=KEY).value == CAPTIONS
    assert app.text_area(key="text").value == examples("English", "captions")[0]
    assert not app.warning


def test_a_translator_that_does_not_ship_is_named_and_the_first_one_translates() -> None:
    app = open_in_app("translate", **{KEY: "Latin to Klingon"})
    (warning,) = app.warning
    assert warning.value.startswith("The link asks for `Latin to Klingon` as translator. It takes: translation-en-de, ")
    assert app.selectbox(key=KEY).value == DEFAULT_TRANSLATOR
    assert "line-token" in written(app)


def test_what_a_translation_began_with_is_left_with_its_translator() -> None:
    begin = ".".join(map(str, translator(DEFAULT_TRANSLATOR).tokenizer.encode("Ein Tier")))
    app = open_in_app("translate", text=EXAMPLES[3], begin=begin)
    assert "Ein Tier" in written(app)
    app.selectbox(key=KEY).set_value(CAPTIONS)
    app = run(app)
    assert "Ein Tier" not in written(app)
    assert "begin" not in app.query_params


def test_a_translator_without_its_card_is_not_offered(two: Path) -> None:
    (two / CAPTIONS / METRICS).unlink()
    assert tuple(offered()) == (DEFAULT_TRANSLATOR,)
    app = open_in_app("translate")
    assert not any(choice.key == KEY for choice in app.selectbox)
    assert "line-token" in written(app)


def test_a_translator_without_its_weights_says_so_and_the_other_can_be_chosen(two: Path) -> None:
    (two / CAPTIONS / "weights.safetensors").unlink()
    app = open_in_app("translate", **{KEY: CAPTIONS})
    (warning,) = app.warning
    assert warning.value.startswith("The translator cannot be used: there is no weights file")
    assert app.text_area(key="text").value == examples("English", "captions")[0]
    app.selectbox(key=KEY).set_value(DEFAULT_TRANSLATOR)
    app = run(app)
    assert not app.warning
    assert "line-token" in written(app)


def test_a_link_to_another_page_names_the_translator() -> None:
    for choice in (DecodingChoice("greedy", model=CAPTIONS), DecodingChoice("sample", model=CAPTIONS)):
        assert read_link(DecodingChoice, query_of(choice)) == (choice, [])
    assert read_link(DecodingChoice, {"by-model": "../secret"})[0] == DecodingChoice()


@pytest.mark.usefixtures("back")
def test_the_text_decides_between_languages_unless_a_translator_is_chosen() -> None:
    app = open_in_app("translate")
    choice = app.selectbox(key=KEY)
    assert list(choice.options) == ["By the text's language", LABELS[0], "German to English", LABELS[1]]
    assert choice.label == "Translator: English to German"
    assert app.text_area(key="text").label == "English sentence"
    german = examples("German", "everyday")
    app.text_area(key="text").set_value(german[1])
    app = run(app)
    assert app.selectbox(key=KEY).label == "Translator: German to English"
    assert app.text_area(key="text").label == "German sentence"
    assert app.text_area(key="text").value == german[1]
    app.text_area(key="text").set_value("12 + 3")
    assert run(app).selectbox(key=KEY).label == "Translator: English to German"
    app.text_area(key="text").set_value(german[1])
    app.selectbox(key=KEY).set_value(DEFAULT_TRANSLATOR)
    app = run(app)
    assert app.selectbox(key=KEY).label == "Translator"
    assert app.text_area(key="text").label == "English sentence"


def test_a_link_s_text_decides_too(back: str) -> None:
    german = examples("German", "everyday")[2]
    app = open_in_app("translate", text=german)
    assert app.selectbox(key=KEY).label == "Translator: German to English"
    assert app.text_area(key="text").value == german
    chosen = open_in_app("translate", **{KEY: back})
    assert chosen.selectbox(key=KEY).value == back
    assert chosen.selectbox(key=KEY).label == "Translator"
    assert chosen.text_area(key="text").value == examples("German", "everyday")[0]


def test_a_text_too_short_to_tell_its_language_says_so_and_is_one_click_from_the_others(back: str) -> None:
    app = open_in_app("translate", text="Hotel")
    assert app.selectbox(key=KEY).label == "Translator: English to German"
    assert any(caption.value == "Too short to tell the language; read as English." for caption in app.caption)
    (button,) = (button for button in app.button if button.label == "Read as German")
    button.click()
    app = run(app)
    assert app.selectbox(key=KEY).value == back
    assert app.text_area(key="text").value == "Hotel"
    assert not any(button.label.startswith("Read as") for button in app.button)
    app = open_in_app("translate", text="Frau M\u00fcller lives in K\u00f6ln.")
    assert app.selectbox(key=KEY).label == "Translator: English to German"
    assert not any(button.label.startswith("Read as") for button in app.button)


@pytest.mark.usefixtures("back")
def test_an_example_of_another_language_stays_in_the_link() -> None:
    """A link leaves out the text that the page has without one."""
    german = examples("German", "everyday")[0]
    app = open_in_app("translate", text=german)
    assert app.text_area(key="text").value == app.query_params["text"] == german
    app = open_in_app("translate")
    assert app.text_area(key="text").value == EXAMPLES[0]
    assert "text" not in app.query_params


@pytest.mark.usefixtures("back")
def test_an_example_follows_the_language_and_a_text_of_one_s_own_stays() -> None:
    app = open_in_app("translate")
    assert app.text_area(key="text").value == EXAMPLES[0]
    app.selectbox(key=KEY).set_value("translation-de-en")
    assert run(app).text_area(key="text").value == examples("German", "everyday")[0]
    app.text_area(key="text").set_value("Tom lacht.")
    app.selectbox(key=KEY).set_value(DEFAULT_TRANSLATOR)
    assert run(app).text_area(key="text").value == "Tom lacht."


@pytest.mark.usefixtures("back")
def test_while_the_text_decides_an_example_of_every_language_is_one_click_away() -> None:
    app = open_in_app("translate")
    buttons = example_buttons(app)
    assert [button.help or button.label for button in buttons] == [*EXAMPLES, "Der Hund jagt die Katze."]
    buttons[-1].click()
    assert run(app).selectbox(key=KEY).label == "Translator: German to English"
